package gql

import (
	"sync"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/kit/graph"
)

// Schema returns the whole schema: what follows from schema/, and what is by hand.
var Schema = sync.OnceValue(func() *ast.Schema { return graph.Schema(generated.Documents) })

// Check returns what is wrong with a document: what makes it invalid, whatever
// is asked of it.
func Check(document string) error {
	_, errs := gqlparser.LoadQueryWithRules(Schema(), document, rules.NewDefaultRules())
	if len(errs) > 0 {
		return errs
	}
	return nil
}
