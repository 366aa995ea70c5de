package fuzz_test

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/entwine-go/entwine/rest/oas/spec"
)

// judge says what is wrong with answers: the status, the headers and the
// media type by kin-openapi, bodies by their schemas, which kin-openapi would
// compile anew for each.
type judge struct {
	t          *testing.T
	spec       *openapi3.T
	operations []operation
	compiler   *jsonschema.Compiler
	matrix     *matrix
}

const documentURL = "test:///openapi.json"

func newJudge(t *testing.T, api *openapi3.T, operations []operation) *judge {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(spec.Document()))
	if err != nil {
		t.Fatal(err)
	}
	j := &judge{t: t, spec: api, operations: operations, compiler: jsonschema.NewCompiler()}
	j.compiler.DefaultDraft(jsonschema.Draft2020)
	j.compiler.AssertFormat()
	if err := j.compiler.AddResource(documentURL, document); err != nil {
		t.Fatal(err)
	}
	return j
}

// of returns what is wrong with the answer.
func (j *judge) of(s *shot, w *httptest.ResponseRecorder) (wrong []string) {
	body := w.Body.Bytes()
	gateway := w.Code == http.StatusBadGateway || w.Code == http.StatusGatewayTimeout // the sandbox fails by some amounts
	if w.Code >= 500 && !(gateway && bytes.Contains(body, []byte("the payment gateway"))) {
		wrong = append(wrong, "the service fails")
	}
	for name, values := range w.Header() {
		if strings.ContainsAny(strings.Join(values, ""), "\r\n\x00") {
			wrong = append(wrong, fmt.Sprintf("header %s is %q", name, values))
		}
	}
	for _, word := range []string{"pq:", "SQLITE", "SQL logic", "constraint failed", "goroutine ", "runtime error", ".go:"} {
		if bytes.Contains(body, []byte(word)) && !strings.Contains(string(s.body)+s.target, word) {
			wrong = append(wrong, "the answer tells of what is inside: "+word)
		}
	}
	if (s.method == http.MethodHead || w.Code == http.StatusNoContent || w.Code == http.StatusNotModified) && len(body) > 0 {
		wrong = append(wrong, "the answer has a body")
	}
	if strings.HasPrefix(s.target, "/graphql") {
		return append(wrong, j.graphQL(s, w)...)
	}
	media, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
	if strings.HasPrefix(media, "application/vnd.entwine.") { // who asks for a version so is answered so
		media = "application/json"
	}
	if err := formed(media, body); err != nil {
		wrong = append(wrong, fmt.Sprintf("the body is no %s: %v", media, err))
	}
	op := j.find(s)
	if op == nil {
		if w.Code < 400 && w.Code != http.StatusNoContent && w.Code != http.StatusSeeOther { // browsers are sent to the reference
			wrong = append(wrong, "nothing is there, and yet it answers")
		}
		return append(wrong, j.schema("#/components/schemas/"+map[bool]string{true: "Problem", false: "Error"}[media == "application/problem+json"], media, body)...)
	}
	wrong = append(wrong, j.matrix.rest(s, op, w)...)
	return append(wrong, j.document(s, op, w, media, body)...)
}

// formed returns nil if the body can be read as what it says that it is.
func formed(media string, body []byte) error {
	switch media {
	case "application/xml":
		for d := xml.NewDecoder(bytes.NewReader(body)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				return nil
			} else if err != nil {
				return err
			}
		}
	case "text/csv":
		_, err := csv.NewReader(bytes.NewReader(body)).ReadAll()
		return err
	}
	return nil
}

// find returns the operation of a request, nil if the document has none.
func (j *judge) find(s *shot) *operation {
	u, err := url.ParseRequestURI(s.target)
	if err != nil {
		return nil
	}
	var path string
	most := -1
	segments := strings.Split(strings.TrimPrefix(u.EscapedPath(), "/api/v1"), "/")
	for _, op := range j.operations {
		if literal := matches(op.path, segments); literal > most {
			most, path = literal, op.path
		}
	}
	for i, op := range j.operations {
		if op.path == path && op.method == s.method {
			return &j.operations[i]
		}
	}
	return nil
}

// matches returns how many segments are the path's own words, -1 if the path
// is another.
func matches(path string, segments []string) (literal int) {
	parts := strings.Split(path, "/")
	if len(parts) != len(segments) {
		return -1
	}
	for i, part := range parts {
		name, err := url.PathUnescape(segments[i])
		switch {
		case err != nil:
			return -1
		case part == name:
			literal++
		case !strings.HasPrefix(part, "{") || name == "":
			return -1
		}
	}
	return literal
}

// document returns how the answer differs from what the document says.
func (j *judge) document(s *shot, op *operation, w *httptest.ResponseRecorder, media string, body []byte) (wrong []string) {
	r, err := s.request()
	if err != nil {
		return []string{err.Error()}
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, Route: &routers.Route{Spec: j.spec, Operation: op.Operation, Method: op.method, Path: op.path}},
		Status:                 w.Code, Header: w.Header(),
		Options: &openapi3filter.Options{IncludeResponseStatus: true, ExcludeResponseBody: true},
	}
	if err := openapi3filter.ValidateResponse(j.t.Context(), input); err != nil {
		return []string{fmt.Sprintf("the answer breaks the document: %v", err)}
	}
	response := op.Responses.Status(w.Code)
	if response == nil {
		return []string{fmt.Sprintf("status %d is not in the document", w.Code)} // kin-openapi passes over HEAD
	}
	if len(body) == 0 {
		return nil
	}
	if response.Value.Content["*/*"] != nil { // a file, which may be of any
		return nil
	}
	if response.Value.Content[media] == nil {
		return []string{fmt.Sprintf("media type %q is not in the document", media)}
	}
	at := response.Ref
	if at == "" {
		at = "#/paths/" + strings.ReplaceAll(op.path, "/", "~1") + "/" + strings.ToLower(op.method) + "/responses/" + strconv.Itoa(w.Code)
	}
	return j.schema(at+"/content/"+strings.ReplaceAll(media, "/", "~1")+"/schema", media, body)
}

// schema returns how a JSON body differs from the schema.
func (j *judge) schema(at, media string, body []byte) []string {
	if !strings.HasSuffix(media, "json") || len(body) == 0 {
		return nil
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return []string{fmt.Sprintf("the body is no JSON: %v", err)}
	}
	schema, err := j.compiler.Compile(documentURL + at)
	if err != nil {
		j.t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		return []string{fmt.Sprintf("the body breaks its schema: %v", err)}
	}
	return nil
}
