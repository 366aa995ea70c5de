package app

import (
	"context"
	"io/fs"
	"net/http"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/runtime/graph"
	"github.com/entwine-go/entwine/kit/runtime/graph/stream"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/resource/openapi"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/runtime/web"
	"github.com/entwine-go/entwine/kit/runtime/writing"
)

// Service is what a program is made of. Name and Migrations are required.
type Service struct {
	// Name is the program's: "notes".
	Name string
	// About says in a line what it is, for its help.
	About string
	// Try is what serve tells those to do who try it out, in which URL stands for
	// the address. It is not told in production.
	Try string
	// Requests are what the page at / shows to try the APIs by, in which URL stands
	// for the address and $TOKEN for a token. Empty: those that list rows of an entity
	// of the service's own.
	Requests Requests
	// Version and Revision are those of the program. Empty: those that Go has
	// built into it.
	Version, Revision string

	Generated

	// Mailer returns what sends mail. Nil: what the settings say, which is a server
	// or the mailbox in the database.
	Mailer func(p *Process, db *store.DB) (mail.Sender, error)
	// Open puts together what the service has of its own. It is called once in a
	// process that serves or works, when the database is up to date. Nil: nothing.
	Open func(h *Host) (*Parts, error)
	// Commands are the program's own, beside those that every service has.
	Commands []Command
}

// Requests are commands for a shell, lines that can be copied.
type Requests struct {
	// REST and GraphQL are one or more for each API.
	REST, GraphQL string
}

// Generated is what follows from the schema.
type Generated struct {
	// Schema is what the schemas say of the service as a whole.
	Schema expose.Service
	// Migrations has a folder for each database, and Digest is that of the schema
	// which they lead to. Empty: that is not compared.
	Migrations fs.FS
	Digest     string
	// Entities are those that the APIs show, and Engine writes them.
	Entities []*reading.Entity
	Engine   func(db *store.DB) *writing.Engine
	// Accounts are the entities of accounts. Nil: the service has none, and neither
	// signs users in nor takes API keys.
	Accounts *Accounts
	// Methods are those behind the actions of the kit's own tables, where no other
	// actions need any: unless [Parts] has its own.
	Methods func(h *Host) any
	// Document is REST's OpenAPI document, Marks are what it does not say of
	// itself, and Operations are those of it.
	Document   []byte
	Marks      []byte
	Operations map[string]*openapi.Operation
	// GraphQL returns GraphQL's schema.
	GraphQL func() *ast.Schema
	// Tables are what the APIs are made of, unless [Parts] has its own.
	Tables *Tables
}

// Parts are what a service has of its own in a process. What is left out is not
// there.
type Parts struct {
	// Methods are those behind the actions that columns alone can't carry out:
	// what the generated rows.NewMethods returns.
	Methods any
	// Around is what happens around creates and updates, by the entity's name.
	Around map[string]*writing.Around
	// Judges look at the input of an action as a whole, by "Note.send".
	Judges map[string]writing.Judge
	// Kinds are the kinds of jobs, and Schedule lists those that no request asks for.
	Kinds    []jobs.Kind
	Schedule []jobs.Entry
	// Rests are what the service keeps for a while, beside what the kit does: they
	// are removed every hour.
	Rests []jobs.Rest
	// REST and GraphQL make the APIs, in a process that serves. Nil: they are made
	// of the generated [Tables]. A REST API of one's own comes with Errors.
	REST    func(s *Serving) http.Handler
	GraphQL func(s *Serving) *graph.Server
	// Handlers answer paths of their own: "/feed.xml", or all below one that ends
	// with a slash. The request's context has the viewer. They go before REST, and
	// after GraphQL and the pages of the kit.
	Handlers map[string]http.Handler
	// Auth proves credentials, and KeySet is the JWK Set of the access tokens that
	// the service issues. Nil: those of the service's accounts. Without accounts every
	// credential is refused.
	Auth   Authenticator
	KeySet []byte
	// Errors writes an error as REST does. Nil: in the kit's form.
	Errors func(w http.ResponseWriter, r *http.Request, err error)
	// Edge, if there is one, changes what every request passes through.
	Edge func(e *web.Edge)
	// Webhook: messages are sent to the path that the schema names.
	Webhook bool
	// Start is called before a process serves, and keeps it from serving with an
	// error. The first admin of accounts is made after it.
	Start func(ctx context.Context) error
}

// Authenticator proves the credentials of requests, and of connections that
// stay open.
type Authenticator interface {
	web.Authenticator
	stream.Authenticator
}
