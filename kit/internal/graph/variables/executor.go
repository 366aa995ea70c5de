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
	return op, gqlerror.List{inOurWords(e.Schema, op.Operation, p.Variables, refused[0])}
}

// inOurWords says what is wrong with a variable in the words of GraphQL's types.
// Other errors stay as they are.
func inOurWords(schema *ast.Schema, op *ast.OperationDefinition, given map[string]any, refused *gqlerror.Error) *gqlerror.Error {
	if len(refused.Path) == 0 || refused.Path[0] != ast.PathName("variable") {
		return refused
	}
	if _, err := Coerce(schema, op, given); err != nil {
		return err
	}
	return refused
}

// Given are the variables of an operation, with the defaults of the document, as
// [Executor] has them: [Coerce] is still to come.
func Given(schema *ast.Schema, op *ast.OperationDefinition, given map[string]any) (map[string]any, *gqlerror.Error) {
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
