package failure

import (
	"context"
	"errors"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/problem"
)

// Refusal is an error about the whole operation.
func Refusal(kind problem.Kind, format string, args ...any) *gqlerror.Error {
	err := gqlerror.Errorf(format, args...)
	err.Extensions = Extensions(kind)
	return err
}

// TooComplex refuses an operation that asks for too much.
func TooComplex(format string, args ...any) *gqlerror.Error {
	return Refusal(problem.TooComplex, format, args...)
}

// CompleteAll completes the errors of an operation that is not run. The place of a
// variable's fault is its declaration.
func CompleteAll(op *graphql.OperationContext, refused gqlerror.List) gqlerror.List {
	for _, err := range refused {
		if len(err.Path) > 1 && err.Path[0] == ast.PathName("variable") && len(err.Locations) == 0 && op != nil && op.Operation != nil {
			name, _ := err.Path[1].(ast.PathName)
			if v := op.Operation.VariableDefinitions.ForName(string(name)); v != nil {
				err.Locations = []gqlerror.Location{{Line: v.Position.Line, Column: v.Position.Column}}
			}
		}
		Complete(err)
	}
	return refused
}

// Complete gives an error about the whole operation, gqlgen's or ours, its
// code and its status.
func Complete(err *gqlerror.Error) {
	err.Message = problem.Cut(withoutValue(err.Message))
	switch {
	case len(err.Path) > 1 && err.Path[0] == ast.PathName("variable"): // no path in a response
		err.Message, err.Path = "variable $"+strings.TrimPrefix(err.Path[1:].String(), ".")+": "+err.Message, nil
	case err.Message == "operation  not found":
		err.Message = "the document has several operations: operationName must name one"
	}
	if err.Extensions == nil {
		err.Extensions = map[string]any{}
	}
	for name, value := range Extensions(problem.NotValid) {
		if _, ok := err.Extensions[name]; !ok { // gqlgen names the code of what it can't parse
			err.Extensions[name] = value
		}
	}
}

// withoutValue takes a value out of what gqlgen says of it: it may be a
// password in a form that passwords don't have.
func withoutValue(message string) string {
	if before, _, ok := strings.Cut(message, " value: "); ok {
		return before + " value"
	}
	if before, _, ok := strings.Cut(message, ", found "); ok {
		return before
	}
	return message
}

// PresentRefusal completes the errors that gqlgen makes itself: of documents
// that it refuses.
func PresentRefusal(_ context.Context, err error) *gqlerror.Error {
	e, ok := errors.AsType[*gqlerror.Error](err)
	if !ok {
		e = gqlerror.Wrap(err)
	}
	Complete(e)
	return e
}

// BadArgument is an argument that gqlgen could not decode.
func BadArgument(err *gqlerror.Error) error {
	path := err.Path
	if len(path) > 0 {
		path = path[1:] // the field itself
	}
	message := err.Message
	if err.Err != nil {
		message = err.Err.Error()
	}
	name := strings.TrimPrefix(path.String(), ".")
	return problem.Inputs(problem.Invalidf(name, nil, "%s", message))
}
