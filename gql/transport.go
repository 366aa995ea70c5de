package gql

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/graph/deferral"
	"github.com/entwine-go/entwine/kit/runtime/graph/failure"
	"github.com/entwine-go/entwine/kit/runtime/graph/limits"
	"github.com/entwine-go/entwine/kit/runtime/graph/persisted"
	"github.com/entwine-go/entwine/kit/runtime/graph/response"
	"github.com/entwine-go/entwine/kit/runtime/graph/variables"
	"github.com/entwine-go/entwine/kit/runtime/strictjson"
)

// The media types of GraphQL over HTTP.
const (
	mediaJSON     = "application/json"
	mediaResponse = "application/graphql-response+json"
)

// maxBody bounds a request's body.
const maxBody = 1 << 20

// post takes operations as JSON bodies.
type post struct{}

// Supports implements graphql.Transport.
func (post) Supports(r *http.Request) bool { return r.Method == http.MethodPost }

// Do implements graphql.Transport.
func (post) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	if params, ok := posted(w, r); ok {
		execute(w, r, exec, params)
	}
}

// readBody reads a body of so many bytes, -1 for unknown, into as much memory:
// io.ReadAll takes several times that on its way to a large one.
func readBody(body io.Reader, length int64) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(int(min(max(length, 0), maxBody)) + bytes.MinRead)
	_, err := b.ReadFrom(body)
	return b.Bytes(), err
}

// posted reads the operation, or refuses the request.
func posted(w http.ResponseWriter, r *http.Request) (*graphql.RawParams, bool) {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != mediaJSON {
		refuse(w, r, problem.New(problem.UnsupportedMedia, "the body must be %s", mediaJSON))
		return nil, false
	}
	body, err := readBody(http.MaxBytesReader(w, r.Body, maxBody), r.ContentLength)
	if err != nil {
		refuse(w, r, unread(err))
		return nil, false
	}
	if err := strictjson.Check(body); err != nil {
		refuse(w, r, problem.New(problem.InvalidJSON, "%v", err))
		return nil, false
	}
	params := request{RawParams: graphql.RawParams{Headers: r.Header}}
	if err := json.Unmarshal(body, &params); err != nil {
		refuse(w, r, problem.Wrap(err, problem.Invalid, "the body is not an object with a query"))
		return nil, false
	}
	if params.RawParams.Variables, err = variables.Decode(params.Variables); err != nil {
		refuse(w, r, problem.New(problem.Invalid, "the body is not an object with a query: %v", err))
		return nil, false
	}
	persisted.Name(&params.RawParams, params.DocumentID, params.DocID, params.ID)
	return &params.RawParams, true
}

// request is the body of a request. One of the ids may stand for the query.
type request struct {
	graphql.RawParams
	Variables  json.RawMessage `json:"variables"`
	DocumentID string          `json:"documentId"`
	DocID      string          `json:"doc_id"`
	ID         string          `json:"id"`
}

// unread is what a client is told whose body could not be read.
func unread(err error) *problem.Error {
	if p := problem.As(err); p != nil {
		return p
	}
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return problem.New(problem.TooLarge, "the body is larger than %d bytes", large.Limit)
	}
	return problem.Wrap(err, problem.Invalid, "the body could not be read")
}

// get takes queries, and nothing that changes something, as parameters.
type get struct {
	explorer string // where browsers are sent that bring no query
}

// Supports implements graphql.Transport.
func (get) Supports(r *http.Request) bool {
	return r.Method == http.MethodGet || r.Method == http.MethodHead
}

// Do implements graphql.Transport.
func (g get) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	if g.explorer != "" && r.URL.RawQuery == "" && strings.Contains(r.Header.Get("Accept"), "text/html") {
		http.Redirect(w, r, g.explorer, http.StatusSeeOther)
		return
	}
	if params, ok := gotten(w, r); ok {
		execute(w, r, exec, params)
	}
}

// gotten reads the operation, or refuses the request.
func gotten(w http.ResponseWriter, r *http.Request) (*graphql.RawParams, bool) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		refuse(w, r, problem.New(problem.Invalid, "the query string is malformed"))
		return nil, false
	}
	params := graphql.RawParams{Query: values.Get("query"), OperationName: values.Get("operationName"), Headers: r.Header}
	if params.Variables, err = variables.Decode([]byte(values.Get("variables"))); err != nil {
		refuse(w, r, problem.New(problem.Invalid, "%v", err))
		return nil, false
	}
	if text := values.Get("extensions"); text != "" && json.Unmarshal([]byte(text), &params.Extensions) != nil {
		refuse(w, r, problem.New(problem.Invalid, "extensions must be a JSON object"))
		return nil, false
	}
	persisted.Name(&params, values.Get("documentId"), values.Get("doc_id"), values.Get("id"))
	return &params, true
}

// execute runs the operation and writes its response.
func execute(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor, params *graphql.RawParams) {
	if params.Query == "" && params.Extensions == nil { // an extension may stand for the query
		refuse(w, r, problem.New(problem.Invalid, "query is required"))
		return
	}
	ctx := r.Context()
	op, refused := exec.CreateOperationContext(ctx, params)
	if refused == nil && r.Method != http.MethodPost && op.Operation.Operation != ast.Query {
		w.Header().Set("Allow", http.MethodPost)
		refuse(w, r, problem.New(problem.MethodNotAllowed, "only queries can be sent with %s", r.Method))
		return
	}
	if refused == nil && op.Operation.Operation == ast.Subscription {
		refused = gqlerror.List{gqlerror.Errorf("subscriptions need a connection that stays open")}
	}
	if refused != nil {
		answer(w, r, &graphql.Response{Errors: failure.CompleteAll(op, refused)})
		return
	}
	if err := limits.Charge(ctx, op); err != nil {
		WriteError(w, r, err)
		return
	}
	ctx = withExchange(ctx, w, r)
	if deferral.Of(op) != nil && r.Method != http.MethodHead && takesParts(r) {
		ctx = deferral.Allow(ctx)
	}
	run, ctx := exec.DispatchOperation(ctx, op)
	res := run(ctx)
	if response.HasNext(res) {
		writeParts(w, r, res, func() *graphql.Response { return run(ctx) })
		return
	}
	answer(w, r, res)
}

// refuse answers a request that is not GraphQL over HTTP.
func refuse(w http.ResponseWriter, r *http.Request, p *problem.Error) {
	err := &gqlerror.Error{Message: p.Message, Extensions: failure.Extensions(p.Kind)}
	write(w, r, failure.CodeOf(p.Kind).Status, &graphql.Response{Errors: gqlerror.List{err}})
}

// answer writes the response to a well-formed request: with 200 as plain
// JSON, and with the status of what went wrong as a GraphQL response.
func answer(w http.ResponseWriter, r *http.Request, res *graphql.Response) {
	status := http.StatusOK
	if accepted(r) == mediaResponse && len(res.Errors) > 0 && (res.Data == nil || string(res.Data) == "null") {
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
	var body []byte
	if res.Data == nil && accepted(r) == mediaResponse {
		body = response.EncodeErrors(res.Errors)
	} else {
		body = response.Encode(r.Context(), res)
	}
	h := w.Header()
	h.Set("Content-Type", accepted(r)+"; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(body))) // or it is sent in chunks
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the client may be gone
	}
}
