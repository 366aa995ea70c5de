package params

import (
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/read"
)

func (p *parser) searching() {
	fields := p.searchable()
	if len(fields) == 0 {
		return
	}
	if text, ok := p.get("search"); ok && text != "" {
		p.where = append(p.where, read.Match{Fields: fields, Text: text})
	}
}

func (p *parser) searchable() []*entity.Field {
	var fields []*entity.Field
	for _, f := range p.entity.Fields {
		if f.Fold != "" && f.Visible(p.viewer) {
			fields = append(fields, f)
		}
	}
	return fields
}

// period bounds created_at.
func (p *parser) period() {
	if created := p.created(); created != nil {
		p.filter("from", created, read.GTE)
		p.filter("to", created, read.LTE)
	}
}

// created is the field that from and to bound, nil where the viewer sees none.
func (p *parser) created() *entity.Field {
	if f := p.entity.Field("created_at"); f != nil && f.Visible(p.viewer) {
		return f
	}
	return nil
}

var rangeOps = []struct {
	suffix string
	op     read.Op
}{{"[gte]", read.GTE}, {"[gt]", read.GT}, {"[lte]", read.LTE}, {"[lt]", read.LT}}

func (p *parser) filters() {
	for _, f := range p.entity.Fields {
		if !f.Filter || !f.Visible(p.viewer) {
			continue
		}
		switch f.Kind {
		case entity.Strings: // tags=a,b as well as tags[in]=a,b
			p.filterIn(f.REST, f)
		case entity.Ref, entity.TextRef, entity.UUIDRef:
			p.filter(f.REST, f, read.EQ)
			if short := strings.TrimSuffix(f.REST, "_id"); !slices.Contains(p.taken, short) { // order=asc is no order's id
				p.filterRef(short, f)
			}
		default:
			p.filter(f.REST, f, read.EQ)
		}
		p.filterIn(f.REST+"[in]", f)
		if !f.Kind.Ordered() {
			continue
		}
		for _, r := range rangeOps {
			p.filter(f.REST+r.suffix, f, r.op)
		}
		if f.Lowest != "" {
			p.filter(f.Lowest, f, read.GTE)
			p.filter(f.Highest, f, read.LTE)
		}
	}
	p.filterEdges()
	p.filterCalcs()
	for name, parse := range p.opt.Filters {
		text, ok := p.get(name)
		if !ok {
			continue
		}
		filter, err := parse(text)
		if err != nil {
			p.bad(name, "%v", err)
			continue
		}
		p.where = append(p.where, filter)
	}
}

// value is the value of a parameter's text, which is in the version's form.
func (p *parser) value(f *entity.Field, text string) (any, error) {
	text, err := valueText(p.opt.Names, p.of(f), f, text)
	if err != nil {
		return nil, err
	}
	return f.Parse(text)
}

// of is the entity whose rows an id in the field is of.
func (p *parser) of(f *entity.Field) string {
	if f.Kind.IsID() {
		for _, g := range p.entity.Edges {
			if f == g.To.ID() && f != p.entity.ID() {
				return g.To.Name
			}
		}
		return p.entity.Name
	}
	return f.Ref
}

// list are the values that the texts mean, for [Compare].
func (p *parser) list(f *entity.Field, texts []string) (values []any, err error) {
	for _, text := range texts {
		value, err := p.value(f, text)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, nil
}

func (p *parser) filter(name string, f *entity.Field, op read.Op) {
	text, ok := p.get(name)
	if !ok {
		return
	}
	value, err := p.value(f, text)
	switch {
	case err != nil && text == "":
		p.bad(name, "is empty: %v", err)
		return
	case err != nil:
		p.bad(name, "%v", err)
		return
	}
	p.where = append(p.where, read.Compare(f, op, value))
}

// filterRef reads author=1 as author_id=1, and category=science by the key of
// the entity that the foreign key leads to.
func (p *parser) filterRef(name string, f *entity.Field) {
	i := slices.IndexFunc(p.entity.Edges, func(g *entity.Edge) bool { return g.Own && g.Column == f.Column && g.To.Key != nil })
	if i < 0 {
		p.filter(name, f, read.EQ)
		return
	}
	if text, ok := p.get(name); ok {
		edge := p.entity.Edges[i]
		p.where = append(p.where, read.Has{Edge: edge, Filter: read.Cond{Field: edge.To.Key, Op: read.EQ, Value: text}})
	}
}

func (p *parser) filterIn(name string, f *entity.Field) {
	text, ok := p.get(name)
	if !ok {
		return
	}
	if text == "" {
		p.bad(name, "is empty: one value is needed, or several with commas between them%s", listed(f))
		return
	}
	texts := List(text)
	if n := len(texts); n > read.MaxLimit {
		p.bad(name, "has %d values: %d are allowed", n, read.MaxLimit)
		return
	}
	if i := slices.Index(texts, ""); i >= 0 && f.Kind != entity.String {
		p.bad(name, "has nothing at place %d of the list: one value is needed between two commas%s", i+1, listed(f))
		return
	}
	list, err := p.list(f, texts)
	if err != nil {
		p.bad(name, "%v", err)
		return
	}
	p.where = append(p.where, read.Compare(f, read.In, list))
}

// listed says which values there are, where they are few.
func listed(f *entity.Field) string {
	if len(f.Values) == 0 {
		return ""
	}
	return "; allowed: " + strings.Join(f.Values, ", ")
}
