package web

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/entwine-go/entwine/internal/problem"
)

// errSlow is the cause of a context whose budget is used up.
var errSlow = &problem.Error{
	Kind:       problem.Unavailable,
	Message:    "answering took too long: try again",
	RetryAfter: time.Second,
	Err:        context.DeadlineExceeded,
}

// budget ends the context of a request that takes too long: its statements
// end with it, and their error is [problem.Unavailable] as the cause of the
// context says. A stream has no budget, it ends when somebody leaves.
func (e *Edge) budget(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isStream(r) {
			// Nor may the server's limit for writing an answer end it.
			_ = http.NewResponseController(w).SetWriteDeadline(time.Time{})
			next.ServeHTTP(w, r)
			return
		}
		ctx, cancel := context.WithTimeoutCause(r.Context(), e.Limit.RequestTime, errSlow)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// isStream reports whether the request asks for events: over a WebSocket, or
// from GraphQL over a response that does not end.
func isStream(r *http.Request) bool {
	if r.URL.Path != GraphQLPath {
		return false
	}
	return r.Header.Get("Upgrade") != "" || strings.Contains(r.Header.Get("Accept"), "text/event-stream")
}
