package wire

import (
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/internal/graph/failure"
	"github.com/entwine-go/entwine/kit/internal/graph/response"
	"github.com/entwine-go/entwine/kit/problem"
)

// The media types of GraphQL over HTTP.
const (
	mediaJSON     = "application/json"
	mediaResponse = "application/graphql-response+json"
)

// refuse answers a request that is not GraphQL over HTTP.
func refuse(w http.ResponseWriter, r *http.Request, p *problem.Error) {
	err := &gqlerror.Error{Message: p.Message, Extensions: failure.Extensions(p.Kind)}
	write(w, r, p.Kind.Answer().Status, &graphql.Response{Errors: gqlerror.List{err}})
}

// answer writes the response to a well-formed request: with 200 as plain
// JSON, and with the status of what went wrong as a GraphQL response.
func answer(w http.ResponseWriter, r *http.Request, res *graphql.Response) {
	status := http.StatusOK
	if len(res.Errors) > 0 && accepted(r) == mediaResponse && (res.Data == nil || string(res.Data) == "null") {
		if code, ok := res.Errors[0].Extensions["status"].(int); ok {
			status = code
		}
	}
	write(w, r, status, res)
}

// accepted is the media type of the answer.
func accepted(r *http.Request) string {
	if strings.Contains(r.Header.Get("Accept"), mediaResponse) {
		return mediaResponse
	}
	return mediaJSON
}

// write writes the response. Where nothing was run there is no data in a
// GraphQL response, and null in plain JSON.
func write(w http.ResponseWriter, r *http.Request, status int, res *graphql.Response) {
	room := buffers.Get().(*buffer)
	body, media := room.bytes[:0], accepted(r)
	if res.Data == nil && media == mediaResponse {
		body = response.AppendErrors(body, res.Errors)
	} else {
		body = response.Append(r.Context(), body, res)
	}
	h := w.Header()
	h["Content-Type"] = contentTypes[media]
	h["Content-Length"] = []string{strconv.Itoa(len(body))} // or it is sent in chunks
	h["Cache-Control"] = noStore
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the client may be gone
	}
	if cap(body) <= largest {
		room.bytes = body
		buffers.Put(room)
	}
}

// The values of headers that nearly all answers have. They are shared, and only set.
var (
	contentTypes = map[string][]string{
		mediaJSON:     {mediaJSON + "; charset=utf-8"},
		mediaResponse: {mediaResponse + "; charset=utf-8"},
	}
	noStore = []string{"no-store"}
)

// buffer is a reused buffer for answers.
type buffer struct{ bytes []byte }

var buffers = sync.Pool{New: func() any { return new(buffer) }}

// largest is the largest buffer that is used again.
const largest = 256 << 10
