package app

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/entwine-go/entwine/kit/web"
)

// Page is an [http.Handler] of [Parts.Handlers] that declares what holds for it alone:
//
//	"/report/": app.Page{Handler: h.Handler(report), Policy: "default-src 'self'", Body: 32 << 20, Time: time.Minute}
type Page struct {
	http.Handler
	// Policy is the Content-Security-Policy of its answers, as in "default-src 'self'".
	// Empty: the one of every answer, under which browsers load nothing: no script, no
	// style, no image.
	Policy string
	// Body is how many bytes may be sent to it: as many as ENTWINE_BODY_LIMIT says if 0.
	Body int64
	// Time is how long a request may take, and its body to arrive: as long as
	// ENTWINE_REQUEST_TIME and ENTWINE_BODY_TIME say if 0.
	Time time.Duration
}

// unhandled says which operation of rest/*.yaml is described as a handler's, and has none.
func unhandled(described map[string]string, handlers map[string]http.Handler) error {
	for _, id := range slices.Sorted(maps.Keys(described)) {
		if web.Below(handlers, described[id]) == nil {
			return fmt.Errorf("%s: rest/*.yaml has a handler answer %s, and Parts.Handlers has none there", id, described[id])
		}
	}
	return nil
}

// pages are handlers as the edge takes them.
func pages(handlers map[string]http.Handler) map[string]http.Handler {
	all := make(map[string]http.Handler, len(handlers))
	for path, h := range handlers {
		if p, ok := h.(Page); ok {
			h = web.Page(p)
		}
		all[path] = h
	}
	return all
}
