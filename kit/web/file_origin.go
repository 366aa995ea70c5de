package web

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/problem"
)

// filesApart has the origin of files answered by files to which there are links, and by nothing
// else: what is uploaded is of another origin than the APIs then, and credentials that a browser
// has for these are not read there. All other hosts are next's.
func (s Site) filesApart(next, rest http.Handler) http.Handler {
	origin, err := url.Parse(s.FilesOrigin)
	if err != nil || origin.Host == "" {
		return next
	}
	missing := s.Edge.Open(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.Edge.refuse(w, r, problem.New(problem.NotFound, "this host has files alone, each at a link with a token: the API is elsewhere"))
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !strings.EqualFold(r.Host, origin.Host):
			next.ServeHTTP(w, r)
		case isLink(r):
			rest.ServeHTTP(w, withoutCredentials(r))
		default:
			missing.ServeHTTP(w, r)
		}
	})
}

// isLink reports whether a request follows a link to a file.
func isLink(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) && expose.IsFile(r.URL.Path) && r.URL.Query().Has("token")
}

// withoutCredentials is the request without what could say who the caller is.
func withoutCredentials(r *http.Request) *http.Request {
	plain := r.WithContext(r.Context())
	plain.Header = r.Header.Clone()
	for _, name := range []string{"Authorization", "Cookie", "X-Api-Key"} {
		plain.Header.Del(name)
	}
	return plain
}
