package wire

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"

	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/kit/internal/graph/persisted"
	"github.com/entwine-go/entwine/kit/internal/graph/variables"
	"github.com/entwine-go/entwine/kit/internal/strictjson"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/web"
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

// isJSON reports whether a Content-Type is that of JSON, in the way that nearly all
// clients write it or in another.
func isJSON(contentType string) bool {
	if contentType == mediaJSON {
		return true
	}
	media, more, err := mime.ParseMediaType(contentType)
	return err == nil && media == mediaJSON && strictjson.IsUTF8(more["charset"])
}

// posted reads the operation, or refuses the request.
func posted(w http.ResponseWriter, r *http.Request) (*graphql.RawParams, bool) {
	if !isJSON(r.Header.Get("Content-Type")) {
		refuse(w, r, notJSON())
		return nil, false
	}
	body, err := readBody(http.MaxBytesReader(w, r.Body, maxBody), r.ContentLength)
	if err != nil {
		refuse(w, r, problem.As(web.Unread(err)))
		return nil, false
	}
	params, p := decoded(body)
	if p != nil {
		refuse(w, r, p)
		return nil, false
	}
	params.Headers = r.Header
	return params, true
}

// notJSON refuses a body of another type: a form, too, where no files are kept, and for a
// stream of events.
func notJSON() *problem.Error {
	return problem.New(problem.UnsupportedMedia, "the body must be %s in UTF-8", mediaJSON)
}

// decoded reads the operation in a body in one pass, which is 4 µs less than a check
// and encoding/json. The names of members are exact: two that differ in case alone
// are not the same.
func decoded(body []byte) (*graphql.RawParams, *problem.Error) {
	var space [8]strictjson.Member
	members, err := strictjson.Members(space[:0], body)
	if err != nil {
		return nil, problem.New(problem.InvalidJSON, "%v", err)
	}
	if text := bytes.TrimLeft(body, " \t\r\n"); !strictjson.IsObject(text) && !strictjson.IsNull(text) {
		return nil, malformed("")
	}
	params := &graphql.RawParams{}
	var ids [len(idNames)]string
	for _, m := range members {
		if strictjson.IsNull(m.Value) {
			continue
		}
		ok := true
		switch name := string(m.Name); name {
		case "query":
			params.Query, ok = strictjson.Text(m.Value)
		case "operationName":
			params.OperationName, ok = strictjson.Text(m.Value)
		case "variables":
			if params.Variables, err = variables.Checked(m.Value); err != nil {
				return nil, malformed(": " + err.Error())
			}
		case "extensions":
			ok = json.Unmarshal(m.Value, &params.Extensions) == nil
		default:
			if i := slices.Index(idNames[:], name); i >= 0 {
				ids[i], ok = strictjson.Text(m.Value)
			}
		}
		if !ok {
			kind := "a string"
			if string(m.Name) == "extensions" {
				kind = "a JSON object"
			}
			return nil, malformed(": " + string(m.Name) + " must be " + kind)
		}
	}
	persisted.Name(params, ids[:]...)
	return params, nil
}

// idNames are the members of a request one of which may stand for the query.
var idNames = [...]string{"documentId", "doc_id", "id"}

// malformed refuses a body that is JSON and no request.
func malformed(why string) *problem.Error {
	return problem.New(problem.Invalid, "the body is not an object with a query%s", why)
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
	if text := []byte(values.Get("extensions")); len(text) > 0 && (strictjson.Check(text) != nil || json.Unmarshal(text, &params.Extensions) != nil) {
		refuse(w, r, problem.New(problem.Invalid, "extensions must be a JSON object"))
		return nil, false
	}
	persisted.Name(&params, values.Get("documentId"), values.Get("doc_id"), values.Get("id"))
	return &params, true
}
