package rest_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/entwine-go/entwine/internal/entity"
	kit "github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/viewer"
)

// random makes lists.
type random struct {
	*rand.Rand
	lists int
}

// list is a query of a caller.
type list struct {
	viewer *viewer.Viewer
	query  query
}

type query struct {
	read.Query
	of        *kit.Entity
	rule      string
	selection *read.Selection
}

func (l list) String() string {
	return fmt.Sprintf("the list of user %d, a %q, of %s where %#v by %v with the rule %s", l.viewer.UserID, l.viewer.Role, l.query.of.Table, l.query.Where, l.query.Sort, l.query.rule)
}

// read reads the list as its caller.
func (l list) read(ctx context.Context, r *read.Reader) (read.Window, error) {
	return r.Rows(viewer.With(ctx, l.viewer), l.query.selection, l.query.Query)
}

func pick[T any](x *random, of ...T) T { return of[x.IntN(len(of))] }

func (x *random) list(people []*viewer.Viewer) list {
	of := *pick(x, entity.Post, entity.Post, entity.Comment)
	if x.IntN(2) == 0 { // else the schema's own
		of.Rules.Read = x.rule(&of, 2)
	}
	q := query{of: &of, selection: read.Select(&of), rule: of.Rules.Read.WordsFor(viewer.Anonymous(), func(column string) string { return column })}
	q.Where = x.filter(&of, 3)
	q.Page = read.Page{Limit: 1 + x.IntN(8), NoPeek: true, Total: x.IntN(3) == 0, Most: read.MostCounted}
	for range x.IntN(3) {
		if f := pick(x, of.Fields...); f.Sort {
			q.Sort = append(q.Sort, kit.Term{Field: f, Desc: x.IntN(2) == 0})
		}
	}
	q.selection.Field("id", of.ID())
	for _, f := range of.Fields {
		if plain(f) && x.IntN(3) == 0 {
			q.selection.Field(f.Name, f)
		}
	}
	for _, e := range of.Edges {
		if x.IntN(4) > 0 {
			continue
		}
		sub := read.Select(e.To)
		sub.Field("id", e.To.ID())
		sub.Field("name", e.To.Fields[1])
		if e.Many {
			q.selection.Many(e.Name, e, sub, read.Query{Page: read.Page{Limit: 1 + x.IntN(3)}}, nil)
		} else {
			q.selection.One(e.Name, e, sub, false)
		}
	}
	return list{pick(x, people...), q}
}

// plain fields are the same for all who read the row.
func plain(f *kit.Field) bool {
	return f.Offers == nil && f.May == nil && !f.Known && f.Roles == nil && f.Computed == nil && f.Own == nil && f.Render == nil
}

// rule is a policy for reading.
func (x *random) rule(of *kit.Entity, depth int) policy.Rule {
	if depth > 0 && x.IntN(2) == 0 {
		a, b := x.rule(of, depth-1), x.rule(of, depth-1)
		switch x.IntN(3) {
		case 0:
			return policy.All(a, b)
		case 1:
			return policy.Any(a, b)
		}
		return policy.Any(policy.Not(a), b)
	}
	common := []policy.Rule{
		policy.Anyone(), policy.SignedIn(), policy.Roles("moderator", "admin"), policy.Owner("author_id"),
		policy.Related("author_id", "users", policy.Is("role", "user")), policy.Null("deleted_at"),
	}
	if of.Table == "posts" {
		common = append(common, policy.Is("published", true), policy.Null("archived_at"), policy.In("category_id", 1, 2),
			policy.Having("id", "comments", "post_id", policy.Owner("author_id")), policy.Less("created_at", "published_at"))
	} else {
		common = append(common, policy.Is("post_id", 3), policy.Related("post_id", "posts", policy.Is("published", true)))
	}
	return pick(x, common...)
}

// filter is a condition over rows, nil for none.
func (x *random) filter(of *kit.Entity, depth int) read.Filter {
	if depth > 0 {
		switch x.IntN(6) {
		case 0:
			return nil
		case 1:
			return read.And{x.filter(of, depth-1), x.filter(of, depth-1)}
		case 2:
			return read.Or{x.filter(of, depth-1), x.filter(of, depth-1)}
		case 3:
			return read.Not{Filter: x.filter(of, depth-1)}
		case 4:
			if e := pick(x, of.Edges...); e.Filter {
				return read.Has{Edge: e, Filter: x.filter(e.To, depth-1)}
			}
		}
	}
	for {
		if c, ok := x.cond(pick(x, of.Fields...)); ok {
			return c
		}
	}
}

// cond compares a field, if lists are filtered by it.
func (x *random) cond(f *kit.Field) (read.Cond, bool) {
	if !f.Filter || !plain(f) {
		return read.Cond{}, false
	}
	if f.Nullable && x.IntN(3) == 0 {
		return read.Cond{Field: f, Op: pick(x, read.IsNull, read.NotNull)}, true
	}
	number := func() int64 { return int64(x.IntN(6)) }
	switch f.Kind {
	case kit.ID, kit.Ref, kit.Int:
		if op := pick(x, read.EQ, read.EQ, read.EQ, read.NEQ, read.In, read.NotIn); op == read.EQ || op == read.NEQ {
			return read.Cond{Field: f, Op: op, Value: number()}, true
		} else if f.Kind != kit.Int {
			return read.Cond{Field: f, Op: op, Value: []int64{number(), number(), number()}}, true
		}
		return read.Cond{Field: f, Op: pick(x, read.GT, read.LTE), Value: number()}, true
	case kit.Bool:
		return read.Cond{Field: f, Op: pick(x, read.EQ, read.NEQ), Value: x.IntN(2) == 0}, true
	case kit.Enum:
		return read.Cond{Field: f, Op: pick(x, read.EQ, read.NEQ), Value: pick(x, f.Values...)}, true
	case kit.String:
		return read.Cond{Field: f, Op: pick(x, read.EQ, read.GTE, read.LT), Value: pick(x, "a", "b3", "c", "e10")}, true
	case kit.Time:
		return read.Cond{Field: f, Op: pick(x, read.GT, read.LTE), Value: now()}, true
	}
	return read.Cond{}, false
}
