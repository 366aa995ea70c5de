package deprecation_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/entwine-go/entwine/kit/internal/graph/deprecation"
	"github.com/entwine-go/entwine/kit/lifecycle"
)

// A document that uses old names is put into the words of now, with the keys that
// its client reads: in fragments, literals, variables and lists of these.
func TestOldNamesArePutIntoTheWordsOfNow(t *testing.T) {
	t.Parallel()
	renamed := map[string]string{
		"Note.text": "title", "NoteWhere.text": "id", "NoteField.TEXT": "TITLE", "CreateNote.text": "title", "Query.old": "note", "Mutation.createNote(color:)": "hue", "Memo": "Note", "CreateMemo": "CreateNote",
	}
	ends := map[string]*lifecycle.Ending{}
	for at := range renamed {
		ends[at] = lifecycle.End("", "", "use another")
	}
	checker := deprecation.New(deprecation.Config{Schema: schema, Endings: ends, Renamed: renamed}, 10)
	for document, c := range map[string]struct{ variables, want, values string }{
		`{ note(id: 1) { title } }`: {`{}`, `{ note(id: 1) { title } }`, `{}`},
		`{ note(id: 1) { text again: text ...F } } fragment F on Note { next { text } }`: {
			`{}`, `{ note(id: 1) { text: title again: title ...F } } fragment F on Note { next { text: title } }`, `{}`,
		},
		`{ old { ... on Note { title } } }`: {`{}`, `{ old: note { ... on Note { title } } }`, `{}`},
		`query($w: NoteWhere!, $f: NoteField!) { notes(where: {and: [{text: "a"}, $w]}, orderBy: [{field: TEXT}, {field: $f}]) { text } }`: {
			`{"w": {"and": [{"text": "b"}]}, "f": "TEXT"}`,
			`query($w: NoteWhere!, $f: NoteField!) { notes(where: {and: [{id: "a"}, $w]}, orderBy: [{field: TITLE}, {field: $f}]) { text: title } }`,
			`{"f":"TITLE","w":{"and":[{"id":"b"}]}}`,
		},
		`mutation($i: CreateMemo!) { createNote(input: $i) { ...F } } fragment F on Memo { title }`: {
			`{"i": {"text": "a"}}`, `mutation($i: CreateNote!) { createNote(input: $i) { ...F } } fragment F on Note { title }`, `{"i":{"title":"a"}}`,
		},
		`mutation($c: String) { createNote(input: {title: "a"}, color: $c) { title } }`: {
			`{"c": "red"}`, `mutation($c: String) { createNote(input: {title: "a"}, hue: $c) { title } }`, `{"c":"red"}`,
		},
	} {
		params := &graphql.RawParams{Query: document}
		if err := deprecation.TypesOf(renamed).MutateOperationParameters(t.Context(), params); err != nil {
			t.Fatal(err)
		}
		doc, errs := gqlparser.LoadQueryWithRules(schema, params.Query, nil)
		if errs != nil {
			t.Fatal(errs)
		}
		op := &graphql.OperationContext{RawQuery: params.Query, Doc: doc, Operation: doc.Operations[0], Variables: decoded(t, c.variables)}
		before := printed(doc)
		for range 2 { // found, and kept
			op.Doc, op.Operation, op.Variables = doc, doc.Operations[0], decoded(t, c.variables)
			if err := checker.Check(t.Context(), op); err != nil {
				t.Errorf("%s: %v", document, err)
			}
			want, err := parser.ParseQuery(&ast.Source{Input: c.want})
			if err != nil {
				t.Fatal(err)
			}
			if got := printed(op.Doc); got != printed(want) {
				t.Errorf("%s is %s, want %s", document, got, c.want)
			}
			if got, _ := json.Marshal(op.Variables); string(got) != c.values {
				t.Errorf("%s: the variables are %s, want %s", document, got, c.values)
			}
		}
		if after := printed(doc); after != before {
			t.Errorf("%s: the document that others share has become %s", document, after)
		}
	}
	const same = "CreateNote: text, which is deprecated, and title are the same: one of them is allowed"
	for document, c := range map[string]struct {
		variables, says string
		column          int
	}{
		`mutation { createNote(input: {text: "a", title: "b"}) { title } }`:                            {`{}`, same, 31},
		`mutation { createNote(input: {title: "b"}, color: "red", hue: "red") { title } }`:             {`{}`, "createNote: color, which is deprecated, and hue are the same: one of them is allowed", 44},
		`mutation($i: CreateNote!) { createNote(input: $i) { title } }`:                                {`{"i": {"text": "a", "title": "b"}}`, same, 10},
		`mutation { createNote(input: {title: "b", text: "a"}) { ...F } } fragment F on Note { text }`: {`{}`, same, 43},
	} {
		doc, errs := gqlparser.LoadQueryWithRules(schema, document, nil)
		if errs != nil {
			t.Fatal(errs)
		}
		op := &graphql.OperationContext{RawQuery: document, Doc: doc, Operation: doc.Operations[0], Variables: decoded(t, c.variables)}
		if err := checker.Check(t.Context(), op); err == nil || err.Message != c.says || len(err.Locations) != 1 || err.Locations[0].Line != 1 || err.Locations[0].Column != c.column {
			t.Errorf("%s: %+v, want %s in column %d", document, err, c.says, c.column)
		}
	}
}

// The schema that answers are made by has no old names.
func TestWithoutOld(t *testing.T) {
	t.Parallel()
	now := deprecation.WithoutOld(schema, map[string]string{"Note.text": "title", "Mutation.createNote(color:)": "hue", "Mutation.createNote": "add"})
	if now.Types["Note"].Fields.ForName("text") != nil || now.Mutation.Fields.ForName("createNote") != nil {
		t.Error("old names of fields are there")
	}
	now = deprecation.WithoutOld(schema, map[string]string{"Mutation.createNote(color:)": "hue"})
	if a := now.Mutation.Fields.ForName("createNote").Arguments; a.ForName("color") != nil || a.ForName("hue") == nil {
		t.Errorf("arguments %v, want those of now", a)
	}
	if schema.Mutation.Fields.ForName("createNote").Arguments.ForName("color") == nil {
		t.Error("the schema that clients see has lost an argument")
	}
}

func decoded(t *testing.T, text string) (values map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &values); err != nil {
		t.Fatal(err)
	}
	return values
}

func printed(doc *ast.QueryDocument) string {
	var b strings.Builder
	formatter.NewFormatter(&b).FormatQueryDocument(doc)
	return b.String()
}
