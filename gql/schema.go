package gql

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

//go:embed *.graphql generated/*.graphql
var sdl embed.FS

// Schema returns the whole schema. It panics if the documents contradict each
// other, which the generator has made sure that they do not.
var Schema = sync.OnceValue(func() *ast.Schema {
	schema, err := gqlparser.LoadSchema(sources()...)
	if err != nil {
		panic("gql: " + err.Error())
	}
	return schema
})

// Check returns what is wrong with a document: what makes it invalid, whatever
// is asked of it.
func Check(document string) error {
	_, errs := gqlparser.LoadQueryWithRules(Schema(), document, rules.NewDefaultRules())
	if len(errs) > 0 {
		return errs
	}
	return nil
}

// sources are the documents of the schema, in the order of their names.
func sources() []*ast.Source {
	var all []*ast.Source
	for _, pattern := range []string{"generated/*.graphql", "*.graphql"} {
		names, err := fs.Glob(sdl, pattern)
		if err != nil {
			panic("gql: " + err.Error()) // the patterns are constant
		}
		slices.SortFunc(names, strings.Compare)
		for _, name := range names {
			text, err := sdl.ReadFile(name)
			if err != nil {
				panic("gql: " + err.Error())
			}
			all = append(all, &ast.Source{Name: name, Input: string(text)})
		}
	}
	return all
}
