package problem_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/problem"
)

// Every kind has an answer, and the page of errors has the same table.
func TestTheTableOfErrors(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../doc/api/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	code := func(name string) string {
		if name == "" {
			return "–"
		}
		return "`" + name + "`"
	}
	var rows strings.Builder
	for i, kind := range problem.Kinds() {
		a := kind.Answer()
		if a.Name == "" || a.Status < 400 || a.GraphQL == "" || a.When == "" {
			t.Errorf("kind %d has no answer: %+v", i, a)
		}
		fmt.Fprintf(&rows, "| %s | %d | %s | %s | %s |\n", a.Name, a.Status, code(a.REST), code(a.GraphQL), a.When)
	}
	if !strings.Contains(string(page), rows.String()) {
		t.Errorf("doc/api/errors.md should have the rows\n%s", &rows)
	}
}
