package web

import "net/http"

// The headers that every answer has. The values are shared, and never
// changed in place.
var (
	noSniff    = []string{"nosniff"}
	noReferrer = []string{"no-referrer"}
	noContent  = []string{"default-src 'none'; base-uri 'none'; frame-ancestors 'none'"}
	onlyTLS    = []string{"max-age=31536000; includeSubDomains"}
)

// protect sets the headers that keep browsers from guessing types, telling
// where they come from, and loading or framing anything. A page that needs
// more sets a Content-Security-Policy of its own.
func (e *Edge) protect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.setProtection(w.Header(), r)
		next.ServeHTTP(w, r)
	})
}

func (e *Edge) setProtection(h http.Header, r *http.Request) {
	h["X-Content-Type-Options"] = noSniff
	h["Referrer-Policy"] = noReferrer
	h["Content-Security-Policy"] = noContent
	if e.secure(r) {
		h["Strict-Transport-Security"] = onlyTLS
	}
}
