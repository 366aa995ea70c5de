package app

import (
	"context"
	"io/fs"
	"net/http"

	gqlgen "github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gen/openapi"
	graphhandler "github.com/entwine-go/entwine/kit/graph/handler"
	"github.com/entwine-go/entwine/kit/graph/plan"
	"github.com/entwine-go/entwine/kit/internal/graph/stream"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/rest"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/web"
	"github.com/entwine-go/entwine/kit/write"
)

// Service describes a program: its generated part, its own code and its commands.
// Name and Migrations are required; the zero value of any other field has a
// meaning, which it says.
type Service struct {
	// Name is the program's: "notes".
	Name string
	// About says in a line what it is, for its help.
	About string
	// Try is printed by serve, outside of production, as a first request to try. URL
	// in it stands for the address, and URL/api/v1 for that of a version of REST.
	Try string
	// Requests are examples for the page at /. URL and URL/api/v1 in them stand for addresses as in
	// Try, and $TOKEN for a token. Empty: those that list rows of an entity of the service's own.
	Requests Requests
	// Version and Revision are those of the program, as its command version prints
	// them. Empty: those of Go's build information.
	Version, Revision string

	// Payments says that the service takes payments. In production it does not start
	// then without a payment gateway.
	Payments bool

	Generated

	// Mailer returns what sends mail. Nil: the sender of the settings, which is a mail
	// server or the mailbox in the database.
	Mailer func(p *Process, db *store.DB) (mail.Sender, error)
	// Open returns what the service has of its own. It is called once in a process of
	// serve or worker, after the migrations. An error ends the process. Nil: the
	// service has nothing of its own.
	Open func(h *Host) (*Parts, error)
	// Commands are the program's own, beside those that every service has.
	Commands []Command
}

// Requests are commands for a shell, lines that can be copied.
type Requests struct {
	// REST and GraphQL are one or more for each API.
	REST, GraphQL string
}

// Generated has the parts that follow from the schema.
type Generated struct {
	// Schema describes the service as a whole, from the schemas.
	Schema expose.Service
	// Migrations has the folders postgres and sqlite. Digest is that of the schema that
	// the migrations lead to, and a program whose schema is another one does not start.
	// Empty: that is not compared.
	Migrations fs.FS
	Digest     string
	// Manifest has the declarations of the schemas as JSON. The manifest that a caller
	// reads is made of it. Empty: there is no manifest.
	Manifest []byte
	// Entities are those that the APIs show, and Engine writes them.
	Entities []*entity.Entity
	Engine   func(db *store.DB) *write.Engine
	// Accounts are the entities of accounts. Nil: the service has none, and neither
	// signs users in nor takes API keys.
	Accounts *Accounts
	// Methods returns the methods of the actions of the kit's own tables, for services
	// whose own actions need none. [Parts] with Methods take its place.
	Methods func(h *Host) any
	// Document returns REST's OpenAPI document in JSON, Marks are annotations of it that are
	// not published, and Operations are its operations, by operationId.
	Document   func() []byte
	Marks      []byte
	Operations map[string]*openapi.Operation
	// Handled are the paths of the operations of rest/*.yaml that [Parts.Handlers] answer,
	// by operationId.
	Handled map[string]string
	// GraphQL returns GraphQL's schema.
	GraphQL func() *ast.Schema
	// Tables have the operations of both APIs. Nil: the service has none.
	Tables *Tables
}

// Parts are a service's own code in a process. All of it may be left out.
type Parts struct {
	// Methods are the methods of actions that have Run. The generated rows.NewMethods
	// returns them.
	Methods any
	// Around is called around creates, updates and deletes of an entity, by its name. It adds to
	// the work of accounts around writes of users.
	Around map[string]*write.Around
	// Judges validate the input of an action as a whole, by its entity and verb:
	// "Note.send".
	Judges map[string]write.Judge
	// Crowds name the row that many who do an action lock at a time, by its entity and verb: see
	// [write.Engine].
	Crowds map[string]func(write.Values) string
	// Asked are called before rows of an entity are read, by its name: see [read.Reader].
	Asked map[string]func(ctx context.Context) error
	// Kinds are the kinds of jobs with their handlers, and Schedule lists jobs that are
	// enqueued at times.
	Kinds    []jobs.Kind
	Schedule []jobs.Entry
	// Rests are rows of the service's tables that are removed after a time, beside
	// those of the kit ([Rests]). That is done every hour.
	Rests []jobs.Rest
	// Operations makes the server of REST, which calls the methods behind the operations of
	// rest/*.yaml, and Fields resolves the fields of gql/*.graphql: what Operations and
	// Fields of the generated package service return. A service that has any does not start
	// without.
	Operations rest.NewServer
	Fields     func(schema *ast.Schema) gqlgen.ExecutableSchema
	// Guards say what an operation of rest/*.yaml asks of its caller before anything else
	// is looked at, by operationId. Those without one are for every caller.
	Guards map[string]handler.Guard
	// Representations answer an operation of the kit in further media types, by its
	// operationId, which rest/*.yaml adds to its document.
	Representations map[string]map[string]handler.Handler
	// Plans are those of fields of Query in gql/*.graphql that answer with entities.
	Plans map[string]plan.Root
	// Mutations are those of gql/*.graphql that write rows as mutations of the schema do:
	// under another name, or with the fields as arguments.
	Mutations map[string]graphhandler.Mutation
	// Extensions are gqlgen's: interceptors of operations and fields. They see what has a
	// resolver, which is the fields of gql/*.graphql.
	Extensions []gqlgen.HandlerExtension
	// Problem turns an error of an operation of rest/*.yaml or a field of gql/*.graphql
	// that is the service's own into a [problem.Error], which both APIs answer with. Nil:
	// an error that is no problem.Error is an internal error.
	Problem func(err error) error
	// Handlers answer paths of their own: "/feed.xml", or all below one that ends
	// with a slash. The request's context has the viewer. They go before REST, and
	// after GraphQL and the pages of the kit. A [Page] declares a policy and limits of
	// its own.
	Handlers map[string]http.Handler
	// Auth verifies credentials, and KeySet is the JWK Set of the access tokens that
	// the service issues, in JSON. Nil: those of the service's accounts. Without
	// accounts every credential is refused.
	Auth   Authenticator
	KeySet []byte
	// Caller reads the user or the API key with the id as they are now, whichever is not
	// 0, nil where they may not sign in any more: jobs are done as those who enqueue them
	// (jobs.As). Nil: those of the service's accounts.
	Caller func(ctx context.Context, userID, keyID int64) (*viewer.Viewer, error)
	// Errors writes the answer to a request that failed, in the form of REST. Nil: the
	// kit's form.
	Errors func(w http.ResponseWriter, r *http.Request, err error)
	// Edge changes the settings of the HTTP edge, which every request passes through,
	// before the first request. Nil: they stay as they are.
	Edge func(e *web.Edge)
	// Webhook is set where another service sends messages to the path that
	// [expose.Service] has as Webhook.
	Webhook bool
	// Start is called before a process serves; an error ends the process. The first
	// admin of accounts is made after it. Nil: nothing is done.
	Start func(ctx context.Context) error
}

// Authenticator verifies the credentials of requests, and those of WebSockets, which
// stay open.
type Authenticator interface {
	web.Authenticator
	stream.Authenticator
}
