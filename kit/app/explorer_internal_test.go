package app

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/entity"
)

// What GraphiQL begins with is of the service's own schema, and valid there.
func TestTheExplorerBeginsWithTheServicesOwn(t *testing.T) {
	const types = `
		interface Node { id: ID! }
		type User implements Node { id: ID! name: String! }
		type Issue implements Node { id: ID! number: Int! title: String! related(to: ID!): String! tags: [String!]! project: User! }
		type IssueConnection { totalCount: Int! nodes: [Issue!]! }
		type UserConnection { totalCount: Int! nodes: [User!]! }
		type Query { usersConnection(first: Int): UserConnection! openIssuesConnection(first: Int): IssueConnection! }
	`
	s := &Service{Name: "tracker", Generated: Generated{Entities: []*entity.Entity{
		{Name: "User", Path: "users", Table: "users"}, {Name: "Issue", Path: "open-issues", Table: "issues"},
	}}}
	for subscriptions, operations := range map[string][]string{
		"": {"openIssuesConnection(first: 5)", "title"},
		`type Subscription { issueChanged(id: ID!): Issue! newIssue: Issue! }`: {"openIssuesConnection(first: 5)", "newIssue {"},
	} {
		schema := gqlparser.MustLoadSchema(&ast.Source{Input: types + subscriptions})
		document := s.example(schema)
		if _, errs := gqlparser.LoadQueryWithRules(schema, document, nil); errs != nil {
			t.Errorf("%v:\n%s", errs, document)
		}
		for _, text := range operations {
			if !strings.Contains(document, text) {
				t.Errorf("there is no %s in\n%s", text, document)
			}
		}
		s.GraphQL = func() *ast.Schema { return schema }
		w := httptest.NewRecorder()
		s.explorer(nil).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/graphiql", nil))
		if page := w.Body.String(); !strings.Contains(page, "<title>GraphiQL – tracker</title>") || !strings.Contains(page, "openIssuesConnection") || strings.Contains(page, "data-accounts") {
			t.Errorf("the page is %s", page)
		}
	}
}
