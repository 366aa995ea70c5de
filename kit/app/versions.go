package app

import (
	"cmp"
	"fmt"
	"net/http"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/runtime/ratelimit"
	"github.com/entwine-go/entwine/kit/runtime/resource/announce"
	"github.com/entwine-go/entwine/kit/runtime/resource/convention"
	"github.com/entwine-go/entwine/kit/runtime/resource/failure"
	"github.com/entwine-go/entwine/kit/runtime/web"
)

// about is what the schema says of the service, or what is true of one of which
// it says nothing.
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

// offer puts in what the settings say of the versions of REST, where the service
// has no REST of its own.
func (h *Host) offer() (err error) {
	about := h.service.about()
	h.versions, err = convention.Parse(convention.About{
		Name: about.Name, Prefix: expose.Prefix, Entities: h.service.Entities, Also: h.service.tables().AlsoSent,
	}, about.Version, h.Config.API.Versions, h.Config.API.Default)
	if err != nil {
		return fmt.Errorf("ENTWINE_API_VERSIONS: %w", err)
	}
	h.parts.Errors = failure.New(about.Name, h.versions).Write
	plan := &h.Config.Lifecycle
	for _, v := range plan.Versions {
		if !h.versions.Offers(v.Major) {
			return fmt.Errorf("ENTWINE_API_LIFECYCLE: there is no version v%s of the API; there are: %s", v.Major, h.versions)
		}
	}
	front := announce.Front{Plan: plan, Prefix: expose.Prefix, Major: func(r *http.Request) string { return h.versions.Of(r).Major() }}
	own := h.parts.Edge
	h.parts.Edge = func(e *web.Edge) {
		e.Errors, e.Rate = front.Errors(e.Errors), front.Rate(ratelimit.Rate(h.Config.Limit.Rate))
		if own != nil {
			own(e)
		}
	}
	return nil
}
