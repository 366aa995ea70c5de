package app

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/lifecycle"
	"github.com/entwine-go/entwine/kit/ratelimit"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/announce"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
	"github.com/entwine-go/entwine/kit/rest/failure"
	"github.com/entwine-go/entwine/kit/web"
)

// about describes the service, from the schema or by default.
func (s *Service) about() expose.Service {
	about := s.Schema
	about.Name, about.Version = cmp.Or(about.Name, s.Name), cmp.Or(about.Version, "1.0.0")
	return about
}

// tables are those that the APIs are made of, as far as the service has none of
// its own.
func (s *Service) tables() *Tables {
	if s.Tables == nil {
		return new(Tables)
	}
	return s.Tables
}

// offered are the versions of REST that the settings name.
func (s *Service) offered(api config.API) (*apiversion.Versions, error) {
	about := s.about()
	if len(api.Versions) == 0 {
		api.Versions = about.Offered()
	}
	versions, err := apiversion.Parse(apiversion.About{
		Name: about.Name, Prefix: expose.Prefix, Entities: s.Entities, Also: s.tables().AlsoSent,
	}, about.Version, api.Versions, api.Default)
	if err != nil {
		return nil, fmt.Errorf("ENTWINE_API_VERSIONS: %w", err)
	}
	return versions, nil
}

// links are the paths of REST in answers of GraphQL.
func (h *Host) links() *read.Links {
	return &read.Links{Names: func() *read.Names { return h.versions.Linked(&h.Config.Lifecycle).Names }}
}

// consoleAPI is where the paths of REST begin that the console asks: of the default
// version, unless that has ended.
func (h *Host) consoleAPI() string {
	if s := h.versions.Default(); h.Config.Lifecycle.Of(s.Major()).State(h.Config.Lifecycle.At()) != lifecycle.Retired {
		return s.Base
	}
	return h.linked()
}

// linked is where the paths of REST begin on pages and in messages.
func (h *Host) linked() string { return h.versions.Linked(&h.Config.Lifecycle).Base }

// document is the OpenAPI document of a version of REST, which is the first where
// none is named.
func (s *Service) document(version string) ([]byte, error) {
	if version == "" {
		return s.Document(), nil
	}
	versions, err := s.offered(config.API{})
	if err != nil {
		return nil, err
	}
	served, err := versions.Named(version)
	if err != nil {
		return nil, err
	}
	return versions.Document(served, apiversion.Published{Number: s.about().Version, Document: s.Document(), Marks: s.Marks}), nil
}

// offer puts in what the settings say of the versions of REST, where the service
// has no REST of its own.
func (h *Host) offer() error {
	h.parts.Errors = failure.New(h.service.about().Name, h.versions).Write
	plan := &h.Config.Lifecycle
	for _, v := range plan.Versions {
		if !h.versions.Offers(v.Major) {
			return fmt.Errorf("ENTWINE_API_LIFECYCLE: there is no version v%s of the API; there are: %s", v.Major, h.versions)
		}
	}
	front := announce.Front{Plan: plan, Prefix: expose.Prefix, Major: func(r *http.Request) string { return h.versions.Of(r).Major() }}
	own := h.parts.Edge
	h.parts.Edge = func(e *web.Edge) {
		e.Errors, e.Rate = front.Errors(e.Errors), saying(front.Rate(ratelimit.Rate(h.Config.Limit.Rate)))
		if own != nil {
			own(e)
		}
	}
	return nil
}

// sayings is how much a caller may say of themselves to those who look at rows, beside
// their other requests: where a cursor is changes more often than rows do.
var sayings = ratelimit.Rate{Count: 1200, Window: time.Minute, Algorithm: ratelimit.Sliding}

// saying is the rate with that of POST /presence, in any version.
func saying(rate func(r *http.Request) (string, ratelimit.Rate)) func(r *http.Request) (string, ratelimit.Rate) {
	return func(r *http.Request) (string, ratelimit.Rate) {
		scope, most := rate(r)
		rest, is := strings.CutPrefix(r.URL.Path, expose.Prefix+"/")
		version, name, versioned := strings.Cut(rest, "/")
		if versioned && strings.HasPrefix(version, "v") {
			rest = name
		}
		if is && rest == "presence" && r.Method == http.MethodPost && most.Count > 0 {
			return "presence ", sayings
		}
		return scope, most
	}
}
