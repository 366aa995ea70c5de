package stream

import (
	"bytes"
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
	ctx, cancel := context.WithCancelCause(withParts(r.Context(), r))
	defer cancel(nil)
	exit, ok := s.enter(func() { cancel(events.ErrClosed) })
	if !ok {
		fail(&problem.Error{Kind: problem.Unavailable, Message: "the service is shutting down", RetryAfter: time.Second})
		return
	}
	defer exit()
	v := viewer.From(ctx)
	caller := callerOf(ctx, v)
	if !s.callers.enter(caller, s.MaxConnections) {
		fail(&problem.Error{Kind: problem.RateLimited, Message: "too many connections are open already", RetryAfter: time.Second})
		return
	}
	defer s.callers.exit(caller)
	if !s.operations.enter(caller, maxOfCaller) {
		refuse(gqlerror.List{tooMany(maxOfCaller, "on all connections of this caller")})
		return
	}
	defer s.operations.exit(caller)
	results, refused := s.Executor.Start(ctx, p)
	if refused != nil {
		refuse(refused)
		return
	}
	defer results.Close()
	e := &eventStream{Server: s, ctx: ctx, cancel: cancel, to: w, control: http.NewResponseController(w)}
	e.serve(v, results)
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
	text    bytes.Buffer
}

// outcome is what an operation's Next returned.
type outcome struct {
	response []byte
	err      error
}

func (e *eventStream) serve(v *viewer.Viewer, results Results) {
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
		e.pump(results, outcomes)
	}()
	defer func() { // results are closed when none is asked for
		e.cancel(nil)
		<-ended
	}()
	beat := time.NewTicker(beatTime)
	defer beat.Stop()
	for {
		select {
		case <-e.ctx.Done():
			e.end(context.Cause(e.ctx))
			return
		case <-beat.C:
			e.write(":\n\n")
		case o := <-outcomes:
			if o.err != nil {
				e.end(o.err)
				return
			}
			e.event("next", o.response)
		}
	}
}

func (e *eventStream) pump(results Results, to chan<- outcome) {
	for {
		response, err := results.Next(e.ctx)
		select {
		case <-e.ctx.Done():
			return
		case to <- outcome{response, err}:
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
func (e *eventStream) end(err error) {
	switch {
	case errors.Is(err, io.EOF):
		e.event("complete", nil)
	case web.Unauthenticated(err): // coming back with the same credentials is of no use
		e.event("next", e.Executor.Refusal(e.ctx, err))
		e.event("complete", nil)
	case errors.Is(err, context.Canceled): // by the client
	default: // at the end of the process, too: complete would be for good
		e.Log.Log(e.ctx, slog.LevelDebug, "event stream broken off", slog.Any("err", err))
		panic(http.ErrAbortHandler)
	}
}

func (e *eventStream) event(name string, data []byte) {
	e.text.Reset()
	e.text.WriteString("event: " + name + "\ndata: ")
	e.text.Write(data) // JSON on one line
	e.text.WriteString("\n\n")
	e.write(e.text.String())
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
