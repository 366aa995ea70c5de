package rest_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"strings"
	"testing"

	"github.com/go-faster/jx"
	"github.com/ogen-go/ogen/ogenerrors"

	"github.com/entwine-go/entwine/kit/gen/openapi"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/lifecycle"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/rest"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/viewer"
)

const document = `{
	"openapi": "3.1.0",
	"info": {"title": "Notes", "version": "1.0.0"},
	"paths": {
		"/notes": {"post": {"operationId": "createNote", "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Note"}}}}}},
		"/notes/bulk": {"post": {"operationId": "createNotes"}},
		"/notes/{id}": {"get": {"operationId": "readNote"}}
	},
	"components": {"schemas": {"Note": {
		"type": "object", "required": ["text"], "additionalProperties": false,
		"properties": {"text": {"type": "string", "minLength": 1}}
	}}}
}`

var operations = map[string]*openapi.Operation{
	"createNote":  {Method: "post", Path: "/notes", Body: true, Produces: []string{"application/json"}},
	"createNotes": {Method: "post", Path: "/notes/bulk", Body: true, Produces: []string{"application/json"}},
	"readNote":    {Method: "get", Path: "/notes/{id}", Declared: true, IDs: []string{"id"}, Query: []string{"fields"}, Produces: []string{"application/json", "application/xml"}},
}

// newService returns an API of notes that keeps none.
func newService(t *testing.T, name, version, prefix string) http.Handler {
	signedIn := policy.SignedIn()
	return rest.New(rest.Service{
		Log: slog.New(slog.NewTextHandler(t.Output(), nil)), Name: name, Versions: versionsOf(t, name, version, prefix), Prefix: prefix,
		Published: apiversion.Published{Document: []byte(document), Number: "1.0.0"}, Operations: operations, NewServer: newServer,
		Answers: map[string]handler.Handler{"readNote": readNote},
		Guards:  map[string]handler.Guard{"createNote": {Rule: &signedIn}},
	})
}

// versionsOf are those of an API that has one.
func versionsOf(t *testing.T, name, version, prefix string) *apiversion.Versions {
	t.Helper()
	versions, err := apiversion.New(apiversion.About{Name: name, Prefix: prefix}, strings.Split(version, ".")[0], apiversion.Version{Number: version, Set: apiversion.Main()})
	if err != nil {
		t.Fatal(err)
	}
	return versions
}

// readNote answers with the only note.
func readNote(ctx context.Context, w http.ResponseWriter) error {
	x := handler.From(ctx)
	if x.PathID("id") == gid.Int(9) {
		return x.Content(ctx, w, "application/json", "note.json", []byte(`{"text":"Hm."}`))
	}
	if x.PathID("id") != gid.Int(7) || x.PathValue("name") != "" {
		return problem.New(problem.NotFound, "note not found")
	}
	return x.Answer(w, handler.Answer{Body: []byte(`{"status":"success","data":{"text":"Hm."}}`)})
}

// server stands for the generated server. It makes notes, and writes down none.
type server struct {
	mux   *http.ServeMux
	paths map[string]string // operationIds by method and path
}

func newServer(answer func(context.Context, http.ResponseWriter, string) error, hooks rest.Hooks) rest.Server {
	s := server{http.NewServeMux(), map[string]string{}}
	serve := func(pattern, found, id string, op *openapi.Operation) {
		s.paths[pattern] = found
		s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			x := handler.From(r.Context())
			var err error
			switch {
			case op.Declared:
				err = answer(r.Context(), w, found)
			case id == "createNote" && decodeNote(jx.DecodeBytes(x.Body)) != nil:
				err = &ogenerrors.DecodeRequestError{Err: errors.New("not a note")}
			default:
				err = x.Answer(w, handler.Answer{})
			}
			if err != nil {
				hooks.Failed(r.Context(), w, r, err)
			}
		})
	}
	for id, op := range operations {
		serve(strings.ToUpper(op.Method)+" "+op.Path, id, id, op)
	}
	serve("GET /memos/{id}", "readNoteWas1", "readNote", operations["readNote"])
	return s
}

// ServeHTTP implements rest.Server.
func (s server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Find implements rest.Server.
func (s server) Find(method string, u *url.URL, values []string) (string, []string, bool) {
	_, pattern := s.mux.Handler(&http.Request{Method: method, URL: u})
	id, ok := s.paths[pattern]
	if ok && strings.HasSuffix(pattern, "/{id}") {
		if u.Path == operations["createNotes"].Path { // which ogen finds first
			return "", nil, false
		}
		id, err := url.PathUnescape(path.Base(u.EscapedPath()))
		if err != nil {
			return "", nil, false
		}
		values = append(values, id)
	}
	return id, values, ok
}

func decodeNote(d *jx.Decoder) error {
	raw, err := d.Raw()
	if err != nil {
		return err
	}
	var note struct{ Text string }
	if err := json.Unmarshal(raw, &note); err != nil || note.Text == "" {
		return errors.New("not a note")
	}
	return nil
}

// ask sends a request. Headers are names and values in turn.
func ask(t *testing.T, h http.Handler, v *viewer.Viewer, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(viewer.With(t.Context(), v), method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestARequestIsJudged(t *testing.T) {
	h := newService(t, "notes", "1.4.0", "/api")
	ada := &viewer.Viewer{UserID: 1, Role: "user"}
	for name, c := range map[string]struct {
		v                  *viewer.Viewer
		method, path, body string
		headers            []string
		status             int
		holds              string
	}{
		"below the version":            {viewer.Anonymous(), "GET", "/api/v1/notes/7", "", nil, 200, `"Hm."`},
		"below the prefix":             {viewer.Anonymous(), "GET", "/api/notes/7?fields=text", "", nil, 200, `"Hm."`},
		"for the version in a header":  {viewer.Anonymous(), "GET", "/api/notes/7", "", []string{"X-Api-Version", "1.2"}, 200, `"Hm."`},
		"as XML":                       {viewer.Anonymous(), "GET", "/api/notes/7", "", []string{"Accept", "application/xml"}, 200, "<text>Hm.</text>"},
		"as JSON of the API's own":     {viewer.Anonymous(), "GET", "/api/notes/7", "", []string{"Accept", "application/vnd.notes.v1+json"}, 200, `"Hm."`},
		"HEAD":                         {viewer.Anonymous(), "HEAD", "/api/notes/7", "", nil, 200, ""},
		"the document":                 {viewer.Anonymous(), "GET", "/api/v1/openapi", "", nil, 200, `"title": "Notes"`},
		"another version":              {viewer.Anonymous(), "GET", "/api/notes/7?v=2", "", nil, 400, "allowed: 1"},
		"a media type there is not":    {viewer.Anonymous(), "GET", "/api/notes/7", "", []string{"Accept", "text/csv"}, 406, "application/json, application/xml can be had"},
		"an id that is another's name": {viewer.Anonymous(), "GET", "/api/notes/07", "", nil, 400, `"field":"id"`},
		"an unknown parameter":         {viewer.Anonymous(), "GET", "/api/notes/7?x=1", "", nil, 400, "allowed: fields"},
		"a malformed query":            {viewer.Anonymous(), "GET", "/api/notes/7?fields=%", "", nil, 400, "malformed"},
		"an id that is not there":      {viewer.Anonymous(), "GET", "/api/notes/8", "", nil, 404, "note not found"},
		"an id in another encoding":    {viewer.Anonymous(), "GET", "/api/v1/notes/%37", "", nil, 200, `"Hm."`},
		"a slash that is none":         {viewer.Anonymous(), "GET", "/api/v1/notes%2F7", "", nil, 404, "RESOURCE_NOT_FOUND"},
		"a slash within an id":         {viewer.Anonymous(), "GET", "/api/v1/notes/7%2F8", "", nil, 400, `"field":"id"`},
		"another method":               {viewer.Anonymous(), "PUT", "/api/notes/bulk", "", nil, 405, "allowed: POST, OPTIONS"},
		"a method of a variable path":  {viewer.Anonymous(), "DELETE", "/api/notes/7", "", nil, 405, "allowed: GET, HEAD, OPTIONS"},
		"no path":                      {viewer.Anonymous(), "GET", "/api/nothing", "", nil, 404, "RESOURCE_NOT_FOUND"},
		"the caller before the body":   {viewer.Anonymous(), "POST", "/api/notes", "{", nil, 401, "AUTH_REQUIRED"},
		"a body that is not JSON":      {ada, "POST", "/api/notes", "{", nil, 400, "INVALID_JSON"},
		"all that is wrong at once": {
			ada, "POST", "/api/notes", `{"text":5,"extra":1}`, nil, 400,
			`"details":[{"field":"extra","message":"is unknown; allowed: text"},{"field":"text","message":"must be a string, not a number","value":5}]`,
		},
	} {
		w := ask(t, h, c.v, c.method, c.path, c.body, c.headers...)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.holds) {
			t.Errorf("%s: %d %s, want %d with %s", name, w.Code, w.Body, c.status, c.holds)
		}
		if got := w.Header().Get("X-Api-Version"); got != "1.4.0" {
			t.Errorf("%s: version %q", name, got)
		}
	}
}

// An operation is at a path that it had before, until that is gone. Its answer and its
// use have the path's name.
func TestAnOperationIsAtAPathOfBefore(t *testing.T) {
	t.Parallel()
	moved := ends()
	moved["readNote"].Was = []openapi.Former{{Path: "/memos/{id}", Ending: lifecycle.End("2027-02-01", "2027-04-01", "use /notes")}}
	w := newWalked(t, planned(t), moved)
	for _, c := range []struct {
		at, path string
		status   int
		said     bool
	}{
		{"2027-01-31", "/api/v1/memos/7", 200, false},
		{"2027-02-01", "/api/v1/memos/7", 200, true},
		{"2027-02-01", "/api/v1/notes/7", 200, false},
		{"2027-02-01", "/api/v1/memos/07", 400, true},
		{"2027-04-01", "/api/v1/memos/7", 410, true},
		{"2027-04-01", "/api/v1/notes/7", 200, false},
	} {
		w.used = map[string]int{}
		a := w.send(t, c.at, "GET", c.path, "")
		if said := w.used["operation GET /memos/{id}"] == 1; a.Code != c.status || said != c.said {
			t.Errorf("%s on %s: %d, used %v: %s", c.path, c.at, a.Code, w.used, a.Body)
		}
	}
	if a := w.send(t, "2027-02-01", "OPTIONS", "/api/v1/memos/7", ""); a.Header().Get("Allow") != "GET, HEAD, OPTIONS" {
		t.Errorf("OPTIONS: %v", a.Header())
	}
}

// Two services in one program share nothing.
func TestTwoServices(t *testing.T) {
	one, two := newService(t, "notes", "1.4.0", "/api"), newService(t, "memos", "2.0.1", "/memos")
	for _, c := range []struct {
		h                    http.Handler
		path, realm, version string
	}{
		{one, "/api/v1/notes", `Bearer realm="notes"`, "1.4.0"},
		{two, "/memos/v2/notes", `Bearer realm="memos"`, "2.0.1"},
	} {
		w := ask(t, c.h, viewer.Anonymous(), "POST", c.path, `{"text":"a"}`)
		if w.Code != 401 || w.Header().Get("WWW-Authenticate") != c.realm || w.Header().Get("X-Api-Version") != c.version {
			t.Errorf("%s: %d %v", c.path, w.Code, w.Header())
		}
	}
	for _, path := range []string{"/api/v1/notes/7", "/memos/v1/notes/7"} {
		if w := ask(t, two, viewer.Anonymous(), "GET", path, ""); w.Code != 404 {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}
