package write

import (
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
)

// refused is the client's error for a write that failed: refusals of Ent's
// validators and of the database, in the names of the API.
func (f *form) refused(err error) error {
	if err == nil {
		return nil
	}
	err = refused(f.Entity, f.in, err)
	return problem.Retold(err, func(d problem.Detail) problem.Detail {
		for i := range f.sent { // the name and the value that were sent
			s, field := &f.sent[i], f.sent[i].field
			if d.Field != f.in.name(field) {
				continue
			}
			switch {
			case d.Value == nil && d.Unprocessable && !field.Secret && !holdsMembers(s.raw):
				d = problem.Rulef(f.name(field), s.raw, "%s", d.Message)
			default:
				d.Field = f.name(field)
			}
			break
		}
		for _, field := range f.extra {
			if d.Field == field.Name {
				d.Field = f.name(field)
			}
		}
		for _, g := range f.Edges {
			if d.Field == f.in.name(g.Set) && f.sent.of(g.Set) == nil && f.sent.of(g.Add) != nil {
				d.Field = f.name(g.Add)
			}
		}
		return d
	})
}

// refused is [form.refused] of a write without an input.
func refused(e *Entity, in *Input, err error) error {
	if err == nil {
		return nil
	}
	err = e.broken(store.Problem(err))
	p := problem.As(err)
	if p == nil {
		return err
	}
	if p.Kind == problem.Duplicate && p.Err != nil {
		duplicate := problem.Wrap(p.Err, p.Kind, "another %s has this value", e.Noun())
		duplicate.Details = p.Details
		if t := e.Rules.Tenancy; t != nil { // which is no value that was sent
			duplicate.Details = slices.DeleteFunc(slices.Clone(p.Details), func(d problem.Detail) bool { return d.Field == t.Column })
		}
		err = duplicate
	}
	if in.API == nil {
		return err
	}
	return problem.Retold(err, func(d problem.Detail) problem.Detail {
		for _, f := range e.Fields {
			if f.Column == d.Field || f.Name == d.Field || d.Field == f.Column+expose.FoldSuffix {
				d.Field = in.name(f)
				return d
			}
		}
		for _, g := range e.Edges {
			if g.Set.Name == d.Field {
				d.Field = in.name(g.Set)
			}
		}
		return d
	})
}

// broken is err with the fields of the check that the write broke, where that is
// one of [Entity.Constraints].
func (e *Entity) broken(err error) error {
	v, ok := store.ViolationOf(err)
	if name, within := strings.CutPrefix(v.Name, withinRule); ok && within {
		return e.apart(err, name)
	}
	if !ok || v.Rule != store.Check {
		return err
	}
	for _, c := range e.Constraints {
		if c.Name != v.Name {
			continue
		}
		told := problem.Wrap(err, problem.Unprocessable, "the values break a rule")
		for _, name := range c.Fields {
			told.Details = append(told.Details, problem.Rulef(name, nil, "%s", c.Says))
		}
		return told
	}
	return err
}

// withinRule begins the names of the rules by which databases keep expose.Within.
const withinRule = "within_"

// apart is err at the input that names a row of another parent: the rest of the rule's
// name says by which table and column.
func (e *Entity) apart(err error, rule string) error {
	told := problem.Wrap(err, problem.Unprocessable, "a row that is named belongs to another parent")
	note := func(field, column string) error {
		parent := words(strings.TrimSuffix(column, "_id"))
		told.Details = append(told.Details, problem.Rulef(field, nil, "must be of the same %s", parent))
		return told
	}
	for _, g := range e.Entity.Edges {
		if g.Own && rule == e.Table+"_"+g.Column && g.Within != "" {
			return note(g.Column, g.Within)
		}
	}
	for _, g := range e.Edges {
		if g.Join != nil && rule == g.Join.Table && g.Within != "" {
			return note(g.Set.Name, g.Within)
		}
	}
	return told
}

// words is a name in running text.
func words(name string) string { return strings.ReplaceAll(name, "_", " ") }
