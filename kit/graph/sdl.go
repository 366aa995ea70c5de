package graph

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// Schema returns the schema that the documents *.graphql make: those that follow from
// the schemas, and in the folder byhand those by hand. It panics if they contradict each other, which the
// generator has made sure that they do not.
func Schema(documents fs.FS) *ast.Schema {
	all := sources("generated/", documents, "*.graphql") // how package plan distinguishes them
	all = append(all, sources("", documents, "byhand/*.graphql")...)
	schema, err := gqlparser.LoadSchema(all...)
	if err != nil {
		panic("graph: " + err.Error())
	}
	return schema
}

// sources are the documents in the order of their names.
func sources(folder string, files fs.FS, pattern string) (all []*ast.Source) {
	names, err := fs.Glob(files, pattern)
	if err != nil {
		panic("graph: " + err.Error()) // the pattern is constant
	}
	slices.SortFunc(names, strings.Compare)
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			panic("graph: " + err.Error())
		}
		all = append(all, &ast.Source{Name: folder + name, Input: string(text)})
	}
	return all
}
