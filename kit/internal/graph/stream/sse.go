package stream

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/internal/graph/failure"
	"github.com/entwine-go/entwine/kit/problem"
)

// mediaEvents is the media type of an event stream.
const mediaEvents = "text/event-stream"

// IsEvents reports whether a request asks for its responses as an event stream.
func IsEvents(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), mediaEvents)
}

// ServeEvents runs one operation and writes its responses as events
// (graphql-sse, "distinct connections mode"): next for each, then complete. A
// stream that is broken off ends without it, so that the client comes back.
// Fail answers a request before the stream has begun.
func (s *Server) ServeEvents(w http.ResponseWriter, r *http.Request, p *graphql.RawParams, refuse func(gqlerror.List), fail func(error)) {
	err := s.feed(w, r.WithContext(withParts(r.Context(), r)), func(ctx context.Context) (Feed, error) {
		results, refused := s.Executor.Start(ctx, p)
		if refused != nil {
			return nil, refusedError{refused}
		}
		return responses{results, s.Executor}, nil
	})
	var refused refusedError
	switch {
	case errors.As(err, &refused):
		refuse(refused.List)
	case err != nil && problem.KindOf(err) == problem.SubscriptionLimit:
		refuse(gqlerror.List{failure.Refusal(problem.SubscriptionLimit, "%s", problem.As(err).Message)})
	case err != nil:
		fail(err)
	}
}

// refusedError is the errors of an operation that can't be run.
type refusedError struct{ gqlerror.List }

// responses are those of an operation, as events.
type responses struct {
	Results
	executor Executor
}

// Next implements [Feed].
func (r responses) Next(ctx context.Context) ([]byte, error) {
	response, err := r.Results.Next(ctx)
	if err != nil {
		return nil, err
	}
	return event("next", response), nil
}

// End implements [Feed].
func (r responses) End(ctx context.Context, err error) []byte {
	if err == nil {
		return event("complete", nil)
	}
	return append(event("next", r.executor.Refusal(ctx, err)), event("complete", nil)...)
}

// event is an event with JSON on one line.
func event(name string, data []byte) []byte {
	text := append(make([]byte, 0, len(name)+len(data)+16), "event: "+name+"\ndata: "...)
	return append(append(text, data...), "\n\n"...)
}

// Feed has the events of an event stream.
type Feed interface {
	// Next waits for the next event and returns its text. After the last it returns
	// [io.EOF]. Any other error breaks the stream off, but one of credentials.
	Next(ctx context.Context) ([]byte, error)
	// End is the text at the end of a stream to whose client it is of no use to come
	// back with the same credentials, because of the error; nil after the last event.
	End(ctx context.Context, err error) []byte
	// Close ends the feed.
	Close()
}

// ServeFeed serves what open begins as an event stream, which counts as those of
// GraphQL do. Where it can't begin, nothing is written and the error says why.
func (s *Server) ServeFeed(w http.ResponseWriter, r *http.Request, open func(context.Context) (Feed, error)) error {
	err := s.feed(w, r, open)
	if err != nil && problem.KindOf(err) == problem.SubscriptionLimit { // which REST has no code for
		return &problem.Error{Kind: problem.RateLimited, Message: problem.As(err).Message, RetryAfter: time.Second}
	}
	return err
}

type readOnlyKey struct{}

// WithReadOnly says that the request may change nothing.
func WithReadOnly(ctx context.Context) context.Context {
	return context.WithValue(ctx, readOnlyKey{}, true)
}

// IsReadOnly reports whether the request may change nothing.
func IsReadOnly(ctx context.Context) bool { return ctx.Value(readOnlyKey{}) != nil }
