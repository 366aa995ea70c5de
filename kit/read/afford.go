package read

import (
	"context"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/ratelimit"
)

// unitsCharged is the estimate of the database that counts as one request of the
// caller's limit: about 10 ms of a core (doc/api/limits.md).
const unitsCharged = 1_000

// afford refuses a listing that no index serves where its table has become so large
// that the database expects to read more than is allowed, and charges the caller for
// one that may run. Lists that indexes serve read as much as they show, and are not
// estimated: that would cost a statement.
func (r *reading) afford(ctx context.Context, s *Selection, q *Query, b *builder) error {
	if r.viewer.System {
		return nil
	}
	by := q.unserved(s.Entity, r.postgres())
	if by == nil {
		return nil
	}
	estimate, err := r.DB.Estimate(ctx, s.Entity.Table, string(b.text), b.args)
	if err != nil {
		return err
	}
	if !estimate.Within() {
		return tooLarge(s, by)
	}
	_, err = ratelimit.Charge(ctx, int(estimate.Units/unitsCharged))
	return err
}

// unserved returns what the query sorts or filters by that no index serves, nil where
// that is nothing. Parts of texts are bounded by themselves: see [finding.with].
func (q *Query) unserved(e *entity.Entity, postgres bool) func(*Selection) string {
	switch first := q.Order(e)[0]; {
	case isUnserved(first.Field):
		return func(s *Selection) string { return "sorted by " + s.nameOf(first.Field) }
	case postgres && first.Desc && first.Field.Nullable: // its indexes, read from their end, begin with the nulls, which are to come last
		return func(s *Selection) string { return "sorted by " + s.nameOf(first.Field) + ", descending" }
	}
	return unservedFilter(q.Where)
}

func unservedFilter(where Filter) func(*Selection) string {
	switch f := where.(type) {
	case And:
		return unservedAny(f)
	case Or:
		return unservedAny(f)
	case Not:
		if f.Filter != nil {
			return func(*Selection) string { return "filtered by a negation" }
		}
	case Has:
		return func(s *Selection) string { return "filtered by the rows of " + s.nameOfEdge(f.Edge) }
	case Cond:
		if isUnserved(f.Field) || slices.Contains([]Op{NEQ, NotIn, NotNull}, f.Op) {
			return func(s *Selection) string { return "filtered by " + s.nameOf(f.Field) }
		}
	}
	return nil
}

func unservedAny(all []Filter) func(*Selection) string {
	for _, one := range all {
		if by := unservedFilter(one); by != nil {
			return by
		}
	}
	return nil
}

// isUnserved reports whether no index has the field's values.
func isUnserved(f *entity.Field) bool { return f.Scanned || f.Expression != "" || f.Computed != nil }

// nameOf is the field's name as the selection's API has it.
func (s *Selection) nameOf(f *entity.Field) string {
	if s.names == nil && s.global && len(f.GraphQL) > 0 {
		return f.GraphQL[0]
	}
	return s.names.NameOf(f)
}

// nameOfEdge is the edge's name as the selection's API has it.
func (s *Selection) nameOfEdge(g *entity.Edge) string {
	if s.names == nil && s.global {
		return g.GraphQL
	}
	return s.names.NameOfEdge(g)
}

// tooLarge says why the list is refused, and what would do instead.
func tooLarge(s *Selection, by func(*Selection) string) error {
	var sorts, filters []string
	for _, f := range s.Entity.Fields {
		if isUnserved(f) || len(f.Roles) > 0 || f.Known {
			continue
		}
		if f.Sort {
			sorts = append(sorts, s.nameOf(f))
		}
		if f.Filter {
			filters = append(filters, s.nameOf(f))
		}
	}
	return problem.New(problem.Invalid, "there are too many %s to be %s, which no index serves: sort by %s, or narrow the list by %s",
		strings.ReplaceAll(s.Entity.Path, "-", " "), by(s), strings.Join(sorts, ", "), strings.Join(filters, ", "))
}
