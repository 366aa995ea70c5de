package variables

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Executor is gqlgen's executor, which says in the words of GraphQL's types
// what is wrong with variables: gqlparser, which it asks first, names Go's.
type Executor struct {
	graphql.GraphExecutor
	Schema *ast.Schema
}

// CreateOperationContext implements graphql.GraphExecutor.
func (e Executor) CreateOperationContext(ctx context.Context, p *graphql.RawParams) (*graphql.OperationContext, gqlerror.List) {
	op, refused := e.GraphExecutor.CreateOperationContext(ctx, p)
	if len(refused) != 1 || len(refused[0].Path) == 0 || refused[0].Path[0] != ast.PathName("variable") || op == nil || op.Operation == nil {
		return op, refused
	}
	if _, err := Coerce(e.Schema, op.Operation, p.Variables); err != nil {
		return op, gqlerror.List{err}
	}
	return op, refused
}
