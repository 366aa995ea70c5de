package app

import (
	"net/http"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/internal/graph/graphiql"
)

// explorer is the page to explore GraphQL with. Requests that it does not answer are
// answered by errors.
func (s *Service) explorer(errors func(http.ResponseWriter, *http.Request, error)) http.Handler {
	page := graphiql.Page{Name: s.Name, Accounts: s.Accounts != nil, Errors: errors}
	if s.GraphQL != nil {
		page.Example = s.example(s.GraphQL())
	}
	return page.Handler()
}

// example is a document to begin with, of what the schema has: it lists rows of an
// entity of the service's own, and subscribes to something.
func (s *Service) example(schema *ast.Schema) string {
	b := new(strings.Builder)
	b.WriteString("# Ctrl-Enter runs what the cursor is in. The schema is under the book.\n")
	for _, e := range s.Entities {
		list := schema.Query.Fields.ForName(plural(e.Path) + "Connection")
		if selected := leaves(schema, e.Name); list != nil && !demands(list) && selected != nil && !slices.Contains(kept, e.Table) {
			b.WriteString("\nquery List {\n  " + list.Name + "(first: 5) {\n    totalCount\n    nodes {\n      " +
				strings.Join(selected, "\n      ") + "\n    }\n  }\n}\n")
			break
		}
	}
	if schema.Subscription == nil {
		return b.String()
	}
	for _, f := range schema.Subscription.Fields {
		if selected := leaves(schema, f.Type.Name()); selected != nil && !demands(f) && !strings.HasPrefix(f.Name, "__") {
			b.WriteString("\nsubscription Watch {\n  " + f.Name + " {\n    " + strings.Join(selected, "\n    ") + "\n  }\n}\n")
			break
		}
	}
	return b.String()
}

// leaves are the id and two texts of a type, or what else it has that is no object.
func leaves(schema *ast.Schema, name string) (all []string) {
	t := schema.Types[name]
	if t == nil {
		return nil
	}
	for _, texts := range []bool{true, false} {
		for _, f := range t.Fields {
			leaf := schema.Types[f.Type.Name()].IsLeafType() && f.Type.Elem == nil && f.Directives.ForName("deprecated") == nil
			text := f.Type.Name() == "String" || f.Type.Name() == "ID"
			if leaf && !demands(f) && (text || !texts) && (len(all) < 3 && texts || len(all) == 0) && !slices.Contains(all, f.Name) {
				all = append(all, f.Name)
			}
		}
	}
	return all
}

// demands reports whether a field has an argument that must be given.
func demands(f *ast.FieldDefinition) bool {
	return slices.ContainsFunc(f.Arguments, func(a *ast.ArgumentDefinition) bool { return a.Type.NonNull && a.DefaultValue == nil })
}
