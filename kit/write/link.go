package write

import (
	"context"
	"slices"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/mutation"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Rows that a write links to the one that is written, and unlinks from it, have to
// be ones that the viewer may link: see [policy.Attach]. A row that can't be read
// does not exist. Only what changes is asked for.

// linkInputs has the inputs of edges, and those that actions set columns from, know
// the links that they write.
func (e *Entity) linkInputs() {
	for _, g := range e.Edges {
		g.link = e.Rules.LinkTo(g.Name)
		g.Set.link, g.Add.link, g.Remove.link = g.link, g.link, g.link
	}
	for _, a := range e.Actions {
		for column, input := range a.inputs() {
			if field, in := e.Field(column), named(a.Input, input); field != nil && in != nil {
				in.link = field.link
			}
		}
	}
}

// inputs are the columns that the action sets from its input, with the names of
// the inputs.
func (a *Action) inputs() map[string]string {
	all := map[string]string{}
	for column, value := range a.Set {
		if v, ok := value.(expose.Value); ok && v.InputName() != "" {
			all[column] = v.InputName()
		}
	}
	return all
}

// fix makes the id that the path gives part of what is written.
func (f *form) fix(field *Field, id gid.ID) {
	if l := field.link; l != nil && field.Refers != nil && !l.Knows(f.viewer, id.Any()) && !(field.Caller && id == gid.Int(f.viewer.UserID)) {
		f.refs = append(f.refs, &reference{Target: read.Target{Entity: field.Refers, ID: id, Link: l}, field: field, path: true})
	}
	f.set(field, keyValue(field.Kind.IDs(), id))
}

// leave asks for the row that the field leads to, and will not any more.
func (f *form) leave(field *Field) {
	f.leaveAs(field, field)
}

// leaveAs is leave of a field that an input of another name sets.
func (f *form) leaveAs(field, input *Field) {
	if field.link == nil || field.Refers == nil || f.row == nil || field.link.Free(f.viewer) {
		return
	}
	id, leads := gid.Of(f.row(field.Name))
	switch {
	case !leads:
	case is(f.values[input.Name], id): // unchanged
		f.refs = slices.DeleteFunc(f.refs, func(ref *reference) bool { return ref.field == input })
	default:
		f.refs = append(f.refs, &reference{Target: read.Target{Entity: field.Refers, ID: id, Link: field.link, Linked: true}, field: input})
	}
}

// leaveAll asks for the rows that the action has its row not lead to any more.
func (f *form) leaveAll(e *Entity, a *Action) {
	for column, input := range a.inputs() {
		if field, in := e.Field(column), named(a.Input, input); field != nil && in != nil {
			f.leaveAs(field, in)
		}
	}
}

// relinks reports whether the action sets columns by which its row leads to rows of
// which the viewer may link some alone.
func (a *Action) relinks(v *viewer.Viewer) bool {
	return slices.ContainsFunc(a.Input, func(in *Field) bool { return in.link != nil && !in.link.Free(v) })
}

// refuse notes a row that the viewer may not link, or not unlink.
func (f *form) refuse(ref *reference) {
	if ref.Linked && is(f.values[ref.field.Name], ref.ID) {
		return // it stays linked
	}
	f.denied = append(f.denied, f.denial(ref, ref.Linked))
}

// denial says what is not the viewer's to link or unlink, and where.
func (f *form) denial(ref *reference, unlinks bool) problem.Detail {
	d := problem.Detail{Field: f.name(ref.field) + ref.at, Message: "names " + gid.An(ref.Entity.Noun()) + " that you may not attach"}
	if unlinks {
		d.Message = "leads to " + gid.An(ref.Entity.Noun()) + " that you may not detach"
	}
	if ref.path {
		d.Field = ""
	}
	return d
}

// bar notes a row of a list that the viewer may not link. A row that is there may
// be linked to it already: see [Engine.unbarred].
func (f *form) bar(ref *reference) {
	if f.making {
		f.refuse(ref)
		return
	}
	for _, x := range f.ends {
		if ref.field == x.Set || ref.field == x.Add || ref.field == x.Remove {
			x.barred = append(x.barred, ref)
		}
	}
}

// unbarred returns an error where the input links or unlinks a row that the viewer
// may not, which is one that is to be attached and is not, or the other way round.
func (e *Engine) unbarred(ctx context.Context, f *form, id gid.ID, x *ends) error {
	var rows []gid.ID
	for _, ref := range x.barred {
		rows = append(rows, ref.ID)
	}
	if len(rows) > 0 {
		attached, err := e.Reader.Attached(ctx, x.Edge.Edge, id, rows)
		if err != nil {
			return err
		}
		for _, ref := range x.barred {
			if off := slices.Contains(x.remove, ref.ID); slices.Contains(attached, ref.ID) == off {
				return f.forbidden(ref, off)
			}
		}
	}
	if !x.replaced {
		return nil
	}
	bound, err := e.Reader.Bound(ctx, x.Edge.Edge, x.link, id, x.set)
	if err == nil && bound {
		err = f.forbidden(&reference{Target: read.Target{Entity: x.To}, field: x.Set}, true)
	}
	return err
}

// forbidden is the error for a row that the viewer may not link, or not unlink.
func (f *form) forbidden(ref *reference, unlinks bool) error {
	if ref.field == nil { // the path names it
		return problem.ErrForbidden
	}
	return &problem.Error{Kind: problem.Forbidden, Message: problem.ErrForbidden.Message, Details: []problem.Detail{f.denial(ref, unlinks)}}
}

// leaves restricts a change to rows that lead to none that the viewer may not
// unlink, by the columns of the links that it writes: they may have come to lead
// to another since the input was judged.
func leaves(v *viewer.Viewer, u *mutation.Mutation, changes []change) error {
	for _, c := range changes {
		if c.field.link == nil || c.field.link.Free(v) {
			continue
		}
		rule := c.field.link.Leaves(v)
		if id, leads := c.value.(int64); leads {
			rule = policy.Any(policy.Is(c.field.Column, int(id)), rule)
		}
		if err := policy.Restrict(u, rule); err != nil {
			return err
		}
	}
	return nil
}
