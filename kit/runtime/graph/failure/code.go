package failure

import (
	"net/http"
	"slices"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/problem"
)

// Code is what a kind of problem is called in extensions, and its HTTP status.
type Code struct {
	Name   string
	Status int
}

// CodeOf returns the code of a kind.
func CodeOf(kind problem.Kind) Code { return codes[kind] }

// Extensions are those of an error of the kind.
func Extensions(kind problem.Kind) map[string]any {
	c := codes[kind]
	return map[string]any{"code": c.Name, "status": c.Status}
}

// Faulty reports whether one of the errors is the service's own, and none of
// the client's.
func Faulty(errs gqlerror.List) bool {
	return slices.ContainsFunc(errs, func(err *gqlerror.Error) bool {
		status, ok := err.Extensions["status"].(int)
		return ok && status >= http.StatusInternalServerError
	})
}

var codes = map[problem.Kind]Code{
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
	problem.NotSatisfiable:     {"RANGE_NOT_SATISFIABLE", http.StatusRequestedRangeNotSatisfiable},
	problem.KeyReused:          {"IDEMPOTENCY_KEY_REUSED", http.StatusUnprocessableEntity},
	problem.RateLimited:        {"RATE_LIMIT_EXCEEDED", http.StatusTooManyRequests},
	problem.HeadersTooLarge:    {"HEADERS_TOO_LARGE", http.StatusRequestHeaderFieldsTooLarge},
	problem.BadGateway:         {"BAD_GATEWAY", http.StatusBadGateway},
	problem.Unavailable:        {"SERVICE_UNAVAILABLE", http.StatusServiceUnavailable},
	problem.GatewayTimeout:     {"GATEWAY_TIMEOUT", http.StatusGatewayTimeout},
}
