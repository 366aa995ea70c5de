package execute

import (
	"context"
	"errors"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/internal/graph/failure"
	"github.com/entwine-go/entwine/kit/internal/graph/prepared"
	"github.com/entwine-go/entwine/kit/problem"
)

// KeyArgument is the argument that makes repeating a mutation safe.
const KeyArgument = "idempotencyKey"

// keyOf is the verbatim key in the request's header Idempotency-Key, which the
// operation's mutation uses as if it were its argument. It refuses operations without
// exactly one mutation that takes a key, and a mutation whose argument is another key.
func (e *Executor) keyOf(op *graphql.OperationContext) (string, *gqlerror.Error) {
	values := op.Headers["Idempotency-Key"]
	if len(values) == 0 {
		return "", nil
	}
	if err := e.takesKey(op, values); err != nil {
		return "", refusedKey(err)
	}
	return values[0], nil
}

// takesKey says why the operation does not take the key in the header's values.
func (e *Executor) takesKey(op *graphql.OperationContext, values []string) error {
	key, err := idempotency.ParseKey(values)
	if err != nil {
		return err
	}
	fields := e.mutations(op)
	if len(fields) != 1 {
		return problem.New(problem.Invalid, "Idempotency-Key is for documents with one mutation, and this one has %d", len(fields))
	}
	f := fields[0]
	if f.Definition.Arguments.ForName(KeyArgument) == nil {
		return problem.New(problem.Invalid, "Idempotency-Key is not for %s, which has no %s", f.Name, KeyArgument)
	}
	if named, ok := f.ArgumentMap(op.Variables)[KeyArgument].(string); ok {
		if same, err := idempotency.ParseKey([]string{named}); err != nil || same != key {
			return problem.New(problem.Invalid, "Idempotency-Key and the argument %s differ", KeyArgument)
		}
	}
	return nil
}

// keyError is the fault of the key in a header.
type keyError struct{ error }

// Unwrap returns the error itself.
func (e keyError) Unwrap() error { return e.error }

// refusedKey is the refusal of an operation whose request has a bad key.
func refusedKey(err error) *gqlerror.Error {
	p := problem.As(err)
	shown := failure.Refusal(p.Kind, "%s", failure.Message(p))
	shown.Err = keyError{err}
	return shown
}

// ForKey reports whether an operation is refused for the key in a header, and
// not for its document.
func ForKey(refused gqlerror.List) bool {
	_, ok := errors.AsType[keyError](refused[0])
	return ok
}

// mutations are the operation's.
func (e *Executor) mutations(op *graphql.OperationContext) []graphql.CollectedField {
	if op.Operation.Operation != ast.Mutation {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(e.Fields(op)), func(f graphql.CollectedField) bool { return f.Name == "__typename" })
}

// keyed is the field with the key that the request brings.
func keyed(op *graphql.OperationContext, f graphql.CollectedField) graphql.CollectedField {
	o := prepared.Of(op)
	if o == nil || o.Key == "" || f.Definition.Arguments.ForName(KeyArgument) == nil {
		return f
	}
	field := *f.Field
	field.Arguments = slices.DeleteFunc(slices.Clone(f.Arguments), func(a *ast.Argument) bool { return a.Name == KeyArgument })
	field.Arguments = append(field.Arguments, &ast.Argument{
		Name: KeyArgument, Position: f.Position, Value: &ast.Value{Kind: ast.StringValue, Raw: o.Key, Position: f.Position},
	})
	f.Field = &field
	return f
}

// Replay notes that a mutation was carried out before.
func Replay(ctx context.Context) {
	if r, ok := ctx.Value(resolvedKey{}).(*resolved); ok {
		r.replayed = true
	}
}

// noteReplay remembers it where the operation has no other mutation.
func (o *operation) noteReplay() {
	if p := o.planner.Prepared; p != nil && len(o.mutations(o.planner.Op)) == 1 {
		p.Replayed = true
	}
}

// Replayed reports whether the operation's one mutation was carried out before.
func Replayed(op *graphql.OperationContext) bool {
	o := prepared.Of(op)
	return o != nil && o.Replayed
}
