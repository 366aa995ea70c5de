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
	isFiles := s.hostOfFiles(origin)
	missing := s.Edge.Open(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.Edge.refuse(w, r, problem.New(problem.NotFound, "this host has files alone, each at a link with a token: the API is elsewhere"))
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !isFiles(r.Host):
			next.ServeHTTP(w, r)
		case isLink(r):
			rest.ServeHTTP(w, withoutCredentials(r))
		default:
			missing.ServeHTTP(w, r)
		}
	})
}

// hostOfFiles reports of a Host whether it is that of files: by its name, whatever its port, since proxies pass
// on what they like. Ports decide where the name is that of the APIs as well.
func (s Site) hostOfFiles(origin *url.URL) func(host string) bool {
	public, err := url.Parse(s.PublicURL)
	shared := err == nil && nameOfHost(public) == nameOfHost(origin)
	return func(host string) bool {
		at := &url.URL{Scheme: origin.Scheme, Host: host}
		return nameOfHost(at) == nameOfHost(origin) && (!shared || portOf(at) == portOf(origin))
	}
}

// nameOfHost is a host's name alone: neither the case nor a dot at its end makes it another.
func nameOfHost(u *url.URL) string {
	return strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
}

func portOf(u *url.URL) string {
	if port := u.Port(); port != "" {
		return port
	}
	if u.Scheme == "http" {
		return "80"
	}
	return "443"
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
