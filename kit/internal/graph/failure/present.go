package failure

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/requestid"
	"github.com/entwine-go/entwine/kit/store"
)

// positioned is an error at a field of the document.
type positioned struct {
	error
	at *ast.Position
	// argument: it is about the field's arguments.
	argument bool
}

// Unwrap returns the error itself.
func (p positioned) Unwrap() error { return p.error }

// At notes the field that an error belongs to, unless one nearer to it has.
func At(f graphql.CollectedField, err error) error {
	if _, known := errors.AsType[positioned](err); known || err == nil {
		return err
	}
	return positioned{error: err, at: f.Position}
}

// Argument is [At] of an error about the field's arguments, which is reported once for
// the field of the document, not for each row.
func Argument(f graphql.CollectedField, err error) error {
	return positioned{error: err, at: f.Position, argument: true}
}

// Presenter turns errors of fields into what clients may read of them.
type Presenter struct{ Log *slog.Logger }

// Present returns what a client may read of an error. A fault of the service is
// logged with its cause and the request's id, and what is not a [problem.Error]
// is masked.
func (p *Presenter) Present(ctx context.Context, err error, path ast.Path) *gqlerror.Error {
	out := &gqlerror.Error{Err: err, Path: path}
	if place, ok := errors.AsType[positioned](err); ok {
		out.Locations = []gqlerror.Location{{Line: place.at.Line, Column: place.at.Column}}
	}
	told := store.Problem(err)
	if problem.Fault(told) {
		p.log(ctx, err, path)
	}
	out.Message, out.Extensions = Shown(ctx, told)
	return out
}

// Shown is the message and the extensions that a client may read of an error. Any
// but a [problem.Error] is masked.
func Shown(ctx context.Context, err error) (string, map[string]any) {
	known := problem.As(err)
	if known == nil || known.Kind == problem.Internal {
		extensions := Extensions(problem.Internal)
		extensions["request_id"] = requestid.From(ctx)
		return "internal error", extensions
	}
	extensions := Extensions(known.Kind)
	if len(known.Details) > 0 {
		extensions["fields"] = Inputs(known.Details)
	}
	if known.RetryAfter > 0 {
		extensions["retryAfter"] = known.Seconds()
	}
	return Message(known), extensions
}

// Message is that of the problem, which begins with what was found first: many
// clients show the message alone.
func Message(p *problem.Error) string {
	if p.Message != problem.InputInvalid || len(p.Details) == 0 {
		return p.Message
	}
	text := p.Details[0].Message
	if field := p.Details[0].Field; field != "" {
		text = field + ": " + text
	}
	if more := len(p.Details) - 1; more > 0 {
		text += fmt.Sprintf(" (and %d more)", more)
	}
	return text
}

// Input is an input that is refused.
type Input struct {
	Field   string `json:"field"`
	Message string `json:"message"`
	Value   any    `json:"value,omitempty"`
}

// Inputs are the inputs that the details are about.
func Inputs(details []problem.Detail) []Input {
	all := make([]Input, len(details))
	for i, d := range details {
		all[i] = Input{Field: d.Field, Message: d.Message}
		if d.Echo {
			all[i].Value = d.Value
		}
	}
	return all
}

// log records a fault, but for one that the client caused by going away:
// PostgreSQL calls a statement that was cancelled for it one that took too long.
func (p *Presenter) log(ctx context.Context, err error, path ast.Path) {
	if gone := errors.Is(ctx.Err(), context.Canceled); gone && (errors.Is(err, context.Canceled) || problem.KindOf(store.Problem(err)) == problem.Unavailable) {
		return
	}
	p.Log.ErrorContext(ctx, "graphql field failed",
		slog.String("path", path.String()), slog.Any("err", err), slog.String("request_id", requestid.From(ctx)))
}

// ErrPanicked says that a resolver panicked. The panic itself is logged where
// it was recovered.
var ErrPanicked = errors.New("the resolver panicked")

// Recovered logs a panic of a resolver.
func (p *Presenter) Recovered(ctx context.Context, r any) error {
	p.Log.ErrorContext(ctx, "graphql resolver panicked", slog.Any("panic", r), slog.String("stack", string(debug.Stack())))
	return ErrPanicked
}
