package web

import (
	"net/http"
	"strings"
)

// GraphQLPath is where GraphQL is. Everything that is not said in [Site] is REST.
const GraphQLPath = "/graphql"

// Site has the handlers of the paths. It is not an http.ServeMux: that one
// redirects a doubled slash, which here is a path that does not exist.
type Site struct {
	Edge   *Edge
	Health *Health
	Start  http.Handler // the page at /
	// Pages answer paths of their own, or all below one that ends with a slash.
	// They have the viewer. Those above and GraphQL go before them. A [Page] has limits
	// of its own.
	Pages   map[string]http.Handler
	REST    http.Handler // also answers all other paths, with 404
	GraphQL http.Handler
	Keys    http.Handler // at [KeySetPath]
	// Explorer serves the page to explore GraphQL with and the paths below it. It may
	// be nil.
	Explorer http.Handler
	// Console serves the console and the paths below it. It may be nil. Pages of the
	// service's own go before it.
	Console http.Handler
	// FilesOrigin is the origin at which files to which there are links are answered, and nothing
	// else. Empty: they have none of their own.
	FilesOrigin string
	// PublicURL is where the APIs are. It may be empty.
	PublicURL string
	// ConsoleData answers what the console asks of the process, with the viewer. It is
	// nil where there is no console.
	ConsoleData http.Handler
}

// ExplorerPath is where the page to explore GraphQL with is.
const ExplorerPath = "/graphiql"

// ConsolePath is where the console is.
const ConsolePath = "/console"

// ConsoleData is the beginning of the paths of the console's data.
const ConsoleData = ConsolePath + "/data/"

// Handler returns the site behind its edge.
func (s Site) Handler() http.Handler {
	live, ready := s.Edge.Open(http.HandlerFunc(s.Health.live)), s.Edge.Open(http.HandlerFunc(s.Health.ready))
	start, keys, icon := s.Edge.Open(s.Start), s.Edge.Open(s.Keys), s.Edge.Open(http.HandlerFunc(serveIcon))
	rest, graphql := s.Edge.Handler(s.REST), s.Edge.Handler(s.GraphQL)
	pages := make(map[string]http.Handler, len(s.Pages))
	for path, page := range s.Pages {
		pages[path] = s.Edge.page(path, page)
	}
	explorer := rest
	if s.Explorer != nil {
		explorer = s.Edge.Open(s.Explorer)
	}
	console, data := rest, rest
	if s.Console != nil {
		console = s.Edge.Open(s.Console)
	}
	if s.ConsoleData != nil {
		data = s.Edge.Handler(s.ConsoleData)
	}
	return s.filesApart(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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
			if isBelow(r.URL.Path, ExplorerPath) {
				explorer.ServeHTTP(w, r)
				return
			}
			if page := Below(pages, r.URL.Path); page != nil {
				page.ServeHTTP(w, r)
				return
			}
			if strings.HasPrefix(r.URL.Path, ConsoleData) {
				data.ServeHTTP(w, r)
				return
			}
			if isBelow(r.URL.Path, ConsolePath) {
				console.ServeHTTP(w, r)
				return
			}
			rest.ServeHTTP(w, r)
		}
	}), rest)
}

// Below returns the one of [Site.Pages] that answers the path: that which is at it, or at
// the longest path above it that ends with a slash. Nil: none.
func Below(pages map[string]http.Handler, path string) http.Handler {
	if len(pages) == 0 {
		return nil
	}
	if page := pages[path]; page != nil {
		return page
	}
	for i := len(path) - 1; i > 0; i-- {
		if page := pages[path[:i]]; page != nil && path[i-1] == '/' {
			return page
		}
	}
	return nil
}

// isBelow reports whether a path is the one of a page, or below it.
func isBelow(path, page string) bool {
	return strings.HasPrefix(path, page) && (len(path) == len(page) || path[len(page)] == '/')
}

func isProbe(path string) bool { return path == "/healthz" || path == "/readyz" }
