package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/console"
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/web"
)

// page returns the page at /, which says nothing of the installation in
// production.
func (h *Host) page(url string) web.Start {
	s, p := h.service, h.Process
	start := web.Start{Name: s.Name, GraphQL: s.GraphQL != nil}
	if len(s.tables().Operations) > 0 {
		start.REST = h.linked
	}
	if p.Config.Env == config.Production {
		return start
	}
	tries := s.requests(h.versions.Linked(&p.Config.Lifecycle).Names)
	start.Trial = &web.Trial{
		URL: url, Version: s.version(), Accounts: s.Accounts != nil, Email: p.Config.Account.AdminEmail,
		Requests: func() (rest, graphql string) {
			return addressed(tries.REST, url, h.linked()), addressed(tries.GraphQL, url, h.linked())
		},
		Seeds:    slices.ContainsFunc(s.Commands, func(c Command) bool { return c.Name == "seed" }),
		Explorer: p.Config.GraphQL.Explorer(),
		Console:  p.Config.Console && console.Built,
	}
	return start
}

// addressed puts the address in the place of URL in requests, and the path of a version
// that is served in that of version 1.
func addressed(text, url, base string) string {
	return strings.NewReplacer("URL"+expose.LinkBase, url+base, "URL", url).Replace(text)
}

// kept are the tables of the kit, which say little to who begins.
var kept = []string{"users", "jobs", "emails", "api_keys", "deprecated_uses"}

// requests are the service's own, or those that list rows of its first entity, in the
// names of a version of REST.
func (s *Service) requests(names *read.Names) Requests {
	if s.Requests != (Requests{}) {
		return s.Requests
	}
	i := slices.IndexFunc(s.Entities, func(e *entity.Entity) bool { return e.Path != "" && !slices.Contains(kept, e.Table) })
	if i < 0 {
		return Requests{}
	}
	e, rest, graphql := s.Entities[i], []string{"id"}, []string{"id"}
	for _, f := range e.Fields {
		if f.Kind == entity.String && !f.Long && !f.Known && len(f.Roles) == 0 && len(f.GraphQL) > 0 && len(rest) < 3 {
			rest, graphql = append(rest, names.NameOf(f)), append(graphql, f.GraphQL[0])
		}
	}
	token := ""
	if s.Accounts != nil {
		token = ` -H "Authorization: Bearer $TOKEN"`
	}
	return Requests{
		REST:    fmt.Sprintf("curl -s 'URL/api/v1/%s?fields=%s'%s", e.Path, strings.Join(rest, ","), token),
		GraphQL: fmt.Sprintf("curl -s URL/graphql%s \\\n  --json '{\"query\":\"{ %sConnection { nodes { %s } } }\"}'", token, plural(e.Path), strings.Join(graphql, " ")),
	}
}

// plural is GraphQL's name of the rows at the path: "orderItems".
func plural(path string) string {
	words := strings.FieldsFunc(path, func(r rune) bool { return r == '-' || r == '_' || r == '/' })
	for i, word := range words[1:] {
		words[i+1] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}
