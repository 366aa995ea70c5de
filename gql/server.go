package gql

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/graph/deferral"
	"github.com/entwine-go/entwine/kit/runtime/graph/failure"
	"github.com/entwine-go/entwine/kit/runtime/graph/limits"
	"github.com/entwine-go/entwine/kit/runtime/graph/response"
	"github.com/entwine-go/entwine/kit/runtime/graph/stream"
	"github.com/entwine-go/entwine/kit/runtime/ratelimit"
	"github.com/entwine-go/entwine/kit/runtime/web"
	"github.com/entwine-go/entwine/kit/viewer"
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
		return nil, failure.CompleteAll(op, refused)
	}
	if op.Operation.Operation == ast.Mutation && isReadOnly(ctx) {
		return nil, gqlerror.List{failure.Refusal(problem.MethodNotAllowed, "only queries and subscriptions can be sent with GET")}
	}
	if err := s.count(ctx, op); err != nil {
		return nil, gqlerror.List{s.present.Present(ctx, err, nil)}
	}
	if op.Operation.Operation == ast.Subscription {
		return s.subscribe(ctx, op)
	}
	return &responses{streamed: s, op: op}, nil
}

// responses are the response of a query or a mutation, and those that it
// defers: all of them in the time of one.
type responses struct {
	*streamed
	op     *graphql.OperationContext
	run    graphql.ResponseHandler // nil before the first
	ctx    context.Context
	cancel context.CancelFunc
	done   bool
}

// Next implements stream.Results.
func (r *responses) Next(ctx context.Context) ([]byte, error) {
	if r.done {
		return nil, io.EOF
	}
	if r.run == nil {
		r.ctx, r.cancel = context.WithTimeout(graphql.StartOperationTrace(ctx), r.RequestTime)
		if stream.TakesParts(ctx) {
			r.ctx = deferral.Allow(r.ctx)
		}
		r.run, r.ctx = r.exec.DispatchOperation(r.ctx, r.op)
	}
	res := r.run(r.ctx)
	r.done = !response.HasNext(res)
	return response.Encode(ctx, res), nil
}

// Close implements stream.Results.
func (r *responses) Close() {
	if r.run == nil {
		return
	}
	r.cancel()
	for !r.done { // what was deferred ends with its context
		r.done = !response.HasNext(r.run(r.ctx))
	}
}

// count counts the operation for the caller, and itself as a request where it
// is none.
func (s *streamed) count(ctx context.Context, op *graphql.OperationContext) error {
	if stream.OnSocket(ctx) {
		if err := ratelimit.Charge(ctx, 1); err != nil {
			return err
		}
	}
	return limits.Charge(ctx, op)
}

// Refusal implements stream.Executor.
func (s *streamed) Refusal(err error) []byte {
	return response.Encode(context.Background(), &graphql.Response{Errors: gqlerror.List{s.present.Present(context.Background(), err, nil)}})
}

// once are results that are one response, of what could not be subscribed to.
type once struct {
	encoded func(context.Context) []byte
	done    bool
}

// Next implements stream.Results.
func (o *once) Next(ctx context.Context) ([]byte, error) {
	if o.done {
		return nil, io.EOF
	}
	o.done = true
	return o.encoded(ctx), nil
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
