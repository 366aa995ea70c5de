package write

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/viewer"
)

// form is an input on its way into one row.
type form struct {
	*Entity
	in     *Input
	viewer *viewer.Viewer
	fixed  Fixed
	// making a row; begins: by an input that is one of a change; replacing one:
	// what is not named returns to its default.
	making, begins, replace bool
	// acting: the input is an action's, or an object in one.
	acting bool
	// row has the values before the change, nil where they were not read.
	row func(field string) any
	// extra are inputs beside the entity's own.
	extra []*Field

	// derived are fields that follow from the row and others, sent back as they
	// are shown.
	derived []*Field

	sent    inputs
	changes []change
	values  Values
	refs    []*reference
	items   []*form // of the objects in its lists
	ends    []*ends // of the entity's edges
	bad     []problem.Detail
	denied  []problem.Detail
}

// inputs are the input's values of fields, most often so few that a list costs
// less than a map.
type inputs []sent

// of is the input's value of the field, nil where it does not name it.
func (in inputs) of(field *Field) *sent {
	for i := range in {
		if in[i].field == field {
			return &in[i]
		}
	}
	return nil
}

// sent is the input's value of a field.
type sent struct {
	field *Field
	name  string // as the caller has it
	raw   any
	byKey bool
	// value is its Go value, nil for null, where ok is set.
	value any
	ok    bool
	read  bool // value and ok are known
	lost  bool // what it stands for depends on what is wrong elsewhere
}

// change is a field that is to be written; nil is null.
type change struct {
	field *Field
	value any
}

// reference is a row that the input names.
type reference struct {
	read.Target
	field *Field
	at    string // the place in its value
	path  bool   // the path names the row, and not the input
}

// form begins to judge an input of the call.
func (e *Engine) form(ctx context.Context, c *Call, in *Input, shape form) *form {
	f := &shape
	f.Entity, f.in, f.viewer, f.fixed = c.Entity, in, viewer.From(ctx), c.Fixed
	f.begun()
	if f.acting {
		f.match()
		return f
	}
	f.extra = f.Entity.UpdateBeside
	if f.making {
		f.extra = f.Entity.CreateBeside
	}
	if len(f.Entity.Edges) > 0 {
		f.extra = slices.Concat(f.extra, f.edgeInputs())
	}
	f.match()
	f.initial()
	return f
}

// begun makes room for what is found out.
func (f *form) begun() {
	f.sent = make(inputs, 0, min(len(f.in.Members), len(f.Fields)))
	f.changes = make([]change, 0, len(f.Fields))
	f.values = Values{}
}

// initial gives the fields of a new row that the input leaves out the defaults
// of the API's version, where these are others.
func (f *form) initial() {
	if f.in.API == nil || f.in.Default == nil || !f.making && !f.replace {
		return
	}
	for _, field := range f.Fields {
		if raw, ok := f.in.Default(field.Field); ok && f.sent.of(field) == nil && f.names(field) {
			f.sent = append(f.sent, sent{field: field, name: f.in.member(field, false), raw: raw})
		}
	}
}

// names reports whether the input can name the field.
func (f *form) names(field *Field) bool {
	if f.making && !f.begins {
		return field.OnCreate
	}
	return !field.Secret || field.OnUpdate
}

// mostUnknown is how many unknown members are reported: an input may have very many.
const mostUnknown = 1000

// match finds out which fields the members name.
func (f *form) match() {
	fields := make([]*Field, 0, len(f.Fields)+len(f.extra))
	for _, field := range f.Fields {
		if f.names(field) {
			fields = append(fields, field)
		}
	}
	fields = append(fields, f.extra...)
	var room [16]string // more than most inputs have
	names := slices.AppendSeq(room[:0], maps.Keys(f.in.Members))
	slices.Sort(names)
	for _, member := range names {
		field, byKey := f.in.find(fields, member)
		if field == nil {
			if field = f.shown(member); field == nil {
				if len(f.bad) < mostUnknown {
					f.unknown(member, fields)
				}
				continue
			}
			f.derived = append(f.derived, field)
		}
		now := sent{field: field, name: member, raw: f.in.Members[member], byKey: byKey}
		if before := f.sent.of(field); before != nil {
			*before = f.both(field, *before, now)
			continue
		}
		f.sent = append(f.sent, now)
	}
}

// unknown notes a member that names none of the fields.
func (f *form) unknown(member string, fields []*Field) {
	if f.acting && len(fields) == 0 {
		f.bad = append(f.bad, problem.Invalidf(f.in.prefix()+member, nil, "is unknown: this action takes no input"))
		return
	}
	f.bad = append(f.bad, problem.Invalidf(f.in.prefix()+member, nil, "is unknown; allowed: %s", f.in.allowed(fields)))
}

// both resolves a field that an input names twice, in two forms: a finding is
// added for the form that is not its own name.
func (f *form) both(field *Field, before, now sent) sent {
	own := f.in.member(field, false)
	one, other := now, before
	if now.name == own {
		one, other = before, now
	}
	if one.raw == nil && other.raw == nil || f.making && (one.raw == nil || other.raw == nil) { // null counts as absent
		if one.raw == nil {
			one = other
		}
		return one
	}
	if field.Old != nil && reflect.DeepEqual(one.raw, other.raw) { // as an answer that is sent back has it, by its old name and by its own
		return other
	}
	f.bad = append(f.bad, problem.Invalidf(f.in.prefix()+one.name, one.raw, "cannot be combined with %s", other.name))
	return sent{field: field, name: one.name, read: true}
}

// find returns the field that a member names.
func (in *Input) find(fields []*Field, member string) (f *Field, byKey bool) {
	if in.Find != nil {
		return in.Find(fields, member)
	}
	for _, f := range fields {
		if in.member(f, false) == member {
			return f, false
		}
		if f.Key != "" && in.member(f, true) == member {
			return f, true
		}
	}
	return nil, false
}

// allowed lists the names of the fields.
func (in *Input) allowed(fields []*Field) string {
	var names []string
	for _, f := range fields {
		names = append(names, in.member(f, false))
		if f.Key != "" {
			names = append(names, in.member(f, true))
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// name is the field's in errors: as the caller has it, or else its own.
func (f *form) name(field *Field) string {
	if s := f.sent.of(field); s != nil {
		return f.in.prefix() + s.name
	}
	return f.in.prefix() + f.in.member(field, false)
}

// note notes what is wrong with a field. The value is echoed as it was sent.
func (f *form) note(field *Field, bad *finding) {
	value := bad.value
	if s := f.sent.of(field); value == nil && s != nil {
		value = s.raw
	}
	if field.Secret || bad.mute || holdsMembers(value) {
		value = nil
	}
	d := problem.Invalidf(f.name(field)+bad.at, value, "%s", bad.message)
	d.Unprocessable = bad.rule
	f.bad = append(f.bad, d)
}

// holdsMembers reports whether there is an object in the value: one of its
// members may be a secret.
func holdsMembers(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		return true
	case []any:
		return slices.ContainsFunc(v, holdsMembers)
	}
	return false
}

// deny notes a field that the caller may not set.
func (f *form) deny(field *Field) {
	f.denied = append(f.denied, problem.Detail{Field: f.name(field), Message: "is not yours to set"})
}

// err has all findings so far.
func (f *form) err() error { return refusal(f) }

// refusal has all findings of the forms of one request. Fields that the caller may not
// set make it 403 and come first; findings about other inputs stand beside them.
func refusal(forms ...*form) error {
	var denied, bad []problem.Detail
	for _, f := range forms {
		denied, bad = append(denied, f.denied...), append(bad, f.bad...)
	}
	if len(denied) == 0 {
		return problem.Inputs(bad...)
	}
	err := policy.Denied(forms[0].viewer)
	if p := problem.As(err); p != nil && p.Kind == problem.Forbidden {
		named := slices.DeleteFunc(denied, func(d problem.Detail) bool { return d.Field == "" }) // the others are the path's
		return &problem.Error{Kind: p.Kind, Message: p.Message, Details: append(named, bad...)}
	}
	return err
}

// failed reports whether something is wrong with the field.
func (f *form) failed(field *Field) bool {
	if s := f.sent.of(field); s != nil && s.lost {
		return true
	}
	if len(f.bad) == 0 {
		return false
	}
	name := f.name(field)
	return slices.ContainsFunc(f.bad, func(d problem.Detail) bool {
		return d.Field == name || strings.HasPrefix(d.Field, name+"[")
	})
}

// value is the input's value of a field, nil for null. It is not ok where the
// field is not named, or where the value is invalid, for which a finding is added.
func (f *form) value(field *Field) (value any, ok bool) {
	s := f.sent.of(field)
	if s == nil {
		return nil, false
	}
	if !s.read {
		s.read = true
		s.value, s.ok = f.decode(field, s)
	}
	return s.value, s.ok
}

func (f *form) decode(field *Field, s *sent) (any, bool) {
	if f.in.Take != nil {
		raw, err := f.in.Take(field.Field, s.raw)
		if err != nil {
			f.note(field, wrong("%v", err))
			return nil, false
		}
		s.raw = raw
	}
	switch {
	case s.raw == nil:
		return nil, true
	case s.byKey:
		key, ok := s.raw.(string)
		if !ok {
			f.note(field, mismatch(field, "a string", s.raw))
		}
		return key, ok
	}
	if field.Kind == entity.IDs {
		return f.ids(field, s.raw)
	}
	if field.Kind == entity.Objects {
		value, bad := f.objects(field, s.raw)
		if bad != nil {
			f.note(field, bad)
		}
		return value, bad == nil
	}
	value, bad := f.in.decode(f.Entity.Entity, field, s.raw)
	if bad == nil && field.Kind == entity.Money {
		value, bad = f.amount(field, value.(string))
		s.lost = bad == nil && value == nil
	}
	if bad != nil {
		f.note(field, bad)
		return nil, false
	}
	return value, !s.lost
}

// check notes what is wrong with a value, and reports whether nothing is.
func (f *form) check(field *Field, value any) bool {
	if f.failed(field) {
		return false
	}
	if field.Check != nil {
		if err := field.Check(value); err != nil {
			if p := problem.As(err); p != nil { // more than one thing
				for _, d := range p.Details {
					f.note(field, broken("%s", d.Message))
				}
			} else {
				f.note(field, broken("%v", err))
			}
			return false
		}
	}
	if bad := f.checkCurrency(field, value); bad != nil {
		f.note(field, bad)
		return false
	}
	return true
}

// set makes a value part of what is written.
func (f *form) set(field *Field, value any) {
	f.changes = append(f.changes, change{field, value})
	f.values[field.Name] = value
}

// given adds a value of the caller to the write. A row that it refers to has to
// exist.
func (f *form) given(field *Field, value any) {
	if s := f.sent.of(field); s != nil && s.byKey && value != nil {
		f.refs = append(f.refs, &reference{Target: read.Target{Entity: field.Refers, Key: value.(string), Link: field.link}, field: field})
		f.set(field, nil) // until it is found
		return
	}
	if id, isID := gid.Of(value); isID && field.Refers != nil && !(field.Caller && id == gid.Int(f.viewer.UserID)) {
		f.refs = append(f.refs, &reference{Target: read.Target{Entity: field.Refers, ID: id, Link: field.link}, field: field})
	}
	f.set(field, value)
}
