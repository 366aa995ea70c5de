package gql

import (
	"context"
	"log/slog"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/gql/crud"
	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/account"
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/mailing"
	"github.com/entwine-go/entwine/internal/reporting"
	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/runtime/documents"
	"github.com/entwine-go/entwine/kit/runtime/graph/deferral"
	"github.com/entwine-go/entwine/kit/runtime/graph/door"
	"github.com/entwine-go/entwine/kit/runtime/graph/failure"
	"github.com/entwine-go/entwine/kit/runtime/graph/limits"
	"github.com/entwine-go/entwine/kit/runtime/graph/observe"
	"github.com/entwine-go/entwine/kit/runtime/graph/persisted"
	"github.com/entwine-go/entwine/kit/runtime/graph/plan"
	"github.com/entwine-go/entwine/kit/runtime/graph/prepared"
	"github.com/entwine-go/entwine/kit/runtime/graph/stream"
	"github.com/entwine-go/entwine/kit/runtime/graph/validation"
	"github.com/entwine-go/entwine/kit/runtime/graph/variables"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/store"
)

// Config is what the GraphQL API is made of.
type Config struct {
	DB     *store.DB
	Client *ent.Client
	Logger *slog.Logger
	// Accounts sign users up, in and out.
	Accounts *account.Accounts
	// Work accepts jobs, Reporter reads figures, Postman accepts mail.
	Work     *jobs.Client
	Reporter *reporting.Reporter
	Postman  *mailing.Postman
	// Cashier takes orders and payments.
	Cashier *checkout.Cashier
	// SecureCookies keeps every cookie from connections without TLS.
	SecureCookies bool
	// Events are what subscriptions tell of. Nil: there are none.
	Events *events.Tailer
	// Auth proves the credentials of connections that stay open, and proves
	// them again. Nil: only those of the upgrade request count.
	Auth stream.Authenticator
	// RequestTime bounds the answer to an operation on such a connection, and
	// to each event: 10 s where it is 0.
	RequestTime time.Duration
	// Connections is how many of them a caller may have. 0: any number.
	Connections int
	// HideSchema refuses introspection, and suggests no names in errors.
	HideSchema bool
	// Documents are those that clients can name instead of sending them. Where
	// TrustedOnly is set, no others are run.
	Documents   *documents.Registry
	TrustedOnly bool
	// Observer is told of every operation. Nil: nobody is.
	Observer observe.Observer
	// Explorer is where browsers are sent that come without a query, empty
	// where there is no such page.
	Explorer string
}

// handler runs operations: it is gqlgen's extension.
type handler struct {
	Config
	Reader    *reading.Reader
	present   *failure.Presenter
	tables    plan.Tables
	plans     map[string]plan.Root
	limiter   *limits.Limiter
	audiences *audiences
	documents *prepared.Documents
}

var (
	_ graphql.OperationContextMutator = (*handler)(nil)
	_ graphql.OperationInterceptor    = (*handler)(nil)
	_ graphql.RootFieldInterceptor    = (*handler)(nil)
	_ graphql.FieldInterceptor        = (*handler)(nil)
)

// keptDocuments is how many documents are kept.
const keptDocuments = 1000

// New returns the API. Whoever needs its streams to end drains it.
func New(c Config) *Server {
	if c.Auth == nil {
		c.Auth = trusting{}
	}
	if c.RequestTime == 0 {
		c.RequestTime = requestTime
	}
	tables := plan.NewTables(Schema(), entity.All)
	h := &handler{Config: c, present: &failure.Presenter{Log: c.Logger}, Reader: &reading.Reader{DB: c.DB, Dialect: c.DB.Dialect}, plans: plan.Roots(Schema(), tables, byHand()), tables: tables, limiter: limits.New(Schema(), costs()), audiences: new(audiences), documents: prepared.NewDocuments(keptDocuments)}
	root := &resolver{Config: c, Mutations: crud.Mutations{Door: &door.Door{DB: c.DB, Reader: h.Reader, Users: entity.User}, Client: c.Client}}
	exec := executor.New(generated.NewExecutableSchema(generated.Config{Schema: Schema(), Resolvers: root}))
	kept := lru.New[*ast.QueryDocument](keptDocuments)
	exec.SetQueryCache(kept)
	exec.SetDefaultRulesFn(func() *rules.Rules { return validation.Rules(c.HideSchema) })
	exec.SetParserTokenLimit(validation.MaxTokens)
	exec.SetDisableSuggestion(c.HideSchema)
	exec.SetErrorPresenter(failure.PresentRefusal)
	exec.SetRecoverFunc(h.present.Recovered)
	exec.Use(h)
	exec.Use(persisted.New(c.Documents, c.TrustedOnly))
	exec.Use(validation.Bounds{Valid: kept})
	run := observe.Executor(exec, c.Observer)
	streams := &stream.Server{Executor: &streamed{h, run}, Auth: c.Auth, Log: c.Logger, MaxConnections: c.Connections}
	return &Server{exec: run, transports: []graphql.Transport{eventStream{streams, c.RequestTime}, post{}, get{explorer: c.Explorer}}, streams: streams}
}

// ExtensionName implements graphql.HandlerExtension.
func (h *handler) ExtensionName() string { return "Planner" }

// Validate implements graphql.HandlerExtension: whatever the schema says of an
// entity must be something that can be planned.
func (h *handler) Validate(s graphql.ExecutableSchema) error {
	if err := checkAnnouncements(s.Schema()); err != nil {
		return err
	}
	return h.tables.Check(s.Schema())
}

// MutateOperationContext implements gqlgen's OperationContextMutator.
func (h *handler) MutateOperationContext(ctx context.Context, op *graphql.OperationContext) *gqlerror.Error {
	op.DisableIntrospection = h.HideSchema
	var err *gqlerror.Error
	if op.Variables, err = variables.Coerce(Schema(), op.Operation, op.Variables); err != nil {
		return err
	}
	deferral.Prepare(op)
	cost, err := h.documents.Prepare(ctx, op).Cost(op, h.limiter.Limit)
	if err == nil {
		limits.SetRequested(op, cost)
	}
	return err
}

// hashing is what the mutations cost that hash a password for whoever asks: as
// much as reading the largest page.
const hashing = 500

// costs are what the schema does not say of costs.
func costs() limits.Costs {
	return limits.Costs{
		Fields: map[string]int{
			"Mutation.register": hashing, "Mutation.login": hashing, "Mutation.resetPassword": hashing,
			"Mutation.setupTwoFactor": hashing, "Mutation.disableTwoFactor": hashing, "Mutation.renewRecoveryCodes": hashing,
			"Query.searchConnection": searchCost,
		},
		Lists: map[string]int{"OrderAction": 4},
	}
}

// byHand are the plans of the root queries in gql/*.graphql that answer with
// entities. What answers with something else has a resolver.
func byHand() map[string]plan.Root {
	return map[string]plan.Root{
		"users":            users,
		"searchUsers":      searchUsers,
		"searchConnection": searched,
		"posts":            posts,
		"me":               me,
		"feed":             feed,
	}
}
