package web

import (
	"context"
	"net/http"

	"github.com/entwine-go/entwine/kit/internal/fastpath"
	"github.com/entwine-go/entwine/kit/requestid"
)

// identify gives the request an id: the client's where it can be logged
// without escaping, else a new one.
func (e *Edge) identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header["X-Request-Id"]
		if len(id) != 1 || !requestid.Valid(id[0]) {
			id = []string{requestid.New()}
		}
		w.Header()["X-Request-Id"] = id
		x := newExchange(w, r)
		c := connOf(r.Context())
		c.begin(x)
		defer c.end() // also when the connection is cut off
		ctx := x.bind(c, r, id[0])
		if e.Observer == nil {
			next.ServeHTTP(x, r.WithContext(ctx))
		} else {
			e.observe(ctx, x, r, next)
		}
		x.finish()
		x.release()
	})
}

// bind returns the context of the request. On a connection of ours that is a
// [scope].
func (x *exchange) bind(c *conn, r *http.Request, id string) context.Context {
	if c == nil || r.ProtoMajor != 1 {
		return requestid.With(r.Context(), id)
	}
	x.conn = c
	if fastpath.Off() {
		return requestid.With(r.Context(), id)
	}
	x.scope = newScope(r.Context(), id)
	c.open(x.scope)
	return x.scope
}
