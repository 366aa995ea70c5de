package failure

import (
	"net/http"

	"github.com/entwine-go/entwine/kit/problem"
)

// answer is what a kind of error becomes.
type answer struct {
	status int
	code   string
}

// answers maps every kind of problem (doc/api/errors.md).
var answers = map[problem.Kind]answer{
	problem.Internal:           {http.StatusInternalServerError, "INTERNAL_ERROR"},
	problem.Invalid:            {http.StatusBadRequest, "VALIDATION_ERROR"},
	problem.Unprocessable:      {http.StatusUnprocessableEntity, "VALIDATION_ERROR"},
	problem.InvalidJSON:        {http.StatusBadRequest, "INVALID_JSON"},
	problem.Unauthenticated:    {http.StatusUnauthorized, "AUTH_REQUIRED"},
	problem.InvalidCredentials: {http.StatusUnauthorized, "INVALID_CREDENTIALS"},
	problem.TokenExpired:       {http.StatusUnauthorized, "TOKEN_EXPIRED"},
	problem.TokenInvalid:       {http.StatusUnauthorized, "TOKEN_INVALID"},
	problem.PaymentDeclined:    {http.StatusPaymentRequired, "PAYMENT_DECLINED"},
	problem.Forbidden:          {http.StatusForbidden, "FORBIDDEN"},
	problem.NotFound:           {http.StatusNotFound, "RESOURCE_NOT_FOUND"},
	problem.MethodNotAllowed:   {http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED"},
	problem.NotAcceptable:      {http.StatusNotAcceptable, "NOT_ACCEPTABLE"},
	problem.RequestTimeout:     {http.StatusRequestTimeout, "REQUEST_TIMEOUT"},
	problem.Conflict:           {http.StatusConflict, "CONFLICT"},
	problem.Duplicate:          {http.StatusConflict, "DUPLICATE_RESOURCE"},
	problem.Gone:               {http.StatusGone, "VERSION_RETIRED"},
	problem.PreconditionFailed: {http.StatusPreconditionFailed, "PRECONDITION_FAILED"},
	problem.TooLarge:           {http.StatusRequestEntityTooLarge, "PAYLOAD_TOO_LARGE"},
	problem.UnsupportedMedia:   {http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE"},
	problem.NotSatisfiable:     {http.StatusRequestedRangeNotSatisfiable, "RANGE_NOT_SATISFIABLE"},
	problem.KeyReused:          {http.StatusUnprocessableEntity, "IDEMPOTENCY_KEY_REUSED"},
	problem.RateLimited:        {http.StatusTooManyRequests, "RATE_LIMIT_EXCEEDED"},
	problem.HeadersTooLarge:    {http.StatusRequestHeaderFieldsTooLarge, "HEADERS_TOO_LARGE"},
	problem.BadGateway:         {http.StatusBadGateway, "BAD_GATEWAY"},
	problem.Unavailable:        {http.StatusServiceUnavailable, "SERVICE_UNAVAILABLE"},
	problem.GatewayTimeout:     {http.StatusGatewayTimeout, "GATEWAY_TIMEOUT"},
}

// answerTo is the answer to a problem: a kind without one is internal.
func answerTo(p *problem.Error) answer {
	if a, ok := answers[p.Kind]; ok {
		return a
	}
	return answers[problem.Internal]
}

// Status is the HTTP status of the problem.
func Status(p *problem.Error) int { return answerTo(p).status }
