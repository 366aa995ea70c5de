package prepared_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/entwine-go/entwine/kit/internal/graph/prepared"
)

// A document can have hundreds of operations: few of them are kept, and the others
// are run all the same.
func TestOneDocumentKeepsFewOperations(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 40 {
		fmt.Fprintf(&text, "query Q%d { a } ", i)
	}
	doc, err := parser.ParseQuery(&ast.Source{Input: text.String()})
	if err != nil {
		t.Fatal(err)
	}
	documents := prepared.NewDocuments(10, nil)
	kept := 0
	for _, operation := range doc.Operations {
		op := &graphql.OperationContext{RawQuery: text.String(), Doc: doc, Operation: operation}
		known := documents.Add(t.Context(), text.String(), operation.Name, op)
		again := known.Again(&graphql.RawParams{OperationName: operation.Name})
		if again.Operation != operation || known.Prepare(again) == nil {
			t.Errorf("%s is not the operation that was added", operation.Name)
		}
		if documents.Find(t.Context(), text.String(), operation.Name) == known {
			kept++
		}
	}
	if kept != 32 {
		t.Errorf("%d operations are kept, want 32", kept)
	}
}
