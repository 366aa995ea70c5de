package app

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/graph"
	mutation "github.com/entwine-go/entwine/kit/graph/handler"
	"github.com/entwine-go/entwine/kit/graph/limits"
	planned "github.com/entwine-go/entwine/kit/graph/plan"
	graphsignin "github.com/entwine-go/entwine/kit/graph/signin"
	"github.com/entwine-go/entwine/kit/graph/subscribe"
	"github.com/entwine-go/entwine/kit/lifecycle"
	"github.com/entwine-go/entwine/kit/rest"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
	"github.com/entwine-go/entwine/kit/rest/builtin"
	"github.com/entwine-go/entwine/kit/rest/crud"
	"github.com/entwine-go/entwine/kit/rest/handler"
	resourcesignin "github.com/entwine-go/entwine/kit/rest/signin"
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

// rest returns the resource API of the tables. The error names operations of the
// service's own that nothing answers.
func (t *Tables) rest(s *Serving) (http.Handler, error) {
	entities := &handler.Door{Reader: s.Engine.Reader, Callers: s.Graph.Auth}
	follows := &crud.API{Log: s.Log, Door: entities, Engine: s.Engine, Operations: t.Operations, Jobs: t.Jobs}
	keys := follows.Keys()
	about := s.service.about()
	bundled := builtin.New(s.Log, s.DB, entities, s.service.Entities, t.Jobs, s.Jobs)
	guards, answers := follows.Guards(), follows.Handlers()
	maps.Copy(answers, bundled.Handlers())
	maps.Copy(guards, bundled.Guards())
	if a := t.signIn(s, entities); a != nil {
		maps.Copy(answers, a.Handlers())
		maps.Copy(guards, resourcesignin.Guards())
	}
	maps.Copy(guards, s.parts.Guards)
	own, server := s.service.own(answers), s.parts.Operations
	if server == nil {
		server = t.Server
	}
	if server == nil {
		return nil, fmt.Errorf("%s: in rest/*.yaml, and nothing answers: Open of the service has to return Parts with Operations: service.Operations(…)", strings.Join(own, ", "))
	}
	return rest.New(rest.Service{
		Log:         s.Log,
		Name:        about.Name,
		Prefix:      expose.Prefix,
		Versions:    s.versions,
		Credentials: about.Credentials.Path,
		Webhook:     about.Webhook,
		Lifecycle:   &s.Config.Lifecycle,
		Usage:       s.Usage,
		Published:   apiversion.Published{Number: about.Version, Document: s.service.Document, Marks: s.service.Marks},
		Operations:  s.service.Operations,
		NewServer:   server,
		Answers:     answers,
		Problem:     s.parts.Problem,
		Guards:      guards,
		Keys: rest.Keys{
			Keeper:    s.Keeper,
			Required:  s.KeyRequired,
			Split:     keys.Split,
			Found:     keys.Found,
			Bodies:    append(keys.Bodies, own...),
			Again:     keys.Again,
			Resources: t.Resources,
			Door:      entities,
		},
	}), nil
}

// signIn answers REST's operations of accounts, nil where there are none.
func (t *Tables) signIn(s *Serving, d *handler.Door) *resourcesignin.API {
	if s.Accounts == nil {
		return nil
	}
	users := s.service.Accounts.Users.Entity
	i := slices.IndexFunc(t.Resources, func(r *handler.Resource) bool { return r.Entity == users })
	return &resourcesignin.API{Log: s.Log, Accounts: s.Accounts, Door: d, Users: t.Resources[i], SecureCookies: s.SecureCookies}
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
