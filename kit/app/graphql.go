package app

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/graph"
	"github.com/entwine-go/entwine/kit/graph/handler"
	"github.com/entwine-go/entwine/kit/graph/limits"
	"github.com/entwine-go/entwine/kit/graph/signin"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/write"
)

// GraphQL has the dependencies of a service's GraphQL API. A process that serves makes
// it; tests of an API without a process make it themselves. Logger and Engine are
// required.
type GraphQL struct {
	graph.Options
	Engine *write.Engine
	// Accounts sign users up, in and out.
	Accounts *account.Accounts
	// Keeper keeps what became of mutations with an idempotencyKey. Nil: one of its own.
	Keeper *idempotency.Keeper
	// Files keeps the files of fields. Nil: none are kept.
	Files *files.Keeper
	// SecureCookies sets the attribute Secure on every cookie.
	SecureCookies bool
}

// Server returns the API of the generated operations and of the service's own parts.
// Callers that need its streams to end drain it. The error names what of
// gql/*.graphql nothing answers, and mutations that the schema declares already.
func (a GraphQL) Server(g Generated, parts *Parts) (*graph.Server, error) {
	t, executable := g.Tables, parts.Fields
	if executable == nil {
		executable = t.Executable
	}
	if executable == nil {
		return nil, errors.New("gql/*.graphql has fields that nothing resolves: Open of the service has to return Parts with Fields: service.Fields(…)")
	}
	mutations := map[string]handler.Mutation{}
	maps.Copy(mutations, t.Mutations)
	for name, own := range parts.Mutations {
		if _, declared := mutations[name]; declared {
			return nil, fmt.Errorf("Parts.Mutations: the schema declares %s already", name)
		}
		mutations[name] = own
	}
	keeper := a.Keeper
	if keeper == nil {
		keeper = &idempotency.Keeper{DB: a.Engine.DB}
	}
	d := &handler.Door{DB: a.Engine.DB, Engine: a.Engine, Reader: a.Engine.Reader, Log: a.Logger, Keeper: keeper, Links: a.Links}
	writes, reads, costs := d.Writes(mutations), d.Writes(t.Reads), limits.Costs{Lists: offers(g.Entities)}
	if g.Accounts != nil {
		accounts := &signin.API{Accounts: a.Accounts, Users: g.Accounts.Users.Entity, SecureCookies: a.SecureCookies}
		maps.Copy(writes, accounts.Writes())
		maps.Copy(reads, accounts.Reads())
		costs.Fields = signin.Costs()
	}
	if len(files.Targets(g.Entities)) > 0 {
		reads["fileUsage"], reads["fileUpload"] = handler.FileUsage(a.Files), handler.FileUpload(a.Files)
		writes["requestUpload"], writes["completeUpload"] = handler.RequestUpload(a.Files), handler.CompleteUpload(a.Files)
	}
	if slices.ContainsFunc(g.Entities, func(e *entity.Entity) bool { return e.Presence != nil }) {
		writes["sayPresence"] = handler.SayPresence(a.Rooms)
	}
	return graph.New(graph.Config{
		Options:       a.Options,
		Schema:        executable(g.GraphQL()),
		Plans:         parts.Plans,
		Extensions:    parts.extensions(),
		Entities:      g.Entities,
		Reader:        a.Engine.Reader,
		Files:         a.Files,
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
