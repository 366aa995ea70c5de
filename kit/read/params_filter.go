package read

import (
	"slices"
	"strings"
)

func (p *parser) searching() {
	fields := p.searchable()
	if len(fields) == 0 {
		return
	}
	if text, ok := p.get("search"); ok && text != "" {
		p.where = append(p.where, Match{Fields: fields, Text: text})
	}
}

// period bounds created_at.
func (p *parser) period() {
	if created := p.created(); created != nil {
		p.filter("from", created, GTE)
		p.filter("to", created, LTE)
	}
}

// created is the field that from and to bound, nil where the viewer sees none.
func (p *parser) created() *Field {
	if f := p.entity.Field("created_at"); f != nil && f.Visible(p.viewer) {
		return f
	}
	return nil
}

var rangeOps = []struct {
	suffix string
	op     Op
}{{"[gte]", GTE}, {"[gt]", GT}, {"[lte]", LTE}, {"[lt]", LT}}

func (p *parser) filters() {
	for _, f := range p.entity.Fields {
		if !f.Filter || !f.Visible(p.viewer) {
			continue
		}
		switch f.Kind {
		case Strings: // tags=a,b as well as tags[in]=a,b
			p.filterIn(f.REST, f)
		case Ref:
			p.filter(f.REST, f, EQ)
			if short := strings.TrimSuffix(f.REST, "_id"); !slices.Contains(p.taken, short) { // order=asc is no order's id
				p.filterRef(short, f)
			}
		default:
			p.filter(f.REST, f, EQ)
		}
		p.filterIn(f.REST+"[in]", f)
		if !f.Kind.Ordered() {
			continue
		}
		for _, r := range rangeOps {
			p.filter(f.REST+r.suffix, f, r.op)
		}
		if f.Lowest != "" {
			p.filter(f.Lowest, f, GTE)
			p.filter(f.Highest, f, LTE)
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

// value is what the text of a parameter means, as the version writes values.
func (p *parser) value(f *Field, text string) (any, error) {
	text, err := p.opt.Names.text(p.of(f), f, text)
	if err != nil {
		return nil, err
	}
	return f.Parse(text)
}

// of is the entity whose rows an id in the field is of.
func (p *parser) of(f *Field) string {
	if f.Kind == ID {
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
func (p *parser) list(f *Field, texts []string) (values []any, err error) {
	for _, text := range texts {
		value, err := p.value(f, text)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, nil
}

func (p *parser) filter(name string, f *Field, op Op) {
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
	p.where = append(p.where, Compare(f, op, value))
}

// filterRef reads author=1 as author_id=1, and category=science by the key of
// the entity that the foreign key leads to.
func (p *parser) filterRef(name string, f *Field) {
	i := slices.IndexFunc(p.entity.Edges, func(g *Edge) bool { return g.Own && g.Column == f.Column && g.To.Key != nil })
	if i < 0 {
		p.filter(name, f, EQ)
		return
	}
	if text, ok := p.get(name); ok {
		edge := p.entity.Edges[i]
		p.where = append(p.where, Has{Edge: edge, Filter: Cond{Field: edge.To.Key, Op: EQ, Value: text}})
	}
}

func (p *parser) filterIn(name string, f *Field) {
	text, ok := p.get(name)
	if !ok {
		return
	}
	if text == "" {
		p.bad(name, "is empty: one value is needed, or several with commas between them%s", f.listed())
		return
	}
	if n := strings.Count(text, ",") + 1; n > MaxLimit {
		p.bad(name, "has %d values: %d are allowed", n, MaxLimit)
		return
	}
	texts := strings.Split(text, ",")
	if i := slices.Index(texts, ""); i >= 0 && f.Kind != String {
		p.bad(name, "has nothing at place %d of the list: one value is needed between two commas%s", i+1, f.listed())
		return
	}
	list, err := p.list(f, texts)
	if err != nil {
		p.bad(name, "%v", err)
		return
	}
	p.where = append(p.where, Compare(f, In, list))
}

// listed says which values there are, where they are few.
func (f *Field) listed() string {
	if len(f.Values) == 0 {
		return ""
	}
	return "; allowed: " + strings.Join(f.Values, ", ")
}
