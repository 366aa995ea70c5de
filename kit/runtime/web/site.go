package web

import (
	"net/http"
	"strings"
)

// GraphQLPath is where GraphQL is. Everything that is not said in [Site] is REST.
const GraphQLPath = "/graphql"

// Site says who answers which path. It is not an http.ServeMux: that one
// redirects a doubled slash, which here is a path that does not exist.
type Site struct {
	Edge    *Edge
	Health  *Health
	Start   http.Handler // the page at /
	REST    http.Handler // also answers what nobody else does, with 404
	GraphQL http.Handler
	Keys    http.Handler // at [KeySetPath]
	// Explorer is the page to explore GraphQL with and what is below it, nil
	// where there is none.
	Explorer http.Handler
}

// ExplorerPath is where the page to explore GraphQL with is.
const ExplorerPath = "/graphiql"

// Handler returns the site behind its edge.
func (s Site) Handler() http.Handler {
	live, ready := s.Edge.Open(http.HandlerFunc(s.Health.live)), s.Edge.Open(http.HandlerFunc(s.Health.ready))
	start, keys, icon := s.Edge.Open(s.Start), s.Edge.Open(s.Keys), s.Edge.Open(http.HandlerFunc(serveIcon))
	rest, graphql := s.Edge.Handler(s.REST), s.Edge.Handler(s.GraphQL)
	explorer := rest
	if s.Explorer != nil {
		explorer = s.Edge.Open(s.Explorer)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case GraphQLPath:
			graphql.ServeHTTP(w, r)
		case "/healthz":
			live.ServeHTTP(w, r)
		case "/readyz":
			ready.ServeHTTP(w, r)
		case "/":
			start.ServeHTTP(w, r)
		case iconPath:
			icon.ServeHTTP(w, r)
		case KeySetPath:
			keys.ServeHTTP(w, r)
		default:
			if r.URL.Path == ExplorerPath || strings.HasPrefix(r.URL.Path, ExplorerPath+"/") {
				explorer.ServeHTTP(w, r)
				return
			}
			rest.ServeHTTP(w, r)
		}
	})
}

func isProbe(path string) bool { return path == "/healthz" || path == "/readyz" }
