package handler

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/entwine-go/entwine/kit/graph/execute"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/write"
)

// Mark marks the row that an argument names, by the verb. It answers with the
// flag, the count and the address that the declaration says, and with the row.
func Mark(e *write.Entity, verb string) Mutation {
	return mark(e, verb, policy.Create, func(ctx context.Context, d *Door, c write.Call, m *write.Mark) (int64, error) {
		marked, err := d.Engine.Mark(ctx, c, m)
		return marked.Count, err
	})
}

// Unmark takes the caller's mark back.
func Unmark(e *write.Entity, verb string) Mutation {
	return mark(e, verb, policy.Delete, func(ctx context.Context, d *Door, c write.Call, m *write.Mark) (int64, error) {
		return 0, d.Engine.Unmark(ctx, c, m)
	})
}

func mark(e *write.Entity, verb, does string, run func(context.Context, *Door, write.Call, *write.Mark) (int64, error)) Mutation {
	m := e.Marks[slices.IndexFunc(e.Marks, func(m *write.Mark) bool { return m.Verb == verb })]
	argument := camel(e.Singular) + "Id"
	return func(d *Door, name string) execute.Write {
		return func(ctx context.Context, given map[string]any) (any, error) {
			a := arguments(given)
			id, err := a.id(ctx, m.Of.Entity, does, argument, e.Entity)
			if err != nil {
				return nil, err
			}
			o, err := d.keep(ctx, a.call(name, e.Entity, ""), func(ctx context.Context) (o outcome, err error) {
				count, err := run(ctx, d, write.Call{Entity: e, ID: id, Input: a.flat(argument)}, m)
				if err != nil {
					return o, err
				}
				o.Body, err = json.Marshal(count)
				return o, err
			})
			if err != nil {
				return nil, problem.Retold(err, func(d problem.Detail) problem.Detail {
					if d.Field == "id" {
						d.Field = argument
					}
					return d
				})
			}
			var count int64
			if err := json.Unmarshal(o.Body, &count); err != nil {
				return nil, fmt.Errorf("read what %s came to: %w", name, err)
			}
			return map[string]any{
				camel(m.Said): does == policy.Create, m.Count.GraphQL[0]: count,
				"url": d.Links.Row(e.Entity, id), camel(e.Singular): execute.Row{Entity: e.Entity, ID: id},
			}, nil
		}
	}
}
