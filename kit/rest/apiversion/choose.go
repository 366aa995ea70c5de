package apiversion

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/rest/negotiate"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Versions are those that a service offers. Use [New].
type Versions struct {
	all    []*Served
	first  *Served // the default
	prefix string
	vendor string // "application/vnd.entwine.v"

	entities []*entity.Entity
}

// New returns the versions, of which the one with the major number is the default.
func New(about About, standard string, versions ...Version) (*Versions, error) {
	vs := &Versions{prefix: about.Prefix, vendor: "application/vnd." + strings.ToLower(about.Name) + ".v", entities: about.Entities}
	for _, v := range versions {
		if vs.find(v.Major()) != nil {
			return nil, fmt.Errorf("version %s is offered twice", v.Major())
		}
		s, err := serve(v, about)
		if err != nil {
			return nil, err
		}
		vs.all = append(vs.all, s)
	}
	if vs.first = vs.find(standard); vs.first == nil {
		return nil, fmt.Errorf("the default version %s is not offered: %s", standard, vs)
	}
	return vs, nil
}

// All are the versions, in their order.
func (vs *Versions) All() []*Served { return vs.all }

// Default is the version of a request that names none.
func (vs *Versions) Default() *Served { return vs.first }

// Offers reports whether there is a version with the number: "2", "v2" or "2.0.0".
func (vs *Versions) Offers(number string) bool { return vs.find(majorOf(number)) != nil }

// Named is the version with the number.
func (vs *Versions) Named(number string) (*Served, error) {
	if s := vs.find(majorOf(number)); s != nil {
		return s, nil
	}
	return nil, fmt.Errorf("there is no version %s of this API; there are: %s", number, vs)
}

// MediaTypes are the names of the versions' JSON, in their order:
// "application/vnd.notes.v1+json".
func (vs *Versions) MediaTypes() []string {
	names := make([]string, len(vs.all))
	for i, s := range vs.all {
		names[i] = s.Vendor[0]
	}
	return names
}

// NamesMedia reports whether one of the header's values names a media type of the API's
// own, in a version that there is or is not.
func (vs *Versions) NamesMedia(values []string) bool {
	tree := strings.TrimSuffix(vs.vendor, ".v")
	return slices.ContainsFunc(values, func(one string) bool { return strings.Contains(strings.ToLower(one), tree) })
}

func (vs *Versions) find(major string) *Served {
	i := slices.IndexFunc(vs.all, func(s *Served) bool { return s.Major() == major })
	if i < 0 {
		return nil
	}
	return vs.all[i]
}

// Names are those of the versions, as paths have them: v1.
func (vs *Versions) Names() []string {
	names := make([]string, len(vs.all))
	for i, s := range vs.all {
		names[i] = "v" + s.Major()
	}
	return names
}

// String lists the numbers of the versions.
func (vs *Versions) String() string {
	numbers := make([]string, len(vs.all))
	for i, s := range vs.all {
		numbers[i] = s.Major()
	}
	return strings.Join(numbers, ", ")
}

// Choice is the version that a request is for.
type Choice struct {
	*Served
	// Base is where the request's path begins: "/api/v2", or "/api" where the
	// path has no version.
	Base string
	// Links is where the paths of links begin. It is Base, unless the request names
	// the version outside of its path: a client that follows a link sends neither the
	// header nor the parameter again, and is to be answered in the same version.
	Links string
	// Query is the request's without the parameters that name the version, which
	// handlers do not see. Nil: there are none.
	Query url.Values
}

// Choose finds the version that the request is for: the one that its path, its
// host, a header, a parameter or a media type names, else the one that the API key is
// pinned to, else the default. A version that is not offered, and two versions at
// once, are an error, in the envelope that the choice names. So is a pin to a version
// that is not offered any more: its client is answered in no other version, unless it
// names one.
func (vs *Versions) Choose(r *http.Request) (Choice, error) {
	said := named{versions: vs}
	base := said.path(r.URL.Path)
	if label, _, ok := strings.Cut(strings.ToLower(hostname(r.Host)), "."); ok && versionLabel(label) && vs.find(label[1:]) != nil {
		said.add("host", label) // any other label is a name of the operator's
	}
	for _, name := range []string{"X-Api-Version", "Api-Version"} {
		for _, value := range r.Header[name] {
			said.add(name, value)
		}
	}
	c := Choice{Base: base}
	if query := r.URL.RawQuery; strings.Contains(query, "v=") || strings.Contains(query, "version=") {
		said.query(&c, query)
	}
	said.media(r.Header)
	c.Served, c.Links = said.chosen, base
	switch {
	case c.Served == nil:
		c.Served = vs.first
		if pin := viewer.From(r.Context()).Version; pin != "" && said.first == "" {
			said.pinned(&c, pin)
		}
	case base == vs.prefix:
		c.Links = c.Served.Base
	}
	return c, said.err()
}

// Of is the version that the request is for, or whose envelope has the error that
// it is for none.
func (vs *Versions) Of(r *http.Request) *Served {
	c, _ := vs.Choose(r)
	return c.Served
}

// named collects the versions that a request names.
type named struct {
	versions *Versions
	chosen   *Served // the first of them that is offered
	first    string  // the first of them
	details  []problem.Detail
	nowhere  string // the version in a path that is not offered
	another  bool
}

// path reads the version in a path, and returns where it begins.
func (n *named) path(path string) string {
	below, ok := strings.CutPrefix(path, n.versions.prefix+"/")
	if !ok {
		return n.versions.prefix
	}
	label, _, _ := strings.Cut(below, "/")
	if !versionLabel(label) {
		return n.versions.prefix
	}
	if n.versions.find(label[1:]) == nil {
		n.nowhere = label
		return n.versions.prefix + "/" + label
	}
	n.add("path", label)
	return n.chosen.Base
}

func (n *named) add(where, value string) {
	major := majorOf(value)
	s := n.versions.find(major)
	if s == nil {
		n.details = append(n.details, problem.Invalidf(where, value, "is not a version of this API; allowed: %s", n.versions))
	}
	if n.chosen == nil {
		n.chosen = s
	}
	if n.first == "" {
		n.first = major
	}
	n.another = n.another || major != n.first
}

// pinned reads the version that the caller's API key is pinned to.
func (n *named) pinned(c *Choice, pin string) {
	if s := n.versions.find(majorOf(pin)); s != nil {
		c.Served = s
		return
	}
	n.details = append(n.details, problem.Invalidf("api_version", pin, "to which the API key is pinned, is not a version of this API; allowed: %s", n.versions))
}

// query takes the parameters out of the query.
func (n *named) query(c *Choice, query string) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return // it is refused later
	}
	for _, name := range []string{"version", "v"} {
		for _, value := range values[name] {
			n.add(name, value)
			c.Query = values
		}
		values.Del(name)
	}
}

// media reads the versions in media types. An Accept may list several: one of
// them is then enough. Versions that are not offered are media types that can't
// be had, or are not taken.
func (n *named) media(h http.Header) {
	if accept := h["Accept"]; len(accept) > 0 && strings.Contains(accept[0], ".v") || len(accept) > 1 {
		var offered []string
		for _, major := range negotiate.VendorVersions(accept, n.versions.vendor) {
			if n.versions.find(major) != nil {
				offered = append(offered, major)
			}
		}
		switch {
		case len(offered) == 0, n.chosen != nil && slices.Contains(offered, n.chosen.Major()):
		default:
			n.add("Accept", offered[0])
		}
	}
	if kind := h.Get("Content-Type"); strings.HasPrefix(kind, n.versions.vendor) {
		major := kind[len(n.versions.vendor):]
		if i := strings.IndexByte(major, '+'); i >= 0 && n.versions.find(major[:i]) != nil {
			n.add("Content-Type", major[:i])
		}
	}
}

func (n *named) err() error {
	switch {
	case n.nowhere != "":
		return problem.New(problem.NotFound, "there is no version %s of this API; there are: %s", n.nowhere, n.versions)
	case len(n.details) > 0: // what is no version is not another one
		return problem.Inputs(n.details...)
	case n.another:
		return problem.New(problem.Invalid, "the request names two versions of the API")
	}
	return nil
}

// majorOf is the major number of "1", "v1" or "1.0.0"; any other
// text is returned unchanged.
func majorOf(value string) string {
	text := strings.TrimPrefix(value, "v")
	for part := range strings.SplitSeq(text, ".") {
		if !digits(part) {
			return value
		}
	}
	major, _, _ := strings.Cut(text, ".")
	return major
}

// versionLabel reports whether a segment of a path, or the first label of a
// host, is a version's: v1.
func versionLabel(label string) bool {
	return len(label) > 1 && label[0] == 'v' && digits(label[1:])
}

func digits(text string) bool {
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return text != ""
}

func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return host
}
