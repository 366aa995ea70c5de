package write

import (
	"context"
	"slices"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/read"
)

// judgeNew judges the input of a new row.
func (f *form) judgeNew() {
	for _, field := range f.Fields {
		switch {
		case !field.OnCreate:
			f.unset(field)
		case field.Caller:
			f.owner(field)
		default:
			f.begin(field)
		}
	}
	f.judgeExtra()
	f.constrain()
}

// unset is for a field that a new row gets by itself: the path may give it.
func (f *form) unset(field *Field) {
	fixed, ok := f.fixed.of(field.Name)
	value, named := f.value(field)
	switch {
	case ok && (!named || is(value, fixed)):
		f.fix(field, fixed)
	case ok:
		f.note(field, f.notFixed(field, fixed))
	case named: // of a row that a replacement makes
		f.note(field, wrong("cannot be changed"))
	}
}

// notFixed says that the path gives the field another value.
func (f *form) notFixed(field *Field, fixed gid.ID) *finding {
	id := fixed.Any()
	if field.Refers != nil && f.in.ShowID != nil {
		id = f.in.ShowID(field.Refers.Name, fixed)
	}
	return wrong("must be %v, as in the path", id)
}

// owner judges whose the row will be: the caller's, or whom the input or the path names.
func (f *form) owner(field *Field) {
	fixed, isFixed := f.fixed.of(field.Name)
	value, _ := f.value(field)
	if f.failed(field) {
		return
	}
	id, named := gid.Of(value)
	switch {
	case isFixed && named && id != fixed:
		f.note(field, f.notFixed(field, fixed))
		return
	case isFixed:
		id = fixed
	case !named:
		id = gid.Int(f.viewer.UserID)
	}
	switch {
	case id.IsZero():
		f.note(field, wrong("is required"))
	case id != gid.Int(f.viewer.UserID) && !f.viewer.System && !f.viewer.Is(field.Writers...):
		f.deny(field)
	case isFixed:
		f.fix(field, id)
	case !named:
		f.set(field, id.Any())
	default:
		f.given(field, value)
	}
}

// begin judges a field of a new row.
func (f *form) begin(field *Field) {
	if fixed, ok := f.fixed.of(field.Name); ok {
		if value, named := f.value(field); named && value != nil && !is(value, fixed) {
			f.note(field, f.notFixed(field, fixed))
			return
		}
		if !f.failed(field) {
			f.fix(field, fixed)
		}
		return
	}
	value, ok := f.value(field)
	switch {
	case f.failed(field):
	case ok && value == nil && !field.Nullable && field.Default == nil:
		f.note(field, &finding{message: "must not be null"})
	case value == nil: // null counts as absent where something else is there
		if field.Required && !ok {
			f.note(field, wrong("is required"))
		} else if f.acting && field.Default != nil {
			f.values[field.Name] = field.Default()
		}
	case !field.settable(f.viewer) && (field.Default == nil || !same(value, field.Default())):
		f.deny(field)
	case f.sent.of(field).byKey || f.check(field, value):
		f.given(field, value)
	}
}

// judgeChange judges the input of a change of a row.
func (f *form) judgeChange() {
	for _, field := range f.Fields {
		_, named := f.value(field)
		switch {
		case f.sent.of(field) == nil && !f.names(field):
		case !field.OnUpdate && named:
			f.unchanged(field)
		case !field.OnUpdate:
		case f.sent.of(field) == nil && field.Kind == entity.Money && (!f.replace || field.Kept) && f.row != nil:
			f.rescale(field)
		case f.sent.of(field) == nil:
			f.absent(field)
		case named:
			f.change(field)
		}
	}
	f.judgeExtra()
	f.constrain()
}

// unchanged judges a read-only field: it may be sent back unchanged.
func (f *form) unchanged(field *Field) {
	value, _ := f.value(field)
	switch {
	case f.failed(field), f.row == nil: // which is reported after this
	case f.sent.of(field).byKey:
		f.note(field, wrong("cannot be changed"))
	case !same(value, f.current(field)) || !f.sees(field):
		f.note(field, wrong("cannot be changed"))
	}
}

// sees reports whether the viewer sees the field, in the row where that is known.
func (f *form) sees(field *Field) bool {
	all, some := field.Sees(f.viewer)
	return all || some && (f.row == nil || f.Entity.Rules.Whole(f.viewer).Matches(f.row))
}

// current is the row's value, as inputs are decoded.
func (f *form) current(field *Field) any { return f.row(field.Name) }

// absent judges a field that the input does not name.
func (f *form) absent(field *Field) {
	if !f.replace || field.Kept {
		return
	}
	may := field.settable(f.viewer)
	switch {
	case field.Required && len(field.Writers) == 0:
		f.note(field, wrong("is required"))
	case !may:
	case field.Default != nil:
		f.reset(field, field.Default())
	case field.Nullable:
		f.reset(field, nil)
	}
}

// reset gives the field its default.
func (f *form) reset(field *Field, value any) {
	if f.row == nil || !same(value, f.current(field)) {
		f.set(field, value)
		f.leave(field)
	}
}

// change judges a field that the input names.
func (f *form) change(field *Field) {
	value, _ := f.value(field)
	byKey := f.sent.of(field).byKey && value != nil
	switch {
	case f.failed(field):
	case value == nil && !field.Nullable:
		f.note(field, &finding{message: "must not be null"})
	case f.row != nil && !byKey && same(value, f.current(field)) && f.sees(field):
		f.values[field.Name] = value
	case !field.settable(f.viewer):
		if f.row != nil || !f.sees(field) {
			f.deny(field)
		}
	case f.replace && field.Kept:
		if f.row != nil {
			f.note(field, wrong("is not changed by a replacement"))
		}
	case value == nil:
		f.set(field, nil)
		f.leave(field)
	case byKey || f.check(field, value):
		f.given(field, value)
		f.leave(field)
	}
}

// judgeExtra judges the inputs beside the entity's own.
func (f *form) judgeExtra() {
	for _, field := range f.extra {
		if field.Kind == entity.IDs {
			continue
		}
		value, ok := f.value(field)
		switch {
		case f.failed(field):
		case !ok:
			if field.Required {
				f.note(field, wrong("is required"))
			}
		case value == nil && !field.Nullable:
			f.note(field, &finding{message: "must not be null"})
		case value == nil || f.check(field, value):
			f.values[field.Name] = value
		}
	}
	f.judgeEdges()
}

// needsRow reports whether the row has to be read to judge the input of a change.
func (f *form) needsRow() bool {
	if f.replace || len(f.derived) > 0 {
		return true
	}
	for i := range f.sent {
		field := f.sent[i].field
		switch {
		case !f.owns(field):
		case !field.OnUpdate, field.Kind == entity.Money, field.Kind == entity.JSON, field.Kind == entity.Strings, f.holdsCurrency(field):
			return true
		case !field.settable(f.viewer) && f.sees(field):
			return true
		case f.asks(field), field.link != nil && !field.link.Free(f.viewer):
			return true
		}
	}
	return false
}

// owns reports whether the field is one of the entity's own.
func (f *form) owns(field *Field) bool { return named(f.Fields, field.Name) == field }

// claim takes the request's key where nothing is wrong with the inputs but,
// perhaps, with the rows that they name, and then looks for these: a repetition
// does not ask what is there by then.
func (e *Engine) claim(ctx context.Context, forms ...*form) error {
	crowded(forms)
	if !slices.ContainsFunc(forms, func(f *form) bool { return len(f.bad) > 0 || len(f.denied) > 0 }) {
		if err := idempotency.Claim(ctx); err != nil {
			return err
		}
	}
	return e.settle(ctx, forms...)
}

// settle looks for the rows that the inputs name, in one statement, and returns
// all that is wrong with each of them.
func (e *Engine) settle(ctx context.Context, forms ...*form) error {
	var targets []read.Target
	for _, f := range forms {
		for _, ref := range f.refs {
			targets = append(targets, ref.Target)
		}
	}
	if len(targets) > 0 {
		rows, err := e.Reader.Find(ctx, targets)
		if err != nil {
			return err
		}
		for _, f := range forms {
			for _, ref := range f.refs {
				f.found(ref, rows[0])
				rows = rows[1:]
			}
		}
	}
	return refusal(forms...)
}

// found takes what was found of a row that the input names, or that the row leads
// to and would not any more.
func (f *form) found(ref *reference, row read.TargetRow) {
	switch {
	case ref.at != "":
		if row.ID.IsZero() {
			f.note(ref.field, &finding{at: ref.at, message: "names no " + ref.Entity.Noun(), rule: true, value: f.in.Shown(ref.Entity.Name, ref.ID)})
		} else if !row.May {
			f.bar(ref)
		}
	case f.failed(ref.field):
	case row.ID.IsZero() && ref.path: // which is reported after this
	case row.ID.IsZero() && !ref.Linked:
		f.note(ref.field, broken("names no %s", ref.Entity.Noun()))
	case ref.ID.IsZero() && f.named(ref.field, row.ID.Any()): // unchanged
	case !row.May:
		f.refuse(ref)
	}
}

// named writes the id of a row that the input names by its key, and reports whether
// that changes nothing.
func (f *form) named(field *Field, id any) (unchanged bool) {
	f.values[field.Name] = id
	for i := range f.changes {
		if f.changes[i].field != field {
			continue
		}
		if f.row != nil && same(id, f.current(field)) {
			f.changes = append(f.changes[:i], f.changes[i+1:]...)
			return true
		}
		f.changes[i].value = id
		return false
	}
	return false
}
