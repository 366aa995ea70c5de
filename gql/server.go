package gql

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/gql/stream"
	"github.com/entwine-go/entwine/internal/problem"
	"github.com/entwine-go/entwine/internal/ratelimit"
	"github.com/entwine-go/entwine/internal/viewer"
	"github.com/entwine-go/entwine/internal/web"
)

// Server is the handler of /graphql. It acts for the viewer of the request's
// context.
type Server struct {
	exec       graphql.GraphExecutor
	transports []graphql.Transport
	streams    *stream.Server
}

// ServeHTTP hands a request to the transport that takes it.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if web.IsWebSocket(r) {
		s.streams.ServeWebSocket(w, r)
		return
	}
	r = r.WithContext(graphql.StartOperationTrace(r.Context())) // gqlgen demands it
	for _, t := range s.transports {
		if t.Supports(r) {
			t.Do(w, r, s.exec)
			return
		}
	}
	w.Header().Set("Allow", "GET, HEAD, POST, OPTIONS")
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	refuse(w, r, problem.New(problem.MethodNotAllowed, "%s is not allowed: GET, HEAD and POST are", r.Method))
}

// Connections is how many connections stay open now: WebSockets and streams of
// events.
func (s *Server) Connections() int { return s.streams.Connections() }

// Drain ends all streams, and refuses new ones: see [stream.Server.Drain].
func (s *Server) Drain(ctx context.Context) { s.streams.Drain(ctx) }

// streamed runs operations for connections that stay open.
type streamed struct {
	*handler
	exec graphql.GraphExecutor
}

// Start implements stream.Executor.
func (s *streamed) Start(ctx context.Context, p *graphql.RawParams) (stream.Results, gqlerror.List) {
	ctx = graphql.StartOperationTrace(ctx)
	op, refused := s.exec.CreateOperationContext(ctx, p)
	if refused != nil {
		return nil, refusedAs(op, refused)
	}
	if op.Operation.Operation == ast.Mutation && isReadOnly(ctx) {
		return nil, gqlerror.List{refusal(problem.MethodNotAllowed, "only queries and subscriptions can be sent with GET")}
	}
	if err := s.count(ctx, op); err != nil {
		return nil, gqlerror.List{s.present(ctx, err, nil)}
	}
	if op.Operation.Operation == ast.Subscription {
		return s.subscribe(ctx, op)
	}
	return &once{response: func(ctx context.Context) []byte {
		ctx, cancel := context.WithTimeout(ctx, s.RequestTime)
		defer cancel()
		run, ctx := s.exec.DispatchOperation(graphql.StartOperationTrace(ctx), op)
		return encode(ctx, run(ctx))
	}}, nil
}

// count counts the operation for the caller, and itself as a request where it
// is none.
func (s *streamed) count(ctx context.Context, op *graphql.OperationContext) error {
	if stream.OnSocket(ctx) {
		if err := ratelimit.Charge(ctx, 1); err != nil {
			return err
		}
	}
	return charge(ctx, op)
}

// Refusal implements stream.Executor.
func (s *streamed) Refusal(err error) []byte {
	return encode(context.Background(), &graphql.Response{Errors: gqlerror.List{s.present(context.Background(), err, nil)}})
}

// once are results that are one response.
type once struct {
	response func(context.Context) []byte
	done     bool
}

// Next implements stream.Results.
func (o *once) Next(ctx context.Context) ([]byte, error) {
	if o.done {
		return nil, io.EOF
	}
	o.done = true
	return o.response(ctx), nil
}

// Close implements stream.Results.
func (o *once) Close() {}

// trusting is the authenticator where none is set: it believes who somebody
// was proven to be, and proves nobody.
type trusting struct{}

func (trusting) Token(context.Context, string) (*viewer.Viewer, error) {
	return nil, problem.New(problem.TokenInvalid, "token invalid")
}

func (trusting) APIKey(context.Context, string) (*viewer.Viewer, error) {
	return nil, problem.New(problem.TokenInvalid, "API key invalid")
}

func (trusting) Still(_ context.Context, was *viewer.Viewer) (*viewer.Viewer, error) { return was, nil }

// requestTime bounds the answer to an operation, or to an event, where
// nothing else is set.
const requestTime = 10 * time.Second
