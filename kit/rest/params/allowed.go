package params

import (
	"slices"
	"sort"
	"strings"

	"github.com/entwine-go/entwine/kit/problem"
)

// unknown refuses the parameters that the listing does not have, and lists those there are.
func (p *parser) unknown() {
	var names []string
	for name := range p.values {
		if !slices.Contains(p.taken, name) {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for i, name := range names {
		// An unknown parameter may be a secret: it is not repeated.
		said := "is not a parameter of this request"
		if i == 0 {
			said += "; allowed: " + p.allowed()
		}
		p.details = append(p.details, problem.Invalidf(p.called(name), nil, "%s", said))
	}
}

// allowed lists the parameters, as the version names them: each once, with what may
// stand behind the names at the end.
func (p *parser) allowed() string {
	var names, compares []string
	example := ""
	for _, name := range p.parameters() {
		if bare, suffix, ok := strings.Cut(name, "["); ok && slices.Contains(names, p.called(bare)) {
			if suffix = "[" + suffix; !slices.Contains(compares, suffix) {
				compares = append(compares, suffix)
				example = p.called(name)
			}
			continue
		}
		names = append(names, p.called(name))
	}
	text := strings.Join(names, ", ")
	if len(compares) > 0 {
		text += "; fields take " + strings.Join(compares, ", ") + " as well where they have an order, as in " + example
	}
	return text
}

func (p *parser) parameters() []string {
	names := []string{"fields"}
	if p.opt.Written {
		return append(append(names, p.calcParameters(false)...), p.opt.Elsewhere...)
	}
	if len(p.entity.Edges) > 0 {
		names = append(names, "expand")
	}
	names = append(names, p.calcParameters(!p.opt.Plain && !p.opt.Single)...)
	if p.opt.Plain {
		return append(names, "page", "limit", "cursor")
	}
	if p.entity.Rules.SoftDelete {
		names = append(names, "include_deleted")
	}
	if p.opt.Single {
		return names
	}
	names = append(names, "page", "limit", "cursor", "after", "after_id", "sort", "order")
	if len(p.searchable()) > 0 {
		names = append(names, "search")
	}
	if p.created() != nil {
		names = append(names, "from", "to")
	}
	for _, f := range p.entity.Fields {
		if !f.Filter || !f.Visible(p.viewer) {
			continue
		}
		names = append(names, f.REST, f.REST+"[in]")
		if f.Kind.IsRef() {
			if short := strings.TrimSuffix(f.REST, "_id"); !slices.Contains(names, short) {
				names = append(names, short)
			}
		}
		if f.Kind.Ordered() {
			names = append(names, f.REST+"[gte]", f.REST+"[gt]", f.REST+"[lte]", f.REST+"[lt]")
		}
		if f.Lowest != "" {
			names = append(names, f.Lowest, f.Highest)
		}
	}
	for _, g := range p.entity.Edges {
		if filters(g) {
			names = append(names, g.Name)
		}
	}
	for name := range p.opt.Filters {
		names = append(names, name)
	}
	return names
}
