package door

import (
	"context"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/gid"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// judged is what mutations say of the values that they were given.
type judged interface {
	Invalid() []problem.Detail
}

// CheckCreate refuses a create that the caller may not do, or whose input is bad.
func (d *Door) CheckCreate(ctx context.Context, e *reading.Entity, f *Form, m interface {
	judged
	GuardCreate(context.Context) error
}) error {
	if err := e.Rules.Check(viewer.From(ctx), policy.Create); err != nil {
		return err
	}
	if err := m.GuardCreate(ctx); err != nil {
		return err
	}
	return d.check(ctx, e, f, m)
}

// CheckUpdate refuses an update that the caller may not do, or whose input is bad.
func CheckUpdate[ID any](ctx context.Context, d *Door, e *reading.Entity, f *Form, id ID, m interface {
	judged
	GuardUpdate(context.Context, ID) error
}) error {
	if err := e.Rules.Check(viewer.From(ctx), policy.Update); err != nil {
		return err
	}
	if err := m.GuardUpdate(ctx, id); err != nil {
		return err
	}
	return d.check(ctx, e, f, m)
}

// check is the error for all that is wrong with the input.
func (d *Door) check(ctx context.Context, e *reading.Entity, f *Form, m judged) error {
	bad := slices.Clone(f.bad)
	for _, invalid := range m.Invalid() {
		unset := slices.ContainsFunc(f.bad, func(b problem.Detail) bool { return b.Field == invalid.Field })
		if !unset { // else it is missing because it could not be set
			bad = append(bad, invalid)
		}
	}
	for _, ref := range f.refs {
		there, err := d.there(ctx, ref)
		if err != nil {
			return err
		}
		if !there {
			bad = append(bad, problem.Rulef(ref.field, gid.Encode(ref.to.Name, ref.id), "names no %s", ref.to.Singular))
		}
	}
	return named(e, problem.Inputs(bad...))
}

// there reports whether the caller can read the row. Callers are there.
func (d *Door) there(ctx context.Context, ref reference) (bool, error) {
	if ref.to == d.Users && ref.id == viewer.From(ctx).UserID {
		return true, nil
	}
	return d.Reader.Readable(ctx, ref.to, ref.id)
}

// Failed is what a client is told of a write of the entity that failed.
func Failed(e *reading.Entity, err error) error { return named(e, store.Problem(err)) }

// named gives the details of a problem the names that their fields have in inputs.
func named(e *reading.Entity, err error) error {
	return problem.Retold(err, func(d problem.Detail) problem.Detail {
		if f := e.Field(strings.TrimSuffix(d.Field, "_fold")); f != nil {
			d.Field = "input." + f.GraphQL[0]
		}
		return d
	})
}
