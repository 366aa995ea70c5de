package rest

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/entwine-go/entwine/kit/gen/openapi"
)

// route is the generated server's entry of a path: an operation, and the parameters
// of its path in their order.
type route struct {
	id string
	// was is when the path ends, nil of the one that the operation has now.
	was        *openapi.Former
	parameters []string
}

// routesOf are the routes by the operationIds that the generated server has. An
// operation has one more for each path that it had before.
func routesOf(operations map[string]*openapi.Operation) map[string]route {
	all := make(map[string]route, len(operations))
	for id, op := range operations {
		all[id] = route{id: id, parameters: parametersOf(op.Path)}
		for i := range op.Was {
			all[fmt.Sprintf("%sWas%d", id, i+1)] = route{id: id, was: &op.Was[i], parameters: parametersOf(op.Was[i].Path)}
		}
	}
	return all
}

func parametersOf(path string) (names []string) {
	for segment := range strings.SplitSeq(path, "/") {
		if name, ok := strings.CutPrefix(segment, "{"); ok {
			names = append(names, strings.TrimSuffix(name, "}"))
		}
	}
	return names
}

// below is the path below the base, as it was escaped: a segment may hold a slash.
func below(u *url.URL, base string) *url.URL {
	under := &url.URL{Path: u.Path[len(base):], RawQuery: u.RawQuery}
	if u.RawPath == "" {
		return under
	}
	rest := u.RawPath // in which the base may be escaped, too
	for range strings.Count(base, "/") {
		_, after, _ := strings.Cut(rest[1:], "/")
		rest = "/" + after
	}
	under.RawPath = rest
	return under
}
