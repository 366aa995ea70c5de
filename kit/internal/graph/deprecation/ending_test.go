package deprecation_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/internal/graph/deprecation"
	"github.com/entwine-go/entwine/kit/lifecycle"
	"github.com/entwine-go/entwine/kit/viewer"
)

var schema = gqlparser.MustLoadSchema(&ast.Source{Input: `
	type Query { note(id: ID!): Note notes(where: NoteWhere, orderBy: [NoteOrder!]): [Note!]! old: Note }
	type Mutation { createNote(input: CreateNote!, color: String, hue: String): Note }
	type Note { text: String title: String next: Note }
	input NoteWhere { text: String and: [NoteWhere!] }
	input NoteOrder { field: NoteField! }
	enum NoteField { TEXT TITLE }
	input CreateNote { text: String title: String }
`})

// counter counts what is used.
type counter map[string]int

// Count implements deprecation.Usage.
func (c counter) Count(_ *viewer.Viewer, agent string, kind lifecycle.Kind, name string) {
	c[agent+" "+string(kind)+" "+name]++
}

func TestWhatADocumentUses(t *testing.T) {
	t.Parallel()
	ends := map[string]*lifecycle.Ending{}
	for _, at := range []string{"Note.text", "NoteWhere.text", "NoteField.TEXT", "CreateNote.text", "Mutation.createNote(color:)", "Query.old"} {
		ends[at] = lifecycle.End("2027-01-01", "2027-07-01", "use another")
	}
	windows, err := lifecycle.ParseWindows("2027-03-01T12:00Z/1h")
	if err != nil {
		t.Fatal(err)
	}
	var now time.Time
	plan := &lifecycle.Plan{Now: func() time.Time { return now }, Brownouts: windows}
	for name, c := range map[string]struct {
		document  string
		variables map[string]any
		used      string
	}{
		"nothing":             {`{ note(id: 1) { title } }`, nil, ""},
		"a field":             {`{ note(id: 1) { text next { text } } }`, nil, "field Note.text"},
		"a field by an alias": {`{ note(id: 1) { title: text } }`, nil, "field Note.text"},
		"a fragment":          {`{ note(id: 1) { ...F } } fragment F on Note { text }`, nil, "field Note.text"},
		"a root field":        {`{ old { title } }`, nil, "operation Query.old"},
		"a filter":            {`{ notes(where: {and: [{text: "a"}]}) { title } }`, nil, "field NoteWhere.text"},
		"an order":            {`{ notes(orderBy: [{field: TEXT}]) { title } }`, nil, "field NoteField.TEXT"},
		"an argument":         {`mutation { createNote(input: {title: "a"}, color: "red") { title } }`, nil, "field Mutation.createNote(color:)"},
		"a variable": {
			`mutation($i: CreateNote!) { createNote(input: $i) { title } }`, map[string]any{"i": map[string]any{"text": "a"}}, "field CreateNote.text",
		},
		"a variable without it": {`mutation($i: CreateNote!) { createNote(input: $i) { title } }`, map[string]any{"i": map[string]any{"title": "a"}}, ""},
		"a filter in a variable": {
			`query($w: NoteWhere) { notes(where: $w) { title } }`, map[string]any{"w": map[string]any{"and": []any{map[string]any{"text": "a"}}}}, "field NoteWhere.text",
		},
		"an order in a variable": {`query($o: NoteField!) { notes(orderBy: [{field: $o}]) { title } }`, map[string]any{"o": "TEXT"}, "field NoteField.TEXT"},
	} {
		doc, errs := gqlparser.LoadQueryWithRules(schema, c.document, nil)
		if errs != nil {
			t.Fatal(errs)
		}
		op := &graphql.OperationContext{
			RawQuery: c.document, Doc: doc, Operation: doc.Operations[0], Variables: c.variables, Headers: http.Header{"User-Agent": {"notebook"}},
		}
		used := counter{}
		checker := deprecation.New(deprecation.Config{Schema: schema, Endings: ends, Plan: plan, Usage: used}, 10)
		for at, refusal := range map[string]string{
			"2026-12-31": "", "2027-01-01": "", "2027-03-01T12:30Z": "is switched off until 2027-03-01T13:00:00Z", "2027-07-01": "was removed on 2027-07-01: use another",
		} {
			if now, err = lifecycle.ParseTime(at); err != nil {
				t.Fatal(err)
			}
			refused := checker.Check(t.Context(), op)
			want := refusal != "" && c.used != ""
			if (refused != nil) != want || want && !strings.Contains(refused.Message, refusal) {
				t.Errorf("%s: %s: refused with %v", name, at, refused)
			}
		}
		if c.used == "" && len(used) > 0 || c.used != "" && !slices.Equal(slices.Collect(maps.Keys(used)), []string{"notebook " + c.used}) {
			t.Errorf("%s: counted %v, want %s", name, used, c.used)
		}
		if c.used != "" && used["notebook "+c.used] != 3 {
			t.Errorf("%s: counted %v, want three", name, used)
		}
	}
	if deprecation.New(deprecation.Config{Schema: schema, Plan: plan}, 10).Check(t.Context(), nil) != nil {
		t.Error("a schema in which nothing ends is looked at")
	}
}
