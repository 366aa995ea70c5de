package execute

import (
	"context"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/internal/graph/variables"
)

// Write carries out a root mutation, whose arguments are as
// [variables.Arguments] returns them. It returns what the field answers with: a
// [Row], a scalar, a struct or a map of these, or a list.
type Write func(ctx context.Context, arguments map[string]any) (any, error)

// Check panics where a read is of no query, a write is of no mutation, and where a mutation has none
// whose document is below generated/ or called writes.graphql: the others have
// resolvers.
func Check(schema *ast.Schema, writes, reads map[string]Write) {
	for name := range reads {
		if schema.Query.Fields.ForName(name) == nil {
			panic("execute: the schema has no field Query." + name)
		}
	}
	var all ast.FieldList
	if schema.Mutation != nil {
		all = schema.Mutation.Fields
	}
	for name := range writes {
		if all.ForName(name) == nil {
			panic("execute: the schema has no field Mutation." + name)
		}
	}
	for _, f := range all {
		src := f.Position.Src.Name
		if writes[f.Name] == nil && (strings.HasPrefix(src, "generated/") || src == "writes.graphql") {
			panic("execute: " + src + " declares Mutation." + f.Name + ", but nothing carries it out")
		}
	}
}

// carryOut runs a root field that has a write.
func (o *operation) carryOut(ctx context.Context, s *slot) {
	defer o.recover(ctx, s)
	arguments, err := variables.Arguments(o.Schema, s.field.Field, o.planner.Op.Variables)
	if err != nil {
		o.fail(ctx, s, err)
		return
	}
	r := &resolved{operation: o, slot: s}
	ctx = graphql.WithOperationContext(ctx, o.planner.Op) // as gqlgen's resolvers have it
	r.value, r.err = s.write(context.WithValue(ctx, resolvedKey{}, r), arguments)
	o.show(ctx, s, r)
}
