package permissions_test

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/internal/trial/land"
	"github.com/entwine-go/entwine/kit/rest/crud"
	"github.com/entwine-go/entwine/kit/write"
	table "github.com/entwine-go/entwine/rest/crud"
	"github.com/entwine-go/entwine/rest/oas/spec"
)

// An action is declared with the callers whom both APIs let do it: one without
// verdicts is named, before any request is sent.
func TestDeclaredActionsHaveVerdicts(t *testing.T) {
	t.Parallel()
	rest, graphql := verdicts(t, "rest"), verdicts(t, "graphql")
	for _, e := range rows.All {
		for _, a := range e.Actions {
			id := operationOf(e, a.Verb)
			if id == "" {
				t.Errorf("%s declares the action %s, which REST does not have", e.Name, a.Verb)
				continue
			}
			o := spec.Operations[id]
			if asked := strings.ToUpper(o.Method) + " " + o.Path; !rest[asked] {
				t.Errorf("%s declares the action %s: testdata/rest.txt has no row for %s", e.Name, a.Verb, asked)
			}
			root := "mutation "
			if a.Reads() {
				root = "query "
			}
			if a.Names.GraphQL == "-" {
				continue // in REST alone
			}
			if asked := root + cmp.Or(a.Names.GraphQL, id); !graphql[asked] {
				t.Errorf("%s declares the action %s: testdata/graphql.txt has no row for %s", e.Name, a.Verb, asked)
			}
		}
	}
}

// operationOf is the operationId of an action.
func operationOf(e *write.Entity, verb string) string {
	for id, o := range table.Operations {
		if o.Op == crud.Act && o.Resource.Entity == e.Entity && o.Verb == verb {
			return id
		}
	}
	return ""
}

// verdicts are the questions that a table of permissions has a verdict on for
// every caller, without the states in which they are asked.
func verdicts(t *testing.T, table string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", table+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if n := len(words) - len(land.Callers); n >= 2 && words[0] != "#" {
			all[words[0]+" "+words[1]] = true
		}
	}
	return all
}
