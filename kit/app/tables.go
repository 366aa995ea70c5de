package app

import (
	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/entity"
	mutation "github.com/entwine-go/entwine/kit/graph/handler"
	planned "github.com/entwine-go/entwine/kit/graph/plan"
	"github.com/entwine-go/entwine/kit/graph/subscribe"
	"github.com/entwine-go/entwine/kit/lifecycle"
	"github.com/entwine-go/entwine/kit/rest"
	"github.com/entwine-go/entwine/kit/rest/crud"
	"github.com/entwine-go/entwine/kit/rest/handler"
)

// Tables describe the operations of both APIs that are generated from the schema.
type Tables struct {
	// Server is the generated server of REST. Nil: there are operations in rest/*.yaml, and
	// Operations of [Parts] makes it.
	Server rest.NewServer
	// Operations are those of REST by operationId, and Resources the entities that they
	// are on. Jobs is the resource of jobs, with which actions are answered that are done
	// later. AlsoSent has the second names that clients may send fields by, in the
	// bodies of new rows (expose.AlsoSent).
	Operations map[string]*crud.Operation
	Resources  []*handler.Resource
	Jobs       *handler.Resource
	AlsoSent   map[*entity.Field]string
	// Executable runs the root fields that are neither planned nor declared. Nil: there
	// are some in gql/*.graphql, and Fields of [Parts] makes it.
	Executable func(schema *ast.Schema) graphql.ExecutableSchema
	// Queries are planned, Mutations and Reads are declared, and Announcements
	// say which events subscriptions tell of.
	Queries          map[string]planned.Declared
	Mutations, Reads map[string]mutation.Mutation
	Announcements    map[string]subscribe.Announcement
	// Endings are when what is deprecated ends in GraphQL, and Renamed what is called
	// otherwise now: see [graph.Config].
	Endings map[string]*lifecycle.Ending
	Renamed map[string]string
}
