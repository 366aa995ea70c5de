package web

import (
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/entwine-go/entwine/kit/problem"
)

// errPanic is the client's answer after a panic.
var errPanic = problem.New(problem.Internal, "internal error")

// recover logs a panic with its stack and answers 500. Where the answer has begun,
// the connection is closed instead: otherwise the answer would look complete.
func (e *Edge) recover(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			cause := recover()
			if cause == nil {
				return
			}
			if cause == http.ErrAbortHandler { //nolint:errorlint // net/http compares it like this
				panic(cause)
			}
			e.Log.ErrorContext(r.Context(), "panic", "err", fmt.Sprint(cause), "stack", string(debug.Stack()))
			if x := w.(*exchange); x.status != 0 {
				panic(http.ErrAbortHandler)
			}
			removeHeaders(w.Header())
			e.setProtection(w.Header(), r)
			w.Header().Set("Connection", "close") // the request may be half read
			e.Errors(w, r, errPanic)
		}()
		next.ServeHTTP(w, r)
	})
}

// removeHeaders removes every header that is not about the exchange itself.
func removeHeaders(h http.Header) {
	for name := range h {
		if name != "X-Request-Id" && !strings.HasPrefix(name, "X-Ratelimit-") {
			delete(h, name)
		}
	}
}
