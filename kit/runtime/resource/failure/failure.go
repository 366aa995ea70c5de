package rest

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ogen-go/ogen/ogenerrors"
	"github.com/ogen-go/ogen/validate"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/requestid"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/kit/runtime/resource/represent"
	"github.com/entwine-go/entwine/kit/runtime/store"
)

// answer is what a kind of error becomes.
type answer struct {
	status int
	code   string
}

// answers maps every kind of error (doc/api/errors.md). This is the
// border: whatever is not a problem.Error is internal.
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
	problem.KeyReused:          {http.StatusUnprocessableEntity, "IDEMPOTENCY_KEY_REUSED"},
	problem.RateLimited:        {http.StatusTooManyRequests, "RATE_LIMIT_EXCEEDED"},
	problem.HeadersTooLarge:    {http.StatusRequestHeaderFieldsTooLarge, "HEADERS_TOO_LARGE"},
	problem.BadGateway:         {http.StatusBadGateway, "BAD_GATEWAY"},
	problem.Unavailable:        {http.StatusServiceUnavailable, "SERVICE_UNAVAILABLE"},
	problem.GatewayTimeout:     {http.StatusGatewayTimeout, "GATEWAY_TIMEOUT"},
}

// failed is where all errors of REST end: ogen's, the handlers', our own.
func (a *api) failed(ctx context.Context, w http.ResponseWriter, r *http.Request, err error) {
	if x := door.From(ctx); x != nil {
		x.Failure = err
	}
	err = a.translate(ctx, r, err)
	if p := problem.As(err); p == nil || p.Kind == problem.Internal || p.Err != nil && answers[p.Kind].status >= 500 {
		a.log.ErrorContext(ctx, "request failed", "operation", operation(ctx), "err", err)
	}
	WriteError(w, r, err)
}

// operation is the operationId of the request, for the log.
func operation(ctx context.Context) string {
	if x := door.From(ctx); x != nil {
		return x.Operation
	}
	return ""
}

// translate turns what ogen, the context and the database say into what a
// client may read, where it may.
func (a *api) translate(ctx context.Context, r *http.Request, err error) error {
	if errors.Is(err, reading.ErrCursor) { // which doesn't know what REST calls the cursor
		return problem.Inputs(problem.Invalidf("cursor", r.URL.Query().Get("cursor"), "%s", reading.ErrCursor.Message))
	}
	if problem.As(err) != nil {
		return err
	}
	if p := problem.As(context.Cause(ctx)); ctx.Err() != nil && p != nil {
		return problem.Wrap(errors.Join(p.Err, err), p.Kind, "%s", p.Message)
	}
	var (
		params *ogenerrors.DecodeParamsError
		body   *ogenerrors.DecodeRequestError
		media  *validate.InvalidContentTypeError
	)
	switch {
	case errors.As(err, &params):
		return a.schemas.params(door.From(ctx), params)
	case errors.As(err, &media):
		return problem.New(problem.UnsupportedMedia, "%s is not taken here: application/json is", media.ContentType)
	case errors.As(err, &body):
		return a.schemas.body(door.From(ctx), body)
	}
	return store.Problem(err)
}

// WriteError writes an error as REST shows it: in the structured envelope, or
// as RFC 9457 has it where the request asks for that.
func WriteError(w http.ResponseWriter, r *http.Request, err error) {
	p := problem.As(err)
	if p == nil || p.Kind == problem.Internal {
		p = problem.New(problem.Internal, "an internal error occurred")
	}
	at, ok := answers[p.Kind]
	if !ok {
		at = answers[problem.Internal]
	}
	h := w.Header()
	for _, name := range []string{"Etag", "Last-Modified", "Link", "Location", "Content-Length"} {
		h.Del(name) // of the answer that failed on its way
	}
	h.Set("Cache-Control", "no-store")
	h["X-Api-Version"] = version
	if !slices.Contains(h["Vary"], "Accept") {
		h.Add("Vary", "Accept")
	}
	if p.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(int((p.RetryAfter+time.Second-1)/time.Second)))
	}
	if at.status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", challenge(p))
	}
	media, ok := represent.Negotiate(r.Header["Accept"], failures)
	if !ok {
		media = represent.JSON // an error in no form that was asked for is better than none
	}
	var body any = envelope(r, p, at)
	if media == represent.Problem {
		body = problemDetails(r, p, at)
	}
	text, err := json.Marshal(body)
	if err != nil {
		slog.ErrorContext(r.Context(), "write error", "err", err)
		text = []byte(`{"status":"error","error":{"code":"INTERNAL_ERROR","message":"an internal error occurred"}}`)
	}
	if represent.Converts(media) {
		text = represent.Append(nil, media, text, nil)
	}
	h.Set("Content-Type", represent.ContentType(media))
	h.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(at.status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(text) // the client may be gone
	}
}

// challenge is how to authenticate (RFC 6750).
func challenge(p *problem.Error) string {
	switch p.Kind {
	case problem.TokenExpired, problem.TokenInvalid:
		return `Bearer realm="entwine", error="invalid_token", error_description="` + strings.ReplaceAll(p.Message, `"`, `'`) + `"`
	}
	return `Bearer realm="entwine"`
}

type errorBody struct {
	Status string      `json:"status"`
	Error  errorMember `json:"error"`
}

type errorMember struct {
	Code      string   `json:"code"`
	Message   string   `json:"message"`
	Details   []detail `json:"details,omitempty"`
	Timestamp string   `json:"timestamp,omitempty"`
	Path      string   `json:"path,omitempty"`
	RequestID string   `json:"request_id,omitempty"`
}

type detail struct {
	Field   string           `json:"field"`
	Message string           `json:"message"`
	Value   *json.RawMessage `json:"value,omitempty"`
}

// envelope is the structured envelope. An internal error says no more than
// what the people who run the service need to find it.
func envelope(r *http.Request, p *problem.Error, at answer) errorBody {
	e := errorMember{Code: at.code, Message: p.Message, Details: details(p), RequestID: requestid.From(r.Context())}
	if p.Kind != problem.Internal {
		e.Timestamp = now()
		e.Path = r.URL.Path
	}
	return errorBody{Status: "error", Error: e}
}

func details(p *problem.Error) []detail {
	var list []detail
	for _, d := range p.Details {
		one := detail{Field: d.Field, Message: d.Message}
		if d.Echo {
			if text, err := json.Marshal(d.Value); err == nil {
				one.Value = (*json.RawMessage)(&text)
			}
		}
		list = append(list, one)
	}
	return list
}

// problemBody is RFC 9457's.
type problemBody struct {
	Type      string   `json:"type"`
	Title     string   `json:"title"`
	Status    int      `json:"status"`
	Detail    string   `json:"detail,omitempty"`
	Instance  string   `json:"instance,omitempty"`
	Code      string   `json:"code"`
	Details   []detail `json:"details,omitempty"`
	Timestamp string   `json:"timestamp,omitempty"`
	RequestID string   `json:"request_id,omitempty"`
}

func problemDetails(r *http.Request, p *problem.Error, at answer) problemBody {
	b := problemBody{
		Type: "about:blank", Title: http.StatusText(at.status), Status: at.status,
		Detail: p.Message, Code: at.code, Details: details(p), RequestID: requestid.From(r.Context()),
	}
	if p.Kind != problem.Internal {
		b.Timestamp = now()
		b.Instance = r.URL.Path
	}
	return b
}

func now() string { return time.Now().UTC().Format("2006-01-02T15:04:05.000000Z07:00") }
