package stream

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/internal/graph/failure"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/web"
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

func (s *Server) feed(w http.ResponseWriter, r *http.Request, open func(context.Context) (Feed, error)) error {
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	exit, ok := s.enter(func() { cancel(events.ErrClosed) })
	if !ok {
		return &problem.Error{Kind: problem.Unavailable, Message: "the service is shutting down", RetryAfter: time.Second}
	}
	defer exit()
	v := viewer.From(ctx)
	caller := callerOf(ctx, v)
	if !s.callers.enter(caller, s.MaxConnections) {
		return &problem.Error{Kind: problem.RateLimited, Message: "too many connections are open already", RetryAfter: time.Second}
	}
	defer s.callers.exit(caller)
	if !s.operations.enter(caller, maxOfCaller) {
		return problem.New(problem.SubscriptionLimit, "%s", tooMany(maxOfCaller, "on all connections of this caller").Message)
	}
	defer s.operations.exit(caller)
	from, err := open(ctx)
	if err != nil {
		return err
	}
	defer from.Close()
	e := &eventStream{Server: s, ctx: ctx, cancel: cancel, to: w, control: http.NewResponseController(w)}
	e.serve(v, from)
	return nil
}

type readOnlyKey struct{}

// WithReadOnly says that the request may change nothing.
func WithReadOnly(ctx context.Context) context.Context {
	return context.WithValue(ctx, readOnlyKey{}, true)
}

// IsReadOnly reports whether the request may change nothing.
func IsReadOnly(ctx context.Context) bool { return ctx.Value(readOnlyKey{}) != nil }

// eventStream is a response that goes on.
type eventStream struct {
	*Server
	ctx     context.Context
	cancel  context.CancelCauseFunc
	to      io.Writer
	control *http.ResponseController
}

// outcome is the result of a feed's Next.
type outcome struct {
	text []byte
	err  error
}

func (e *eventStream) serve(v *viewer.Viewer, from Feed) {
	h := e.to.(http.ResponseWriter).Header()
	h.Set("Content-Type", mediaEvents+"; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // for a proxy that would collect the events
	e.write(":\n\n")                 // the headers, and that the subscription has been accepted
	defer e.renewing(v)()
	outcomes := make(chan outcome)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		e.pump(from, outcomes)
	}()
	defer func() { // a feed is closed when nothing is asked of it
		e.cancel(nil)
		<-ended
	}()
	beat := time.NewTicker(beatTime)
	defer beat.Stop()
	for {
		select {
		case <-e.ctx.Done():
			e.end(from, context.Cause(e.ctx))
			return
		case <-beat.C:
			e.write(":\n\n")
		case o := <-outcomes:
			if o.err != nil {
				e.end(from, o.err)
				return
			}
			e.write(string(o.text))
		}
	}
}

func (e *eventStream) pump(from Feed, to chan<- outcome) {
	for {
		text, err := from.Next(e.ctx)
		select {
		case <-e.ctx.Done():
			return
		case to <- outcome{text, err}:
		}
		if err != nil {
			return
		}
	}
}

// renewing proves the credentials again from time to time, until it is stopped.
func (e *eventStream) renewing(v *viewer.Viewer) (stop func()) {
	if !v.Authenticated() {
		return func() {}
	}
	var timer *time.Timer
	ready := make(chan struct{})
	wait := func(most time.Duration) time.Duration {
		if v.Expires.IsZero() {
			return most
		}
		return max(0, min(most, time.Until(v.Expires)))
	}
	timer = time.AfterFunc(wait(proofTime), func() {
		<-ready
		ctx, cancel := context.WithTimeout(e.ctx, writeTime)
		defer cancel()
		switch _, err := e.Auth.Still(ctx, v); {
		case web.Unauthenticated(err):
			e.cancel(err)
		case err != nil:
			timer.Reset(retryTime)
		default:
			timer.Reset(wait(proofTime))
		}
	})
	close(ready)
	return func() { timer.Stop() }
}

// end writes how the stream ends, if the client gets that.
func (e *eventStream) end(from Feed, err error) {
	switch {
	case errors.Is(err, io.EOF):
		e.write(string(from.End(e.ctx, nil)))
	case web.Unauthenticated(err): // coming back with the same credentials is of no use
		e.write(string(from.End(e.ctx, err)))
	case errors.Is(err, context.Canceled): // by the client
	default: // at the end of the process, too: complete would be for good
		e.Log.Log(e.ctx, slog.LevelDebug, "event stream broken off", slog.Any("err", err))
		panic(http.ErrAbortHandler)
	}
}

// write writes and sends, while the client takes it in time.
func (e *eventStream) write(text string) {
	_ = e.control.SetWriteDeadline(time.Now().Add(writeTime)) // a recorder in a test has none
	if _, err := io.WriteString(e.to, text); err != nil {
		e.cancel(context.Canceled)
		return
	}
	if err := e.control.Flush(); err != nil {
		e.cancel(context.Canceled)
	}
}
