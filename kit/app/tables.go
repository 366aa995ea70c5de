package app

import (
	"errors"
	"maps"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/graph"
	mutation "github.com/entwine-go/entwine/kit/graph/handler"
	"github.com/entwine-go/entwine/kit/graph/limits"
	planned "github.com/entwine-go/entwine/kit/graph/plan"
	graphsignin "github.com/entwine-go/entwine/kit/graph/signin"
	"github.com/entwine-go/entwine/kit/graph/subscribe"
	"github.com/entwine-go/entwine/kit/lifecycle"
	"github.com/entwine-go/entwine/kit/rest"
	"github.com/entwine-go/entwine/kit/rest/crud"
	"github.com/entwine-go/entwine/kit/rest/handler"
)

// Tables describe the operations of both APIs that are generated from the schema. A
// service that has no operations written by hand sets neither REST nor GraphQL in its
// [Parts], and both are made of these.
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

// graphql returns the GraphQL API of the tables. The error says that fields of the
// service's own have no resolvers.
func (t *Tables) graphql(s *Serving) (*graph.Server, error) {
	executable := s.parts.Fields
	switch {
	case executable == nil && t.Executable == nil:
		return nil, errors.New("gql/*.graphql has fields that nothing resolves: Open of the service has to return Parts with Fields: service.Fields(…)")
	case executable == nil:
		executable = t.Executable
	}
	mutate := &mutation.Door{DB: s.DB, Engine: s.Engine, Reader: s.Engine.Reader, Log: s.Log, Keeper: s.Keeper}
	writes, reads, costs := mutate.Writes(t.Mutations), mutate.Writes(t.Reads), limits.Costs{Lists: offers(s.service.Entities)}
	if s.Accounts != nil {
		a := &graphsignin.API{Accounts: s.Accounts, Users: s.service.Accounts.Users.Entity, SecureCookies: s.SecureCookies}
		maps.Copy(writes, a.Writes())
		maps.Copy(reads, a.Reads())
		costs.Fields = graphsignin.Costs()
	}
	return graph.New(graph.Config{
		Options:       s.Graph,
		Schema:        executable(s.service.GraphQL()),
		Plans:         s.parts.Plans,
		Extensions:    s.parts.extensions(),
		Entities:      s.service.Entities,
		Reader:        s.Engine.Reader,
		Queries:       t.Queries,
		Writes:        writes,
		Reads:         reads,
		Announcements: t.Announcements,
		Endings:       t.Endings,
		Renamed:       t.Renamed,
		Costs:         costs,
	}), nil
}

// offers are how many things can be done to a row at most, by the type of these.
func offers(entities []*entity.Entity) map[string]int {
	lists := map[string]int{}
	for _, e := range entities {
		if f := e.Field("actions"); f != nil {
			lists[e.Name+"Action"] = len(f.Offers)
		}
	}
	return lists
}
