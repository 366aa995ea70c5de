// Package codegen makes everything that follows from schema/: Ent's code,
// typed ids, the descriptions of entities that both APIs read by, what the
// databases keep beside tables, the GraphQL schema and its executor, the
// OpenAPI document with its server and client, and the handlers and resolvers
// of plain reads and writes.
//
// Each of these is a package, an emitter. Emitters read package model and
// write through package source; they know neither each other nor anything
// that is generated, so the generator compiles from a tree in which all of
// that is missing.
package codegen

import (
	"os"

	"github.com/entwine-go/entwine/kit/codegen/entity"
	"github.com/entwine-go/entwine/kit/codegen/graphql"
	"github.com/entwine-go/entwine/kit/codegen/handlers"
	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/openapi"
	"github.com/entwine-go/entwine/kit/codegen/orm"
	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/codegen/triggers"
)

// Generate generates for the module whose go.mod is in the folder. A mistake
// in a schema is an error that names its file, its field and what is allowed.
//
// The folder is the process's working directory meanwhile: Ent and gqlgen look
// for the module there.
func Generate(root string) error {
	tree, err := source.Open(root)
	if err != nil {
		return err
	}
	back, err := os.Getwd()
	if err != nil {
		return err
	}
	if err := os.Chdir(tree.Root); err != nil {
		return err
	}
	defer func() { _ = os.Chdir(back) }()

	schemas, err := orm.Load(tree)
	if err != nil {
		return err
	}
	api := &graphql.Schema{}
	graph, err := orm.NewGraph(tree, schemas, api.Option())
	if err != nil {
		return err
	}
	m, err := model.New(graph)
	if err != nil {
		return err
	}
	graphql.Annotate(m)
	// Ent first: the GraphQL schema is made while Ent generates.
	for _, write := range []func(*source.Tree, *model.Model) error{
		orm.Write, entity.Write, triggers.Write, api.Write, openapi.Write, handlers.Write,
	} {
		if err := write(tree, m); err != nil {
			return err
		}
	}
	return nil
}
