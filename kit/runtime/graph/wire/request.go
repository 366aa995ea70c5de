package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"

	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/kit/internal/strictjson"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/graph/persisted"
	"github.com/entwine-go/entwine/kit/runtime/graph/variables"
)

// maxBody bounds a request's body.
const maxBody = 1 << 20

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
	return problem.Wrap(err, problem.Invalid, "the body ends early, or its chunks are malformed")
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
