package variables

import (
	"context"
	"errors"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator"
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
	if len(refused) != 1 || op == nil || op.Operation == nil {
		return op, refused
	}
	return op, inOurWords(e.Schema, op.Operation, p.Variables, refused[0])
}

// inOurWords says what is wrong with all variables in the words of GraphQL's types,
// where gqlparser has refused one. Other errors stay unchanged.
func inOurWords(schema *ast.Schema, op *ast.OperationDefinition, given map[string]any, refused *gqlerror.Error) gqlerror.List {
	if len(refused.Path) > 0 && refused.Path[0] == ast.PathName("variable") {
		if _, all := Coerce(schema, op, given); all != nil {
			return all
		}
	}
	return gqlerror.List{refused}
}

// Given are the variables of an operation, with the defaults of the document, as
// [Executor] has them: [Coerce] is still to come.
func Given(schema *ast.Schema, op *ast.OperationDefinition, given map[string]any) (map[string]any, gqlerror.List) {
	if len(op.VariableDefinitions) == 0 {
		return nil, nil
	}
	all, err := validator.VariableValues(schema, op, given)
	if refused, ok := errors.AsType[*gqlerror.Error](err); ok {
		errcode.Set(refused, errcode.ValidationFailed)
		return nil, inOurWords(schema, op, given, refused)
	}
	return all, nil
}
