package limits_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/entwine-go/entwine/kit/graph/limits"
)

var schema = gqlparser.MustLoadSchema(&ast.Source{Input: `
	type Query { note(id: ID): Note notes(first: Int, ids: [ID!]): [Note!]! notesConnection(first: Int, where: NoteWhereInput): NoteConnection }
	type Mutation { login: Note }
	type Note { id: ID! title: String author: Note tags: [Tag!]! notes(first: Int, where: NoteWhereInput): [Note!]! }
	input NoteWhereInput { and: [NoteWhereInput!] not: NoteWhereInput title: String titleContainsFold: String titleNEQ: String hasTags: Boolean hasTagsWith: [TagWhereInput!] hasAuthor: Boolean hasAuthorWith: [NoteWhereInput!] }
	input TagWhereInput { name: String nameContains: String }
	type Tag { name: String }
	type NoteConnection { totalCount: Int nodes: [Note] edges: [NoteEdge] }
	type NoteEdge { cursor: String node: Note }`})

var limiter = limits.New(schema, limits.Costs{Fields: map[string]int{"Mutation.login": 500}, Lists: map[string]int{"Tag": 4}})

// limited returns the cost of a document, or the error.
func limited(t *testing.T, document string) (int, string) {
	t.Helper()
	doc, errs := gqlparser.LoadQueryWithRules(schema, document, rules.NewDefaultRules())
	if errs != nil {
		t.Fatalf("%s: %v", document, errs)
	}
	cost, err := limiter.Limit(&graphql.OperationContext{Doc: doc, Operation: doc.Operations[0], Variables: map[string]any{"n": int64(3), "w": map[string]any{"hasTagsWith": []any{map[string]any{"name": "a"}}}}})
	if err != nil {
		return 0, err.Message
	}
	return cost.Requested, ""
}

func TestCost(t *testing.T) {
	t.Parallel()
	for document, want := range map[string]int{
		`{ note { id title } }`:               3,
		`{ notes(first: 7) { id } }`:          8,
		`{ notes(ids: [1, 2]) { id title } }`: 5,
		`{ notes { id } }`:                    21,
		`query($n: Int) { notes(first: $n) { notes(first: 2) { id } } }`:                                                     1 + 3 + 6,
		`{ notesConnection(first: 5) { totalCount nodes { id } } }`:                                                          1 + 51 + 5 + 5,
		`{ notesConnection(first: 0) { nodes { id } } }`:                                                                     2,
		`{ note { tags { name } } }`:                                                                                         1 + 1 + 4,
		`mutation { login { id } }`:                                                                                          502,
		`{ __schema { types { name } } }`:                                                                                    100,
		`{ a: __schema { types { name } } b: __type(name: "Note") { name } }`:                                                200,
		`{ notesConnection(first: 1, where: {title: "a", titleNEQ: "b", titleContainsFold: null}) { nodes { id } } }`:        3,
		`{ notesConnection(first: 1, where: {not: {and: [{titleContainsFold: "a"}, {hasTags: true}]}}) { nodes { id } } }`:   3 + 100 + 50,
		`{ notesConnection(first: 1, where: {hasAuthorWith: [{hasTagsWith: [{nameContains: "a"}]}]}) { totalCount } }`:       2 + 50 + 50 + 50 + 100,
		`query($w: NoteWhereInput = {hasTagsWith: [{name: "a"}]}) { notes(first: 7) { notes(first: 2, where: $w) { id } } }`: 1 + 7 + 7*50 + 14,
	} {
		if got, refused := limited(t, document); got != want || refused != "" {
			t.Errorf("%s costs %d, want %d: %s", document, got, want, refused)
		}
	}
}

func TestTooMuch(t *testing.T) {
	t.Parallel()
	var roots strings.Builder
	for i := range 21 {
		fmt.Fprintf(&roots, "r%d: note { id } ", i)
	}
	for want, document := range map[string]string{
		"nested deeper": `{ note { ` + strings.Repeat("author { ", 12) + "id" + strings.Repeat(" }", 14),
		"costs 10101: 5000 are allowed. Its costliest path is notes.notes": `{ notes(first: 100) { notes(first: 100) { id } } }`,
		"31 aliases":     `{ note { ` + strings.Repeat("a: id ", 31) + `} }`,
		"21 root fields": `{ ` + roots.String() + `}`,
	} {
		if _, refused := limited(t, document); !strings.Contains(refused, want) {
			t.Errorf("%s: %q, want %q", document, refused, want)
		}
	}
}
