package gql

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/requestid"
	"github.com/entwine-go/entwine/kit/runtime/store"
)

// code is what a kind of problem is called in extensions (doc/api/errors.md).
type code struct {
	name   string
	status int
}

var codes = map[problem.Kind]code{
	problem.Internal:           {"INTERNAL_SERVER_ERROR", http.StatusInternalServerError},
	problem.Invalid:            {"BAD_USER_INPUT", http.StatusBadRequest},
	problem.Unprocessable:      {"BAD_USER_INPUT", http.StatusUnprocessableEntity},
	problem.InvalidJSON:        {"BAD_USER_INPUT", http.StatusBadRequest},
	problem.Unauthenticated:    {"UNAUTHENTICATED", http.StatusUnauthorized},
	problem.InvalidCredentials: {"INVALID_CREDENTIALS", http.StatusUnauthorized},
	problem.TokenExpired:       {"TOKEN_EXPIRED", http.StatusUnauthorized},
	problem.TokenInvalid:       {"UNAUTHENTICATED", http.StatusUnauthorized},
	problem.PaymentDeclined:    {"PAYMENT_DECLINED", http.StatusPaymentRequired},
	problem.Forbidden:          {"FORBIDDEN", http.StatusForbidden},
	problem.NotFound:           {"NOT_FOUND", http.StatusNotFound},
	problem.MethodNotAllowed:   {"METHOD_NOT_ALLOWED", http.StatusMethodNotAllowed},
	problem.NotAcceptable:      {"NOT_ACCEPTABLE", http.StatusNotAcceptable},
	problem.RequestTimeout:     {"REQUEST_TIMEOUT", http.StatusRequestTimeout},
	problem.Conflict:           {"CONFLICT", http.StatusConflict},
	problem.Duplicate:          {"DUPLICATE_RESOURCE", http.StatusConflict},
	problem.Gone:               {"VERSION_RETIRED", http.StatusGone},
	problem.PreconditionFailed: {"PRECONDITION_FAILED", http.StatusPreconditionFailed},
	problem.TooLarge:           {"PAYLOAD_TOO_LARGE", http.StatusRequestEntityTooLarge},
	problem.UnsupportedMedia:   {"UNSUPPORTED_MEDIA_TYPE", http.StatusUnsupportedMediaType},
	problem.KeyReused:          {"IDEMPOTENCY_KEY_REUSED", http.StatusUnprocessableEntity},
	problem.RateLimited:        {"RATE_LIMIT_EXCEEDED", http.StatusTooManyRequests},
	problem.HeadersTooLarge:    {"HEADERS_TOO_LARGE", http.StatusRequestHeaderFieldsTooLarge},
	problem.BadGateway:         {"BAD_GATEWAY", http.StatusBadGateway},
	problem.Unavailable:        {"SERVICE_UNAVAILABLE", http.StatusServiceUnavailable},
	problem.GatewayTimeout:     {"GATEWAY_TIMEOUT", http.StatusGatewayTimeout},
}

// positioned is an error at a field of the document.
type positioned struct {
	error
	at *ast.Position
}

// Unwrap returns the error itself.
func (p positioned) Unwrap() error { return p.error }

// at notes the field that an error belongs to, unless one nearer to it has.
func at(f graphql.CollectedField, err error) error {
	if _, known := errors.AsType[positioned](err); known || err == nil {
		return err
	}
	return positioned{err, f.Position}
}

// present turns an error into what a client may read of it. What is not a
// [problem.Error] is logged with the request's id and masked.
func (h *handler) present(ctx context.Context, err error, path ast.Path) *gqlerror.Error {
	out := &gqlerror.Error{Err: err, Path: path}
	if place, ok := errors.AsType[positioned](err); ok {
		out.Locations = []gqlerror.Location{{Line: place.at.Line, Column: place.at.Column}}
	}
	p := problem.As(store.Problem(err))
	if p == nil || p.Kind == problem.Internal {
		h.log(ctx, err, path)
		out.Message = "internal error"
		out.Extensions = extensions(problem.Internal)
		out.Extensions["request_id"] = requestid.From(ctx)
		return out
	}
	out.Message = p.Message
	out.Extensions = extensions(p.Kind)
	if len(p.Details) > 0 {
		out.Extensions["fields"] = fields(p.Details)
	}
	if p.RetryAfter > 0 {
		out.Extensions["retryAfter"] = int(p.RetryAfter.Seconds())
	}
	return out
}

func extensions(kind problem.Kind) map[string]any {
	c := codes[kind]
	return map[string]any{"code": c.name, "status": c.status}
}

// field is a failing input.
type field struct {
	Field   string `json:"field"`
	Message string `json:"message"`
	Value   any    `json:"value,omitempty"`
}

func fields(details []problem.Detail) []field {
	all := make([]field, len(details))
	for i, d := range details {
		all[i] = field{Field: d.Field, Message: d.Message}
		if d.Echo {
			all[i].Value = d.Value
		}
	}
	return all
}

// log records an internal error, but for one that the client caused by going away.
func (h *handler) log(ctx context.Context, err error, path ast.Path) {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return
	}
	h.Logger.ErrorContext(ctx, "graphql field failed",
		slog.String("path", path.String()), slog.Any("err", err), slog.String("request_id", requestid.From(ctx)))
}

// refusedAs completes what is said of an operation that is not run. What is
// wrong with a variable stands where that is declared.
func refusedAs(op *graphql.OperationContext, refused gqlerror.List) gqlerror.List {
	for _, err := range refused {
		if len(err.Path) > 1 && err.Path[0] == ast.PathName("variable") && len(err.Locations) == 0 && op != nil && op.Operation != nil {
			name, _ := err.Path[1].(ast.PathName)
			if v := op.Operation.VariableDefinitions.ForName(string(name)); v != nil {
				err.Locations = []gqlerror.Location{{Line: v.Position.Line, Column: v.Position.Column}}
			}
		}
		complete(err)
	}
	return refused
}

// complete gives an error about the whole operation, gqlgen's or ours, its
// code and its status.
func complete(err *gqlerror.Error) {
	err.Message = withoutValue(err.Message)
	switch {
	case len(err.Path) > 1 && err.Path[0] == ast.PathName("variable"): // no path in a response
		err.Message, err.Path = "variable $"+strings.TrimPrefix(err.Path[1:].String(), ".")+": "+err.Message, nil
	case err.Message == "operation  not found":
		err.Message = "the document has several operations: operationName must name one"
	}
	if err.Extensions == nil {
		err.Extensions = map[string]any{}
	}
	if _, ok := err.Extensions["code"]; !ok {
		err.Extensions["code"] = "GRAPHQL_VALIDATION_FAILED"
	}
	if _, ok := err.Extensions["status"]; !ok {
		err.Extensions["status"] = http.StatusBadRequest
	}
}

// withoutValue takes a value out of what gqlgen says of it: it may be a
// password in a form that passwords don't have.
func withoutValue(message string) string {
	if i := strings.Index(message, " value: "); i >= 0 {
		return message[:i] + " value"
	}
	if before, _, ok := strings.Cut(message, ", found "); ok {
		return before
	}
	return message
}

// badArgument is an argument that gqlgen could not decode.
func badArgument(err *gqlerror.Error) error {
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

// plainInputs names the inputs of a mutation that takes them as arguments of
// its own, and not in an input object.
func plainInputs(err error) error {
	return problem.Retold(err, func(d problem.Detail) problem.Detail {
		d.Field = strings.TrimPrefix(d.Field, "input.")
		return d
	})
}

// concerns reports whether an error is about the input alone.
func concerns(err error, input string) bool {
	p := problem.As(err)
	return p != nil && len(p.Details) == 1 && p.Details[0].Field == input
}
