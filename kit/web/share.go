package web

import (
	"net/http"

	"github.com/rs/cors"
)

var varyOrigin = []string{"Origin"}

// share lets pages of other origins call and read what is behind (CORS, as
// the Fetch standard has it), with cookies: those of an exact list, never a
// pattern. A preflight ends here: it has no credentials and does not count
// for the rate limit. Any other origin is logged.
func (e *Edge) share(next http.Handler) http.Handler {
	next = e.tellOfRefused(next)
	if len(e.Origins) == 0 && !e.LocalOrigins {
		return next
	}
	shared := cors.New(cors.Options{
		AllowOriginFunc:  e.admits,
		AllowCredentials: true,
		AllowedMethods:   []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete},
		AllowedHeaders: []string{
			"Accept", "API-Version", "Apollo-Require-Preflight", "Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-Modified-Since",
			"If-Range",
			"GraphQL-Require-Preflight", "If-None-Match", "If-Unmodified-Since", "Prefer", "Range", "Traceparent", "X-API-Key", "X-API-Version",
			"X-Apollo-Operation-Name", "X-Request-Id", "X-Requested-With",
		},
		ExposedHeaders: []string{
			"Accept-Ranges", "Allow", "Content-Disposition", "Content-Range", "Deprecation", "ETag", "Idempotency-Replayed", "Link", "Location", "Preference-Applied",
			"Retry-After", "Sunset", "Warning", "WWW-Authenticate", "X-API-Brownout", "X-API-Version", "X-RateLimit-Limit", "X-RateLimit-Remaining",
			"X-RateLimit-Reset", "X-Request-Id",
		},
		MaxAge:               600, // seconds: what all browsers keep
		OptionsSuccessStatus: http.StatusNoContent,
	}).Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header["Origin"] != nil || r.Method == http.MethodOptions {
			shared.ServeHTTP(w, r)
			return
		}
		w.Header()["Vary"] = varyOrigin // all that is said where no page asks
		next.ServeHTTP(w, r)
	})
}
