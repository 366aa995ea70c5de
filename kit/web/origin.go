package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// admits reports whether pages of the origin may call the APIs.
func (e *Edge) admits(origin string) bool {
	same := func(one string) bool { return strings.EqualFold(one, origin) }
	return slices.ContainsFunc(e.Origins, same) || e.LocalOrigins && isLocal(origin)
}

// isLocal reports whether an origin is of this machine, whatever its port.
func isLocal(origin string) bool {
	if origin == "" {
		return false
	}
	u, err := url.Parse(origin)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || origin != u.Scheme+"://"+u.Host {
		return false
	}
	switch u.Hostname() {
	case "localhost", "127.0.0.1", "::1":
		return true
	}
	return false
}

// sites recognizes requests that a browser sends for a page of another site.
type sites struct {
	edge *Edge
	*http.CrossOriginProtection
}

// sameOrigin is made once for a handler.
func (e *Edge) sameOrigin() sites {
	p := http.NewCrossOriginProtection()
	for _, origin := range e.Origins {
		if err := p.AddTrustedOrigin(origin); err != nil {
			panic(err) // the settings have been checked
		}
	}
	return sites{e, p}
}

// Check returns an error for a request that a page of another site makes.
func (s sites) Check(r *http.Request) error {
	if s.edge.LocalOrigins && isLocal(r.Header.Get("Origin")) {
		return nil
	}
	return s.CrossOriginProtection.Check(r)
}

// mostRefused is how many origins are remembered: clients send what they like.
const mostRefused = 16

// refusedOrigins are those that were logged.
type refusedOrigins struct {
	mu  sync.Mutex
	all []string
}

// first reports whether the origin was not there yet, and is now.
func (o *refusedOrigins) first(origin string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.all) == mostRefused || slices.Contains(o.all, origin) {
		return false
	}
	o.all = append(o.all, origin)
	return true
}

// tellOfRefused logs a warning, once for each, of origins whose pages call in vain: the
// browser hides the reason from the page.
func (e *Edge) tellOfRefused(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if origin := r.Header.Get("Origin"); origin != "" && !e.admits(origin) && !ofHost(origin, r.Host) && e.refused.first(origin) {
			e.Log.WarnContext(r.Context(), "a page of another origin called, and may not read the answer: add its origin to ENTWINE_CORS_ORIGINS if it is yours",
				"origin", origin)
		}
		next.ServeHTTP(w, r)
	})
}

// ofHost reports whether an origin is the host that was asked.
func ofHost(origin, host string) bool {
	_, at, _ := strings.Cut(origin, "://")
	return strings.EqualFold(at, host)
}
