package docs

import (
	"net/http"
	"strings"
	"sync"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/rest/negotiate"
)

// Site serves a document, and the page that shows it.
type Site struct {
	// offers are the files of each path, the preferred media type first.
	offers map[string][]offer
	// operations are those of what the page loads, by path. They are made when
	// the first is asked for: to take the document apart takes a while.
	operations func() map[string][]offer
	vendor     []string
}

// below is where what the page says about operations is.
const below = "/docs/operations/"

// offer is a file under the media type that is negotiated.
type offer struct {
	media string
	*file
}

// New returns the site of an OpenAPI document, which is JSON and is loaded when
// it is asked for. The names that the API has for its JSON are [negotiate.Vendor]'s.
func New(load func() []byte, vendor []string) *Site {
	document := sync.OnceValue(load)
	asYAML := func() []byte { return toYAML(document()) }
	d := sync.OnceValue(func() *parsed { return parse(document()) })
	return &Site{vendor: vendor, operations: sync.OnceValue(func() map[string][]offer { return d().offers() }), offers: map[string][]offer{
		"/openapi": {
			{negotiate.JSON, &file{contentType: "application/json", load: document}},
			{"application/openapi+json", &file{contentType: "application/openapi+json; version=3.1", load: document}},
			{"application/yaml", &file{contentType: "application/yaml", load: asYAML}},
			{"application/openapi+yaml", &file{contentType: "application/openapi+yaml; version=3.1", load: asYAML}},
		},
		"/docs": {{"text/html", &file{contentType: "text/html; charset=utf-8", load: func() []byte { return d().html() }, policy: policy}}},
		"/docs/script": {{"text/javascript", &file{
			contentType: "text/javascript; charset=utf-8", load: func() []byte { return script },
		}}},
		"/docs/style": {{"text/css", &file{
			contentType: "text/css; charset=utf-8", load: func() []byte { return style },
		}}},
	}}
}

// offers are the operations' files.
func (d *parsed) offers() map[string][]offer {
	all := make(map[string][]offer, len(d.operations))
	for _, o := range d.operations {
		all[below+o.ID] = []offer{{negotiate.JSON, &file{
			contentType: "application/json", load: func() []byte { return d.alone(o) },
		}}}
	}
	return all
}

// Has reports whether there is a file at the path.
func (s *Site) Has(path string) bool { return s.at(path) != nil }

// Route names a path of a site in metrics: all operations are one.
func Route(path string) string {
	if strings.HasPrefix(path, below) {
		return "docs/operations"
	}
	return path[1:]
}

// at is the entry of a path.
func (s *Site) at(path string) []offer {
	if strings.HasPrefix(path, below) {
		return s.operations()[path]
	}
	return s.offers[path]
}

// Serve answers a request for a path of the site, or returns what is wrong
// with it and writes no body.
func (s *Site) Serve(w http.ResponseWriter, r *http.Request, path string) error {
	switch r.Method {
	case http.MethodGet, http.MethodHead:
	case http.MethodOptions:
		w.Header().Set("Allow", "GET, HEAD, OPTIONS")
		w.WriteHeader(http.StatusNoContent)
		return nil
	default:
		w.Header().Set("Allow", "GET, HEAD, OPTIONS")
		return problem.New(problem.MethodNotAllowed, "%s is not allowed here; allowed: GET, HEAD, OPTIONS", r.Method)
	}
	offers := s.at(path)
	names := make([]string, len(offers))
	for i, o := range offers {
		names[i] = o.media
	}
	media, ok := negotiate.Negotiate(r.Header["Accept"], names, s.vendor)
	if !ok {
		return problem.New(problem.NotAcceptable, "%s can be had", strings.Join(names, ", "))
	}
	for _, o := range offers {
		if o.media == media {
			o.answer(w, r)
		}
	}
	return nil
}
