package params

import (
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/entity"
)

func (p *parser) sorting() {
	direction, directed := p.get("order")
	if directed && direction != "asc" && direction != "desc" {
		p.bad("order", "must be asc or desc")
	}
	text, ok := p.get("sort")
	if !ok {
		if directed {
			p.params.Query.Sort = slices.Clone(p.entity.Sort)
			for i := range p.params.Query.Sort {
				p.params.Query.Sort[i].Desc = direction == "desc"
			}
		}
		return
	}
	var terms []entity.Term
	for name := range strings.SplitSeq(text, ",") {
		bare, desc := strings.CutPrefix(name, "-")
		if !desc {
			bare = strings.TrimPrefix(bare, "+")
			desc = bare == name && direction == "desc"
		}
		f := find(p.opt.Names, p.entity, bare)
		if f == nil {
			var found bool
			if f, found = p.calcOf(p.entity, bare, ""); found && f == nil {
				return
			}
		}
		if f == nil || !f.Sort || !f.Visible(p.viewer) {
			p.bad("sort", "cannot be by %q; allowed: %s", bare, strings.Join(append(p.names(func(f *entity.Field) bool { return f.Sort }), p.calcNames(p.entity)...), ", "))
			return
		}
		if slices.ContainsFunc(terms, func(t entity.Term) bool { return t.Field.Same(f) }) {
			p.bad("sort", "names %q twice", bare)
			return
		}
		terms = append(terms, entity.Term{Field: f, Desc: desc})
	}
	p.params.Query.Sort = terms
}
