package apiversion_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
)

// note is an entity that is called by two words.
var note = &entity.Entity{Name: "SideNote", Singular: "side_note", Path: "side-notes"}

func versions(t *testing.T) *apiversion.Versions {
	t.Helper()
	vs, err := apiversion.Parse(apiversion.About{Name: "notes", Prefix: "/api", Entities: []*entity.Entity{note}}, "1.4.0", []string{"v1=main", "v2=jsend", "v3=flag"}, "v1")
	if err != nil {
		t.Fatal(err)
	}
	return vs
}

func TestNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ of, snake, camel string }{
		{"title", "title", "title"},
		{"created_at", "created_at", "createdAt"},
		{"filters.created_after", "filters.created_after", "filters.createdAfter"},
		{"line_1", "line_1", "line_1"},
		{"_meta", "_meta", "_meta"},
		{"createdAt", "createdAt", "createdAt"},
	} {
		if snake, camel := apiversion.Snake.Word(c.of), apiversion.Camel.Word(c.of); snake != c.snake || camel != c.camel {
			t.Errorf("%s is %s and %s", c.of, snake, camel)
		}
	}
	for _, c := range []struct {
		field        entity.Field
		snake, camel string
	}{
		{entity.Field{REST: "author_id", GraphQL: []string{"authorId", "authorID"}}, "author_id", "authorId"},
		{entity.Field{REST: "inStock", GraphQL: []string{"inStock"}}, "inStock", "inStock"},
		{entity.Field{REST: "only_here"}, "only_here", "onlyHere"},
	} {
		if snake, camel := apiversion.Snake.Field(&c.field), apiversion.Camel.Field(&c.field); snake != c.snake || camel != c.camel {
			t.Errorf("%s is %s and %s", c.field.REST, snake, camel)
		}
	}
}

func TestIDs(t *testing.T) {
	t.Parallel()
	const global = "U2lkZU5vdGU6Nw" // SideNote:7
	if got := apiversion.Integers.Segment("SideNote", gid.Int(7)); got != "7" {
		t.Errorf("an integer is %s", got)
	}
	if got := apiversion.Global.Segment("SideNote", gid.Int(7)); got != global {
		t.Errorf("a global id is %s", got)
	}
	for _, c := range []struct {
		ids  apiversion.IDs
		text string
		want string
	}{
		{apiversion.Integers, "7", "7"},
		{apiversion.Integers, global, global},
		{apiversion.Global, "7", "7"},
		{apiversion.Global, global, "7"},
		{apiversion.Global, "T3RoZXI6Nw", "T3RoZXI6Nw"}, // Other:7 is no note
		{apiversion.Global, "?", "?"},
	} {
		if got := c.ids.Plain("SideNote", c.text); got != c.want {
			t.Errorf("%q stands for %q, want %q", c.text, got, c.want)
		}
	}
	for _, c := range []struct {
		ids   apiversion.IDs
		value any
		want  int64 // 0: refused
	}{
		{apiversion.Integers, json.Number("7"), 7},
		{apiversion.Integers, global, 0},
		{apiversion.Global, global, 7},
		{apiversion.Global, "T3RoZXI6Nw", 0},
	} {
		if got, err := c.ids.Parse(gid.Rows{Type: "SideNote"}, c.value); got.Int() != c.want && err == nil || c.want != 0 && err != nil {
			t.Errorf("%v is read as %v, %v", c.value, got, err)
		}
	}
}

func TestWrapping(t *testing.T) {
	t.Parallel()
	vs := versions(t)
	for version, want := range map[string][3]string{
		"v1": {`{"status":"success","data":{}}`, `{"status":"success","data":[{},{}]}`, `{"status":"success","count":2,"data":[{},{}]}`},
		"v2": {`{"status":"success","data":{"sideNote":{}}}`, `{"status":"success","results":2,"data":{"sideNotes":[{},{}]}}`, `{"status":"success","results":2,"data":{"sideNotes":[{},{}]}}`},
		"v3": {`{"success":true,"data":{}}`, `{"success":true,"count":2,"data":[{},{}]}`, `{"success":true,"count":2,"data":[{},{}]}`},
	} {
		v, err := vs.Named(version)
		if err != nil {
			t.Fatal(err)
		}
		item := string(v.BeginItem(nil, note)) + "{}" + v.EndItem()
		page, l := v.BeginList(nil, note)
		page = append(l.End(append(page, "[{},{}]"...), 2), '}')
		made, l := v.BeginMade(nil, note)
		made = append(l.End(append(made, "[{},{}]"...), 2), '}')
		if got := [3]string{item, string(page), string(made)}; got != want {
			t.Errorf("%s: %q, want %q", version, got, want)
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	facts := apiversion.Facts{Path: "/api/notes"}
	absent := problem.New(problem.NotFound, "side note not found")
	absent.Subject = "side_note"
	for what, c := range map[string]struct {
		err  error
		want [3]string
	}{
		"an absent row": {absent, [3]string{
			`{"status":"error","error":{"code":"RESOURCE_NOT_FOUND","message":"side note not found","path":"/api/notes"}}`,
			`{"success":false,"error":"RESOURCE_NOT_FOUND","message":"side note not found"}`,
			`{"status":"fail","message":"side note not found","errors":{},"code":"SIDE_NOTE_NOT_FOUND"}`,
		}},
		"bad input": {problem.Inputs(problem.Rulef("title", "", "is required"), problem.Rulef("title", "", "must be a text")), [3]string{
			`{"status":"error","error":{"code":"VALIDATION_ERROR","message":"the input is not valid","details":[{"field":"title","message":"is required","value":""},{"field":"title","message":"must be a text","value":""}],"path":"/api/notes"}}`,
			`{"success":false,"error":"VALIDATION_ERROR","message":"the input is not valid","details":[{"field":"title","message":"is required","value":""},{"field":"title","message":"must be a text","value":""}]}`,
			`{"status":"fail","message":"the input is not valid","errors":{"title":"is required; must be a text"},"code":"VALIDATION_FAILED"}`,
		}},
		"a fault": {problem.New(problem.Unavailable, "try again"), [3]string{
			`{"status":"error","error":{"code":"SERVICE_UNAVAILABLE","message":"try again","path":"/api/notes"}}`,
			`{"success":false,"error":"SERVICE_UNAVAILABLE","message":"try again"}`,
			`{"status":"error","message":"try again","errors":{},"code":"SERVICE_UNAVAILABLE"}`,
		}},
	} {
		for i, e := range []apiversion.Errors{apiversion.Structured, apiversion.Flat, apiversion.ThreeStatus} {
			got, err := json.Marshal(e.Body(problem.As(c.err), facts))
			if err != nil || string(got) != c.want[i] {
				t.Errorf("%s: %s, %v, want %s", what, got, err, c.want[i])
			}
		}
	}
}

func TestChoose(t *testing.T) {
	t.Parallel()
	vs := versions(t)
	for _, c := range []struct {
		target, header, value, host string
		want                        string // empty: refused
	}{
		{"/api/notes", "", "", "", "1"},
		{"/api/v2/notes", "", "", "", "2"},
		{"/api/notes", "X-API-Version", "2", "", "2"},
		{"/api/notes", "API-Version", "v3", "", "3"},
		{"/api/notes", "API-Version", "2.0.0", "", "2"},
		{"/api/notes?version=2", "", "", "", "2"},
		{"/api/notes?v=3", "", "", "", "3"},
		{"/api/notes", "Accept", "application/vnd.notes.v2+json", "", "2"},
		{"/api/notes", "Content-Type", "application/vnd.notes.v2+json", "", "2"},
		{"/api/notes", "", "", "v2.example.com", "2"},
		{"/api/v2/notes", "X-API-Version", "2", "", "2"},
		{"/api/v2/notes", "X-API-Version", "1", "", ""},
		{"/api/notes?v=1&version=2", "", "", "", ""},
		{"/api/notes", "X-API-Version", "9", "", ""},
		{"/api/notes", "X-API-Version", "two", "", ""},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, c.target, http.NoBody)
		if c.header != "" {
			r.Header.Set(c.header, c.value)
		}
		if c.host != "" {
			r.Host = c.host
		}
		choice, err := vs.Choose(r)
		switch {
		case err != nil && c.want != "":
			t.Errorf("%+v: %v", c, err)
		case err == nil && choice.Served.Major() != c.want:
			t.Errorf("%+v: version %s", c, choice.Served.Major())
		}
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, offered := range [][]string{{"v1=other"}, {"1=main"}, {"v0=main"}, {"v1"}, {"v1=main", "v1=jsend"}, {"v2=main"}} {
		if _, err := apiversion.Parse(apiversion.About{Name: "notes", Prefix: "/api"}, "1.0.0", offered, "v1"); err == nil {
			t.Errorf("%q is taken", offered)
		}
	}
}
