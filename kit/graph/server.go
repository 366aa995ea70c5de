package graph

import (
	"context"
	"net/http"

	"github.com/entwine-go/entwine/kit/internal/graph/stream"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Server is the handler of /graphql. It acts for the viewer of the request's
// context.
type Server struct {
	http.Handler
	streams *stream.Server
}

// Connections is how many connections stay open now: WebSockets and streams of
// events.
func (s *Server) Connections() int { return s.streams.Connections() }

// Drain ends all streams, and refuses new ones: see [stream.Server.Drain].
func (s *Server) Drain(ctx context.Context) { s.streams.Drain(ctx) }

// Streams are connections that stay open: WebSockets and event streams of GraphQL, and
// what [stream.Server.ServeFeed] serves of another API, which counts as these do.
type Streams = stream.Server

// Feed has the events of an event stream of another API.
type Feed = stream.Feed

// trusting is the authenticator where none is set: it keeps viewers who were
// proven before, and proves no credential.
type trusting struct{}

func (trusting) Token(context.Context, string) (*viewer.Viewer, error) {
	return nil, problem.New(problem.TokenInvalid, "token invalid")
}

func (trusting) APIKey(context.Context, string) (*viewer.Viewer, error) {
	return nil, problem.New(problem.TokenInvalid, "API key invalid")
}

func (trusting) Still(_ context.Context, was *viewer.Viewer) (*viewer.Viewer, error) { return was, nil }
