package web

import (
	"net/http"
	"slices"
	"strings"

	"github.com/rs/cors"
)

var varyOrigin = []string{"Origin"}

// sharedHeaders are the header fields that pages of other origins may send: those
// that the service reads, and those that clients of GraphQL, of event streams and of
// tracing send by themselves.
var sharedHeaders = []string{
	"Accept", "API-Version", "Authorization", "Cache-Control", "Consistency-Token", "Content-Digest", "Content-Disposition", "Content-Type", "Idempotency-Key", "If-Match", "If-Modified-Since",
	"If-None-Match", "If-Range", "If-Unmodified-Since", "Last-Event-ID", "Prefer", "Range", "Repr-Digest", "Tus-Resumable", "Upload-Checksum", "Upload-Complete", "Upload-Concat",
	"Upload-Defer-Length", "Upload-Draft-Interop-Version", "Upload-Length", "Upload-Metadata", "Upload-Offset", "X-API-Key", "X-API-Version", "X-Request-Id", "X-Requested-With",
	"Apollo-Require-Preflight", "Apollographql-Client-Name", "Apollographql-Client-Version", "GraphQL-Require-Preflight",
	"X-Apollo-Operation-Id", "X-Apollo-Operation-Name",
	"Baggage", "Sentry-Trace", "Traceparent", "Tracestate",
}

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
		AllowedHeaders:   append(slices.Clip(sharedHeaders), e.Headers...),
		ExposedHeaders: []string{
			"Accept-Ranges", "Allow", "Consistency-Token", "Content-Disposition", "Content-Range", "Deprecation", "ETag", "Idempotency-Replayed", "Link", "Location", "Preference-Applied",
			"Retry-After", "Sunset", "Tus-Extension", "Tus-Max-Size", "Tus-Resumable", "Tus-Version", "Upload-Complete", "Upload-Defer-Length", "Upload-Expires",
			"Upload-Length", "Upload-Limit", "Upload-Offset", "Warning", "WWW-Authenticate", "X-API-Brownout", "X-API-Version", "X-RateLimit-Limit", "X-RateLimit-Remaining",
			"X-RateLimit-Reset", "X-Request-Id",
		},
		MaxAge:               600, // seconds: what all browsers keep
		OptionsSuccessStatus: http.StatusNoContent,
	}).Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header["Origin"] != nil || r.Method == http.MethodOptions {
			shared.ServeHTTP(w, sorted(r))
			return
		}
		w.Header()["Vary"] = varyOrigin // all that is said where no page asks
		next.ServeHTTP(w, r)
	})
}

// sorted is the request with the names in Access-Control-Request-Headers in the form in which package cors
// accepts them: that of the Fetch standard, in lower case, sorted, without blanks. Other clients than browsers
// and proxies send them in other forms.
func sorted(r *http.Request) *http.Request {
	const header = "Access-Control-Request-Headers"
	given := r.Header[header]
	if len(given) == 0 {
		return r
	}
	var names []string
	for name := range strings.SplitSeq(strings.ToLower(strings.Join(given, ",")), ",") {
		if name = strings.Trim(name, " \t"); name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	r = r.WithContext(r.Context())
	r.Header = r.Header.Clone()
	r.Header.Set(header, strings.Join(slices.Compact(names), ","))
	return r
}
