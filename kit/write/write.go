package write

import (
	"context"
	"fmt"
	"slices"

	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/mutation"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Create makes a row.
func (e *Engine) Create(ctx context.Context, c Call) (Row, error) {
	may, err := c.Entity.Rules.Allowed(viewer.From(ctx), policy.Create)
	if err != nil {
		return Row{}, err
	}
	f := e.form(ctx, &c, &c.Input, form{making: true})
	f.judgeNew()
	if row, made, err := e.once(ctx, &c, f, may); made || err != nil {
		return row, f.refused(err)
	}
	if c.Above != nil {
		if err := c.Above(ctx); err != nil {
			return Row{}, err
		}
	}
	if err := e.claim(ctx, f); err != nil {
		return Row{}, err
	}
	row, err := e.around(ctx, f, gid.ID{}, policy.Create, func(ctx context.Context, w wrapper) (row Row, err error) {
		err = e.transact(ctx, w.wraps || c.Read != nil || c.Entity.Making != nil || c.Entity.Upsert != nil || len(f.ends) > 0, func(ctx context.Context) error {
			if row, err = w.write(ctx, func(ctx context.Context) (Row, error) { return e.insert(ctx, f) }); err != nil {
				return err
			}
			return c.read(ctx, row)
		})
		return row, err
	})
	return row, f.refused(err)
}

// insert makes the row that has been judged, or finds it where the entity says so.
func (e *Engine) insert(ctx context.Context, f *form) (Row, error) {
	switch {
	case f.Making != nil && e.Methods == nil:
		return Row{}, fmt.Errorf("create %s: %w", f.Singular, errNoMethods)
	case f.Making != nil:
		f.complete()
		result, err := f.Making(ctx, e.Methods, f.values)
		return result.Row, err
	case f.Upsert != nil && f.Upsert.Run == "":
		f.complete()
		return e.merge(ctx, f)
	}
	return e.plain(ctx, f)
}

// complete adds the defaults of what the input leaves out.
func (f *form) complete() {
	for _, field := range f.Fields {
		if _, given := f.values[field.Name]; !given && field.OnCreate && field.Default != nil {
			f.set(field, field.Default())
		}
	}
}

// plain makes the row.
func (e *Engine) plain(ctx context.Context, f *form) (Row, error) {
	rows, err := e.insertAll(ctx, []*form{f})
	if err != nil {
		return Row{}, err
	}
	return rows[0], e.attachNew(ctx, []*form{f}, rows)
}

// draft is the row that has been judged, not made yet.
func (e *Engine) draft(f *form) (*mutation.Mutation, error) {
	draft := f.Rows.Create(e.DB.Driver()).Linked()
	if err := f.Rules.Own(f.viewer, draft); err != nil {
		return nil, err
	}
	for _, c := range f.changes {
		if c.value == nil {
			continue
		}
		if err := draft.SetField(c.field.Column, c.value); err != nil {
			return nil, fmt.Errorf("set %s of %s: %w", c.field.Name, f.Singular, err)
		}
	}
	for _, x := range f.ends {
		draft.Ends(x.Name, x.wanted(), nil)
	}
	return draft, nil
}

// insertAll makes the rows that have been judged, in one statement.
func (e *Engine) insertAll(ctx context.Context, forms []*form) ([]Row, error) {
	drafts := make([]*mutation.Mutation, len(forms))
	for i, f := range forms {
		var err error
		if drafts[i], err = e.draft(f); err != nil {
			return nil, err
		}
	}
	table := forms[0].Rows
	if err := table.Insert(ctx, drafts...); err != nil {
		return nil, err
	}
	rows := make([]Row, len(drafts))
	for i, d := range drafts {
		rows[i] = Row{ID: d.ID(), Made: true}
		if key := forms[0].Entity.Entity.Key; key != nil {
			value, _ := d.Field(key.Column)
			rows[i].Key, _ = value.(string)
		}
	}
	return rows, nil
}

// Update changes what the input names of a row, or replaces it: what is not
// named returns to its default then.
//
// A change that can be judged by itself is one statement, which says in its
// WHERE that something is another value by now. A row that nothing would change
// keeps its version.
func (e *Engine) Update(ctx context.Context, c Call, replace bool) (Row, error) {
	if err := c.Entity.Rules.Check(viewer.From(ctx), policy.Update); err != nil {
		return Row{}, err
	}
	f := e.form(ctx, &c, &c.Input, form{replace: replace})
	return e.change(ctx, &c, f, Row{ID: c.ID})
}

// change carries out a change of a row.
func (e *Engine) change(ctx context.Context, c *Call, f *form, row Row) (Row, error) {
	var absent error
	if f.row == nil && f.needsRow() {
		if err := idempotency.Claim(ctx); err != nil { // a repetition is not judged by what the row is by then
			return Row{}, err
		}
		get, err := e.get(ctx, f.Entity, c.where()...)
		switch {
		case store.IsNotFound(err):
			absent = err
		case err != nil:
			return Row{}, f.refused(err)
		}
		f.row = get
	}
	f.judgeChange()
	if err := e.compare(ctx, c, f); err != nil {
		return Row{}, err
	}
	if err := e.claim(ctx, f); err != nil {
		return Row{}, err
	}
	if absent != nil {
		return Row{}, e.untouched(ctx, c, policy.Update, false)
	}
	made, err := e.around(ctx, f, c.ID, policy.Update, func(ctx context.Context, w wrapper) (Row, error) {
		err := e.transact(ctx, w.wraps || c.Read != nil || c.Expect.asks() || len(f.ends) > 0, func(ctx context.Context) error {
			if err := e.expected(ctx, c, policy.Update); err != nil {
				return err
			}
			_, err := w.write(ctx, func(ctx context.Context) (Row, error) { _, err := e.rewrite(ctx, c, f); return row, err })
			if err != nil {
				return err
			}
			return c.read(ctx, row)
		})
		return row, err
	})
	return made, f.refused(err)
}

// rewrite writes the changes, if there are any: of edges first, since these
// change the row, too, if they change anything, which it reports.
func (e *Engine) rewrite(ctx context.Context, c *Call, f *form) (moved bool, err error) {
	if moved, err = e.moveEnds(ctx, c, f); err != nil {
		return false, err
	}
	switch {
	case len(f.changes) > 0, moved && (f.dated() || f.Rows.Hooked(e.DB.Driver())):
		return moved, e.update(ctx, c, f, moved)
	case len(f.ends) > 0: // which has found the row
		return moved, nil
	}
	return false, e.untouched(ctx, c, policy.Update, true)
}

// update writes the columns that change: that they do is known where something
// else of the row has changed.
func (e *Engine) update(ctx context.Context, c *Call, f *form, changed bool) error {
	u := e.updates(c).Linked()
	for _, x := range f.ends {
		u.Ends(x.Name, x.wanted(), x.remove)
	}
	for _, change := range f.changes {
		var err error
		if change.value == nil {
			err = u.ClearField(change.field.Column)
		} else {
			err = u.SetField(change.field.Column, change.value)
		}
		if err != nil {
			return fmt.Errorf("set %s of %s: %w", change.field.Name, f.Singular, err)
		}
	}
	if f.Versioned && len(f.changes) == 0 { // the database raises the version of a row that is written
		if err := u.AddField("version", int64(0)); err != nil {
			return fmt.Errorf("count a change of %s: %w", f.Singular, err)
		}
	}
	u.WhereP(c.versions()...)
	if err := leaves(f.viewer, u, f.changes); err != nil {
		return err
	}
	switch {
	case f.row != nil:
		u.WhereP(f.stillIn()...)
	case !changed:
		u.WhereP(differs(f.changes))
	}
	n, err := u.Save(ctx)
	if err != nil || n > 0 {
		return err
	}
	return e.untouched(ctx, c, policy.Update, f.row == nil && !changed)
}

// updates begins a change of the row of the call.
func (e *Engine) updates(c *Call) *mutation.Mutation {
	u := c.Entity.Rows.Update(e.DB.Driver())
	if !c.ID.IsZero() {
		u = c.Entity.Rows.UpdateOne(e.DB.Driver(), c.ID)
	}
	u.WhereP(c.below()...)
	return u
}

// where are the conditions on the row of the call.
func (c *Call) where() []func(*sql.Selector) {
	where := c.below()
	if !c.ID.IsZero() {
		where = append(where, equals(c.Entity.Entity.ID().Column, c.ID))
	}
	return where
}

// below are the conditions that the path sets beside the row's id.
func (c *Call) below() []func(*sql.Selector) {
	if c.Fixed == (Fixed{}) {
		return nil
	}
	return []func(*sql.Selector){equals(c.Entity.Field(c.Fixed.Field).Column, c.Fixed.ID)}
}

// filter is where, for the reader.
func (c *Call) filter() read.Filter {
	var all read.And
	if !c.ID.IsZero() {
		all = append(all, read.ByID(c.Entity.Entity, c.ID))
	}
	if c.Fixed != (Fixed{}) {
		all = append(all, read.Column{Name: c.Entity.Field(c.Fixed.Field).Column, ID: c.Fixed.ID})
	}
	return all
}

// versions are the conditions on the version that the row is expected to have.
func (c *Call) versions() []func(*sql.Selector) {
	if len(c.Expect.Versions) == 0 || !c.Entity.Versioned {
		return nil
	}
	return []func(*sql.Selector){func(s *sql.Selector) {
		values := make([]any, len(c.Expect.Versions))
		for i, v := range c.Expect.Versions {
			values[i] = v
		}
		s.Where(sql.In(s.C(c.Entity.Field("version").Column), values...))
	}}
}

func equals(column string, id gid.ID) func(*sql.Selector) {
	return func(s *sql.Selector) { s.Where(sql.EQ(s.C(column), id.Any())) }
}

// differs admits rows that have another value somewhere.
func differs(changes []change) func(*sql.Selector) {
	return func(s *sql.Selector) {
		s.Where(sql.P(func(b *sql.Builder) {
			b.WriteString("(")
			for i, c := range changes {
				if i > 0 {
					b.WriteString(" OR ")
				}
				if c.field.Own != nil && c.value != nil { // one value may be kept in many forms
					b.WriteString("1 = 1")
					continue
				}
				b.WriteString(`"` + s.TableName() + `"."` + c.field.Column + `"`)
				switch c.value {
				case nil:
					b.WriteString(" IS NOT NULL")
					continue
				case any(expose.FirstNow):
					b.WriteString(" IS NULL")
					continue
				}
				b.WriteString(" IS DISTINCT FROM ")
				b.Arg(c.value)
			}
			b.WriteString(")")
		}))
	}
}

// stillIn admits rows whose amounts are in the currency in which they were judged.
func (f *form) stillIn() []func(*sql.Selector) {
	var where []func(*sql.Selector)
	for _, holder := range f.Fields {
		code, ok := f.row(holder.Name).(string)
		amounts := func(c change) bool {
			return c.field.Kind == entity.Money && c.field.Currency == holder.Field
		}
		if ok && f.holdsCurrency(holder) && slices.ContainsFunc(f.changes, amounts) {
			where = append(where, func(s *sql.Selector) { s.Where(sql.EQ(s.C(holder.Column), code)) })
		}
	}
	return where
}

// untouched says why a write touched no row, nil where it had nothing to change
// and calm says that this is well.
func (e *Engine) untouched(ctx context.Context, c *Call, verb string, calm bool) error {
	version, may, err := e.Reader.State(ctx, c.Entity.Entity, c.filter(), verb, false)
	switch {
	case err != nil:
		return err
	case may && c.stale(version):
		return c.changed()
	case may && calm:
		return nil
	case may:
		return later("the %s was changed meanwhile: try again", c.Entity.Noun())
	}
	return e.refusal(ctx, c)
}

// refusal says why the viewer may not write the row: they read nothing of the
// kind, or the row is not there for them, or it is, and is not theirs to write.
func (e *Engine) refusal(ctx context.Context, c *Call) error {
	v := viewer.From(ctx)
	if err := c.Entity.Rules.CheckRead(v); err != nil {
		return err
	}
	readable, err := e.Reader.Exists(ctx, c.Entity.Entity, c.filter())
	switch {
	case err != nil:
		return err
	case !readable:
		return read.NotFound(c.Entity.Entity)
	}
	return problem.ErrForbidden
}

// stale reports whether the version is none that is expected.
func (c *Call) stale(version int64) bool {
	return len(c.Expect.Versions) > 0 && c.Entity.Versioned && !slices.Contains(c.Expect.Versions, version)
}

// changed answers a write for a state that is no longer there.
func (c *Call) changed() error {
	return problem.New(problem.PreconditionFailed, "the resource has changed since it was read")
}

// asks reports whether the state is asked for before the row is written.
func (x *Expect) asks() bool { return x.Absent || x.Check != nil }

// expected returns nil if the row has the expected version. Callers that may not use
// the verb on it don't learn that it has changed. The row stays locked until the
// transaction ends.
func (e *Engine) expected(ctx context.Context, c *Call, verb string) error {
	if !c.Expect.asks() {
		return nil
	}
	err := e.asExpected(ctx, c)
	if problem.KindOf(err) != problem.PreconditionFailed {
		return err
	}
	_, may, failed := e.Reader.State(ctx, c.Entity.Entity, c.filter(), verb, false)
	switch {
	case failed != nil:
		return failed
	case may:
		return err
	}
	return nil // the write says why
}

func (e *Engine) asExpected(ctx context.Context, c *Call) error {
	if c.Expect.Absent {
		found, err := e.Reader.Exists(ctx, c.Entity.Entity, c.filter())
		if err != nil {
			return err
		}
		if found {
			return c.changed()
		}
	}
	if c.Expect.Check == nil {
		return nil
	}
	if err := e.lock(ctx, c); err != nil {
		return err
	}
	err := c.Expect.Check(ctx)
	if problem.KindOf(err) == problem.NotFound {
		return nil // the write says so
	}
	return err
}

// lock keeps others from changing the row. Where one transaction writes at a time,
// that is so anyway.
func (e *Engine) lock(ctx context.Context, c *Call) error {
	if e.DB.Dialect.SingleWriter() {
		return nil
	}
	b := sql.Dialect(e.DB.Dialect.Name())
	s := b.Select(c.Entity.Entity.ID().Column).From(b.Table(c.Entity.Table)).For(sql.LockUpdate)
	for _, where := range c.where() {
		where(s)
	}
	text, args := s.Query()
	_, err := e.DB.ExecContext(ctx, text, args...)
	return err
}

// read has the caller read the row.
func (c *Call) read(ctx context.Context, row Row) error {
	if c.Read == nil {
		return nil
	}
	return c.Read(ctx, row)
}

// transact runs fn, in a transaction where that needs one.
func (e *Engine) transact(ctx context.Context, needed bool, fn func(context.Context) error) error {
	if !needed {
		return fn(ctx)
	}
	return e.DB.InTx(ctx, fn)
}

// Put is [Engine.Update] of the one row that Call.Fixed admits, which is made
// where there is none: Row.Made says so.
func (e *Engine) Put(ctx context.Context, c Call, replace bool) (Row, error) {
	row, err := e.put(ctx, c, replace)
	if store.IsUnique(err) { // another request has made it meanwhile
		row, err = e.put(ctx, c, replace)
	}
	return row, err
}

func (e *Engine) put(ctx context.Context, c Call, replace bool) (row Row, err error) {
	if err := c.Entity.Rules.Check(viewer.From(ctx), policy.Update); err != nil {
		return Row{}, err
	}
	get, err := e.get(ctx, c.Entity, c.where()...)
	switch {
	case err == nil:
		c.ID, _ = gid.Of(get("id"))
		f := e.form(ctx, &c, &c.Input, form{replace: replace})
		f.row = get
		return e.change(ctx, &c, f, Row{ID: c.ID})
	case !store.IsNotFound(err):
		return Row{}, store.Problem(err)
	}
	f := e.form(ctx, &c, &c.Input, form{making: true, begins: true})
	f.judgeNew()
	if err := e.claim(ctx, f); err != nil {
		return Row{}, err
	}
	if len(c.Expect.Versions) > 0 || c.Expect.Check != nil {
		return Row{}, c.changed()
	}
	row, err = e.around(ctx, f, gid.ID{}, policy.Create, func(ctx context.Context, w wrapper) (row Row, err error) {
		err = e.DB.InTx(ctx, func(ctx context.Context) error {
			if row, err = w.write(ctx, func(ctx context.Context) (Row, error) { return e.insert(ctx, f) }); err != nil {
				return err
			}
			return c.read(ctx, row)
		})
		return row, err
	})
	return row, f.refused(err)
}
