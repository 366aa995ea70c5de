// Package graph serves GraphQL for a service: over HTTP, and over connections
// that stay open.
//
// gqlgen parses and validates documents that are new, runs the mutations that are
// by hand and answers introspection. It does not execute reads: each root field
// that answers with entities is planned. Its validated selection is compiled to
// a [read.Selection], which package read runs with one SQL statement for
// each level and appends as JSON. A mutation that is declared is
// written by package write; its payload is planned like a read, which the
// statement that makes a row can do as well.
//
// A [Config] holds what is the service's own: its schema, its entities and what
// it has by hand. The packages below import each other from the top down:
//
//	wire, subscribe        HTTP; connections that stay open
//	execute                an operation, its resolvers' values, what it defers
//	find                   what full-text search finds, as a connection
//	plan                   from a selection to what is read
//	observe, response      operations as they are observed, and encoded
//	validation, limits     what documents and operations may be
//	ending                 what they use of what is deprecated
//	stream                 WebSockets and server-sent events
//	prepared, deferral     what is kept of documents, and what comes later
//	persisted, variables   what requests name and bring
//	failure                problems as GraphQL errors
//
// Package handler carries out the mutations that schemas declare, and graphiql is a
// page to explore with. No package holds a rule about the caller: policies and the visibility of
// fields are part of what is read.
package graph

import (
	"log/slog"
	"maps"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/entwine-go/entwine/kit/documents"
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/graph/execute"
	"github.com/entwine-go/entwine/kit/graph/limits"
	"github.com/entwine-go/entwine/kit/graph/plan"
	"github.com/entwine-go/entwine/kit/graph/subscribe"
	"github.com/entwine-go/entwine/kit/graph/wire"
	"github.com/entwine-go/entwine/kit/internal/graph/deprecation"
	"github.com/entwine-go/entwine/kit/internal/graph/failure"
	"github.com/entwine-go/entwine/kit/internal/graph/find"
	"github.com/entwine-go/entwine/kit/internal/graph/observe"
	"github.com/entwine-go/entwine/kit/internal/graph/persisted"
	"github.com/entwine-go/entwine/kit/internal/graph/prepared"
	"github.com/entwine-go/entwine/kit/internal/graph/stream"
	"github.com/entwine-go/entwine/kit/internal/graph/validation"
	"github.com/entwine-go/entwine/kit/internal/graph/variables"
	"github.com/entwine-go/entwine/kit/lifecycle"
	"github.com/entwine-go/entwine/kit/live"
	"github.com/entwine-go/entwine/kit/presence"
	"github.com/entwine-go/entwine/kit/read"
)

// Config has the parts of a GraphQL API.
type Config struct {
	Options
	// Schema is the executable schema, Entities are those that it shows.
	Schema   graphql.ExecutableSchema
	Entities []*entity.Entity
	Reader   *read.Reader
	// Files keeps the files of forms. Nil: forms are refused.
	Files *files.Keeper
	// Plans are plans by hand, of root queries that answer with entities. The other
	// root fields follow from the schema and from Queries.
	Plans map[string]plan.Root
	// Writes are the mutations that are declared. The others have resolvers.
	Writes map[string]execute.Write
	// Reads are the root queries that are declared and answer with no entity.
	Reads map[string]execute.Write
	// Queries are those that entities have beside their own.
	Queries map[string]plan.Declared
	// Announcements say which events each subscription sends.
	Announcements map[string]subscribe.Announcement
	// Costs are the costs that do not follow from the schema.
	Costs limits.Costs
	// Extensions are gqlgen's, about the fields that have resolvers, the outermost
	// first.
	Extensions []graphql.HandlerExtension
	// Endings are when what is deprecated ends, by its place in the schema.
	Endings map[string]*lifecycle.Ending
	// Renamed are names of before by their places in the schema, those of types alone,
	// and what is called so now.
	Renamed map[string]string
}

// Options say how an API is served.
type Options struct {
	Logger *slog.Logger
	// Events delivers the events of subscriptions. Nil: there are none.
	Events *events.Tailer
	// Lists are the live lists. Nil: there are none.
	Lists *live.Lists
	// Rooms have the viewers of rows (presence). Nil: that is not shown.
	Rooms *presence.Rooms
	// Links are the paths of REST in answers. Nil: those of its first version.
	Links *read.Links
	// Auth proves the credentials of connections that stay open, and proves
	// them again. Nil: only those of the upgrade request count.
	Auth stream.Authenticator
	// RequestTime bounds the answer to an operation on such a connection, and
	// to each event: 10 s where it is 0.
	RequestTime time.Duration
	// Connections is how many of them a caller may have. 0: any number.
	Connections int
	// Streams serve them, with Auth, Logger and Connections of their own: those that
	// another API serves, too. Nil: some for this one alone.
	Streams *Streams
	// HideSchema refuses introspection, and suggests no names in errors.
	HideSchema bool
	// Documents are those that clients can name instead of sending them. Where
	// TrustedOnly is set, no others are run.
	Documents   *documents.Registry
	TrustedOnly bool
	// Observer is called around every operation. May be nil.
	Observer observe.Observer
	// Lifecycle has the dates of deprecated fields, and Usage counts their uses.
	// Either may be nil.
	Lifecycle *lifecycle.Plan
	Usage     deprecation.Usage
	// Explorer is where browsers are sent that come without a query, empty
	// where there is no such page.
	Explorer string
}

const (
	// keptDocuments is how many documents are kept.
	keptDocuments = 1000
	// requestTime is the default of [Options.RequestTime].
	requestTime = 10 * time.Second
)

// New returns the API. Callers that need its streams to end drain it. It panics if
// the schema asks for a plan or an announcement that is missing.
func New(c Config) *Server {
	if c.Auth == nil {
		c.Auth = trusting{}
	}
	if c.RequestTime == 0 {
		c.RequestTime = requestTime
	}
	reads := c.executor()
	if err := subscribe.Check(c.Schema.Schema(), c.Announcements, reads.Tables); err != nil {
		panic("graph: " + err.Error())
	}
	operations := observe.Executor(c.operations(reads), c.Observer)
	streams := c.Streams
	if streams == nil {
		streams = &stream.Server{Auth: c.Auth, Log: c.Logger, MaxConnections: c.Connections}
	}
	streams.Executor = &subscribe.Executor{
		Operations: operations, Reads: reads, Announcements: c.Announcements,
		Events: c.Events, Lists: c.Lists, Rooms: c.Rooms, Auth: c.Auth, Observer: c.Observer, RequestTime: c.RequestTime,
	}
	return &Server{
		Handler: &wire.Handler{Executor: operations, Streams: streams, RequestTime: c.RequestTime, Explorer: c.Explorer, Files: c.Files, Schema: c.Schema.Schema()},
		streams: streams,
	}
}

// executor returns what runs the operations of documents that are valid.
func (c *Config) executor() *execute.Executor {
	schema := c.Schema.Schema()
	now := deprecation.WithoutOld(schema, c.Renamed)
	execute.Check(now, c.Writes, c.Reads)
	tables := plan.NewTables(now, c.Entities, c.Links)
	plans, costs := c.declared(now)
	return &execute.Executor{
		Schema: schema, Now: now, Tables: tables, Plans: plan.Roots(now, tables, plans), Writes: c.Writes, Reads: c.Reads, Limiter: limits.New(schema, costs),
		Documents: prepared.NewDocuments(keptDocuments, limits.Arguments()), Reader: c.Reader, Errors: &failure.Presenter{Log: c.Logger},
		HideSchema: c.HideSchema, Endings: deprecation.New(deprecation.Config{
			Schema: schema, Endings: c.Endings, Renamed: c.Renamed, Plan: c.Lifecycle, Usage: c.Usage,
		}, keptDocuments),
	}
}

// declared returns the plans that do not follow from the types alone, and what
// the schema does not say of costs.
func (c *Config) declared(schema *ast.Schema) (map[string]plan.Root, limits.Costs) {
	plans, costs := map[string]plan.Root{}, limits.Costs{Fields: map[string]int{}, Lists: c.Costs.Lists, Orders: map[string]int{}}
	for _, e := range c.Entities {
		for _, calc := range e.Calcs {
			costs.Orders[e.Name+"OrderField."+strings.ToUpper(calc.Name)] = read.CalcCost
		}
	}
	maps.Copy(costs.Fields, c.Costs.Fields)
	if schema.Query.Fields.ForName(find.Field) != nil {
		plans[find.Field], costs.Fields["Query."+find.Field] = find.Plan(c.Entities), find.Cost
	}
	for name, query := range c.Queries {
		plans[name] = query.Root
		if query.Search != "" {
			costs.Fields["Query."+name] = find.Cost
		}
	}
	maps.Copy(plans, c.Plans)
	return plans, costs
}

// operations returns what takes requests.
func (c *Config) operations(run *execute.Executor) graphql.GraphExecutor {
	exec := executor.New(c.Schema)
	kept := lru.New[*ast.QueryDocument](keptDocuments)
	exec.SetQueryCache(kept)
	exec.SetDefaultRulesFn(func() *rules.Rules { return validation.Rules(c.HideSchema) })
	exec.SetParserTokenLimit(validation.MaxTokens)
	exec.SetDisableSuggestion(c.HideSchema)
	exec.SetErrorPresenter(failure.PresentRefusal)
	exec.SetRecoverFunc(run.Errors.Recovered)
	exec.Use(run) // the outermost: it takes what resolvers return from the executor
	for _, e := range c.Extensions {
		exec.Use(e)
	}
	return &execute.Operations{
		GraphExecutor: variables.Executor{GraphExecutor: exec, Schema: run.Schema}, Executor: run,
		Named: persisted.New(c.Documents, c.TrustedOnly, run.Errors),
		Texts: []graphql.OperationParameterMutator{deprecation.TypesOf(c.Renamed), validation.Bounds{Valid: kept}},
	}
}
