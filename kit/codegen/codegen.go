// Package codegen makes everything that follows from schema/: Ent's code,
// typed ids, the descriptions of entities that both APIs read by, the GraphQL schema and its executor, the
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
)

// Generate generates for the module whose go.mod is in the folder. A mistake
// in a schema is an error that names its file, its field and what is allowed.
//
// The folder is the process's working directory meanwhile: Ent and gqlgen look
// for the module there.
func Generate(root string) error { return within(root, generate) }

// Model reads the schemas of the module whose go.mod is in the folder. Like
// [Generate] it checks them, and has the folder as the working directory.
func Model(root string) (m *model.Model, err error) {
	err = within(root, func(tree *source.Tree) error {
		schemas, err := orm.Load(tree)
		if err != nil {
			return err
		}
		graph, err := orm.NewGraph(tree, schemas)
		if err != nil {
			return err
		}
		m, err = model.New(graph)
		return err
	})
	return m, err
}

// within calls run with the tree of the folder, in that folder.
func within(root string, run func(*source.Tree) error) error {
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
	return run(tree)
}

func generate(tree *source.Tree) error {
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
		orm.Write, entity.Write, api.Write, openapi.Write, handlers.Write,
	} {
		if err := write(tree, m); err != nil {
			return err
		}
	}
	return nil
}
