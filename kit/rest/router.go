package rest

import (
	"net/url"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/gen/openapi"
)

// router finds the operation of a path: it is a tree of segments, made from
// the paths of the table of operations.
type router struct {
	fixed    map[string]*router
	variable *router
	// routes are the operations of the path that ends here, by method.
	routes map[string]route
	// methods are those that the path has, in alphabetical order.
	methods []string
}

// route is an operation, and the parameters of its path in their order.
type route struct {
	id string
	op *openapi.Operation
	// was is when the path ends, nil of the one that the operation has now.
	was        *openapi.Former
	parameters []string
}

func newRouter(operations map[string]*openapi.Operation) *router {
	root := &router{}
	for id, op := range operations {
		root.put(op.Path, route{id: id, op: op})
	}
	for id, op := range operations { // which give way to what has the path now
		for i := range op.Was {
			root.put(op.Was[i].Path, route{id: id, op: op, was: &op.Was[i]})
		}
	}
	return root
}

func (n *router) put(path string, r route) {
	for segment := range strings.SplitSeq(path[1:], "/") {
		if name, ok := strings.CutPrefix(segment, "{"); ok {
			r.parameters = append(r.parameters, strings.TrimSuffix(name, "}"))
			if n.variable == nil {
				n.variable = &router{}
			}
			n = n.variable
			continue
		}
		if n.fixed == nil {
			n.fixed = map[string]*router{}
		}
		if n.fixed[segment] == nil {
			n.fixed[segment] = &router{}
		}
		n = n.fixed[segment]
	}
	n.add(r)
}

func (n *router) add(r route) {
	if n.routes == nil {
		n.routes = map[string]route{}
	}
	method := strings.ToUpper(r.op.Method)
	if _, taken := n.routes[method]; taken && r.was != nil {
		return
	}
	n.routes[method] = r
	n.methods = append(n.methods, method)
	slices.Sort(n.methods)
}

// takes reports whether the path has the method, with a body.
func (n *router) takes(method string) bool {
	r, ok := n.routes[method]
	return ok && r.op.Body
}

// find returns the end of the path below the base, nil where there is none,
// and appends the values of its parameters.
func (n *router) find(u *url.URL, base string, values []string) (*router, []string) {
	if u.RawPath == "" {
		return n.walk(u.Path[len(base):], values, false)
	}
	rest := u.RawPath // a segment may hold a slash, so the parts are unescaped one by one
	for range strings.Count(base, "/") {
		_, after, found := strings.Cut(rest[1:], "/")
		if !found {
			return nil, values
		}
		rest = "/" + after
	}
	return n.walk(rest, values, true)
}

func (n *router) walk(path string, values []string, escaped bool) (*router, []string) {
	if path == "" {
		if n.routes == nil {
			return nil, values
		}
		return n, values
	}
	segment, rest := path[1:], ""
	if i := strings.IndexByte(segment, '/'); i >= 0 {
		segment, rest = segment[:i], segment[i:]
	}
	if escaped {
		plain, err := url.PathUnescape(segment)
		if err != nil {
			return nil, values
		}
		segment = plain
	}
	if next := n.fixed[segment]; next != nil {
		if end, found := next.walk(rest, values, escaped); end != nil {
			return end, found
		}
	}
	if n.variable == nil || segment == "" {
		return nil, values
	}
	return n.variable.walk(rest, append(values, segment), escaped)
}
