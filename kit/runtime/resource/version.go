package resource

import (
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
)

// chooseVersion reads the version that the request names, in the path, the
// host, a header or a parameter, and refuses what is not there and two at once.
// The parameters are taken out of the query: handlers have none of the kind.
// (A media type that names another version is one that cannot be had.)
func (a *api) chooseVersion(r *http.Request, x *door.Exchange) error {
	said := named{only: a.major}
	if x.Base == a.bases[0] {
		said.add("path", a.major)
	}
	if label, _, ok := strings.Cut(hostname(r.Host), "."); ok && versionLabel(label) {
		said.add("host", label)
	}
	for _, name := range []string{"X-Api-Version", "Api-Version"} {
		for _, value := range r.Header[name] {
			said.add(name, value)
		}
	}
	if strings.Contains(r.URL.RawQuery, "v=") || strings.Contains(r.URL.RawQuery, "version=") {
		said.query(r, x)
	}
	return said.err()
}

// named collects the versions that a request names.
type named struct {
	only    string // the one that there is
	first   string
	details []problem.Detail
	another bool
}

func (n *named) add(where, value string) {
	major := majorOf(value)
	if major != n.only {
		n.details = append(n.details, problem.Invalidf(where, value, "is not a version of this API; allowed: %s", n.only))
	}
	if n.first == "" {
		n.first = major
	}
	n.another = n.another || major != n.first
}

// query moves the parameters from the request's query to the exchange.
func (n *named) query(r *http.Request, x *door.Exchange) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return // it is refused later
	}
	for _, name := range []string{"version", "v"} {
		for _, value := range values[name] {
			n.add(name, value)
			if x.Version == nil {
				x.Version = url.Values{}
			}
			x.Version.Set(name, value)
		}
		values.Del(name)
	}
	if x.Version != nil {
		u := *r.URL
		u.RawQuery = values.Encode()
		r.URL = &u
		asked := *x.Request
		asked.URL = &u
		x.Request = &asked
	}
}

func (n *named) err() error {
	switch {
	case n.another:
		p := problem.New(problem.Invalid, "the request names two versions of the API")
		p.Details = n.details
		return p
	case len(n.details) > 0:
		return problem.Inputs(n.details...)
	}
	return nil
}

// majorOf is the major number of "1", "v1" or "1.0.0"; what is none of them
// is left as it is.
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

// versionLabel reports whether the first label of a host is a version's: v1.
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
