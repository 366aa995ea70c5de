package handler

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gen/openapi"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
)

// Exchange is a request and what is known of it before its handler runs.
// ogen's handlers get a context and no request, so it travels there.
type Exchange struct {
	Request *http.Request
	// Header is the answer's.
	Header http.Header
	// Prefix is where the request's path begins, "/api/v1" or "/api", and Base where
	// the paths of links do: in the version of the answer.
	Prefix, Base string
	// Operation is the operationId.
	Operation string
	// Former is when the path ends that the request has, nil where the operation has
	// that path now.
	Former *openapi.Former
	// Media is the media type that the answer will have. Handlers make JSON,
	// which is turned into it on its way out.
	Media string
	// Columns are those of the answer as CSV, nil where they are to be found
	// in the answer.
	Columns []string
	// Version is the request's version, with its names and envelopes.
	Version *apiversion.Served
	// Translate, if there is one, makes of a body that was made by hand, in the
	// names of the first version, one of this version.
	Translate func(status int, body []byte) []byte
	// Translated is set when the body has been.
	Translated bool
	// Done is the message after a DELETE, in versions that have one.
	Done string
	// Read is the entity that the caller is known to be let read, nil if that
	// has not been asked.
	Read *entity.Entity
	// Body is the body as it was read, empty where there was none.
	Body []byte
	// Outcome is the part of the answer from which a repetition with the same
	// Idempotency-Key is answered. The [Door] sets the row; a handler with another
	// answer sets the rest.
	Outcome idempotency.Outcome
	once    []Once
	// parameters are those of the path, and values what it gives them.
	parameters []string
	values     []string
	room       [2]string
	// Failure is the handler's error.
	Failure error
}

// Path is the request's path as the document has it, below the base.
func (x *Exchange) Path() string { return strings.TrimPrefix(x.Request.URL.Path, x.Prefix) }

// kept is the exchange of a stream. It keeps the method and the URL of its request, so
// that the rest can be collected while the stream goes on.
func (x *Exchange) kept() *Exchange {
	slim := *x
	slim.Request, slim.Header, slim.Body = &http.Request{Method: x.Request.Method, URL: x.Request.URL}, nil, nil
	slim.values = append([]string(nil), x.values...) // they may be in x.room
	return &slim
}

// linked is the request's path as a link, escaped.
func (x *Exchange) linked() string {
	return x.Base + strings.TrimPrefix(x.Request.URL.EscapedPath(), x.Prefix)
}

// Handler answers an operation.
type Handler func(ctx context.Context, w http.ResponseWriter) error

// SetPath sets the values of the path's parameters. A slice for the values is
// [Exchange.Room].
func (x *Exchange) SetPath(parameters, values []string) { x.parameters, x.values = parameters, values }

// Room is an empty slice that the values of a path fit in.
func (x *Exchange) Room() []string { return x.room[:0] }

// PathValue is the parameter's value in the path.
func (x *Exchange) PathValue(parameter string) string {
	if i := slices.Index(x.parameters, parameter); i >= 0 {
		return x.values[i]
	}
	return ""
}

// PathOf is a path of the document with the request's values of its parameters,
// ids as integers.
func (x *Exchange) PathOf(template string) string {
	for i, name := range x.parameters {
		template = strings.Replace(template, "{"+name+"}", url.PathEscape(x.values[i]), 1)
	}
	return template
}

// PlainPath is [Exchange.PathOf] without escapes.
func (x *Exchange) PlainPath(template string) string {
	for i, name := range x.parameters {
		template = strings.Replace(template, "{"+name+"}", x.values[i], 1)
	}
	return template
}

// SetPathValue sets the value of a path's parameter, in the first version's form.
func (x *Exchange) SetPathValue(parameter, value string) {
	if i := slices.Index(x.parameters, parameter); i >= 0 {
		x.values[i] = value
	}
}

// translated is a body that was made by hand as the version has it.
func (x *Exchange) translated(status int, body []byte) []byte {
	if x.Translate == nil {
		return body
	}
	x.Translated = true
	return x.Translate(status, body)
}

// PathID is the path's value of a parameter that is an integer id. It has been checked.
func (x *Exchange) PathID(parameter string) gid.ID {
	id, _ := strconv.ParseInt(x.PathValue(parameter), 10, 64)
	return gid.Int(id)
}

// RowID is the path's value of a parameter that is the id of a row of the entity. It has
// been checked.
func (x *Exchange) RowID(e *entity.Entity, parameter string) gid.ID {
	id, _ := e.IDs().Form.Plain(x.PathValue(parameter))
	return id
}

type exchangeKey struct{}

// With returns a context that carries the exchange.
func With(ctx context.Context, x *Exchange) context.Context {
	return context.WithValue(ctx, exchangeKey{}, x)
}

// From returns the context's exchange. There is one in every handler.
func From(ctx context.Context) *Exchange {
	x, _ := ctx.Value(exchangeKey{}).(*Exchange)
	return x
}

// Admit returns nil if the viewer can read some row of the entity.
func (x *Exchange) Admit(ctx context.Context, e *entity.Entity) error {
	if x.Read == e {
		return nil
	}
	return Guard{Entity: e}.Check(ctx)
}

// prefers reports whether the request asks for the preference (RFC 7240).
func (x *Exchange) prefers(preference string) bool {
	for _, header := range x.Request.Header.Values("Prefer") {
		if hasToken(header, preference) {
			return true
		}
	}
	return false
}
