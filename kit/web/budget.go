package web

import (
	"cmp"
	"context"
	"net/http"
	"strings"
)

// budget returns a context that ends when the request has taken too long.
// Its statements end with it, and store.Problem makes of their error the
// client's answer. A stream has no budget: it ends when client or server close it.
func (e *Edge) budget(w http.ResponseWriter, r *http.Request, p Page) (context.Context, context.CancelFunc) {
	if isStream(r) {
		return r.Context(), func() {}
	}
	if x := w.(*exchange); x.scope != nil {
		x.conn.bind(x.scope, cmp.Or(p.Time, e.Limit.RequestTime))
		return r.Context(), func() {}
	}
	w.(*exchange).asked = r.Context()
	return context.WithTimeout(r.Context(), cmp.Or(p.Time, e.Limit.RequestTime))
}

// Stream lifts the budget of a request of REST whose answer turns out to be a stream,
// which has none, and has the observer count it as one. The context is that of the
// request; the caller uses the one that it returns in its place, and calls done at the end.
func Stream(ctx context.Context, w http.ResponseWriter) (_ context.Context, done func()) {
	x := exchangeOf(w)
	if x == nil {
		return ctx, func() {}
	}
	x.streams = true
	if x.observer != nil {
		x.observer.Streams(ctx)
	}
	if x.scope != nil {
		x.conn.unbind(x.scope)
		return ctx, func() {}
	}
	asked := x.asked
	if asked == nil {
		return ctx, func() {}
	}
	free, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(asked, func() { cancel(context.Cause(asked)) })
	return free, func() {
		stop()
		cancel(nil)
	}
}

// isStream reports whether the request asks for events: over a WebSocket, or
// from GraphQL over a response that does not end.
func isStream(r *http.Request) bool {
	if r.URL.Path != GraphQLPath {
		return false
	}
	return IsWebSocket(r) || asksForEvents(r)
}

// asksForEvents reports whether the answer may be an event stream.
func asksForEvents(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), "text/event-stream")
}

// IsWebSocket reports whether the request asks to become a WebSocket.
func IsWebSocket(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}
