package params

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/read"
)

// The arguments of a computed value are parameters of their own, once for each
// request: distance.lat=52.5&distance.lng=13.4. It is shown where fields names
// it, or, without fields, where an argument is given; distance[lte]=5 filters and
// sort=distance sorts by it (doc/schema/calc.md).

// errTold is returned for what is reported already.
var errTold = errors.New("told")

// argument is the parameter of an argument, in the first version.
func argument(c *entity.Calc, a *entity.Argument) string { return c.REST + "." + a.REST }

// calculate reads the arguments that are given.
func (p *parser) calculate() {
	for _, c := range p.entity.Calcs {
		if c.Visible(p.viewer) && p.asksFor(c) {
			p.calc(c)
		}
	}
}

// asksFor reports whether an argument is given.
func (p *parser) asksFor(c *entity.Calc) bool {
	return slices.ContainsFunc(c.Arguments, func(a *entity.Argument) bool { return p.values.Has(argument(c, a)) })
}

// calc is the value with the arguments of the request, nil where something is
// wrong with them, which is reported once.
func (p *parser) calc(c *entity.Calc) *entity.Field {
	if f, known := p.calcs[c]; known {
		return f
	}
	f := c.Bind(func(a *entity.Argument) (any, bool, error) {
		text, ok := p.get(argument(c, a))
		switch {
		case !ok && p.values.Has(argument(c, a)):
			return nil, false, errTold
		case !ok:
			return nil, false, nil
		}
		value, err := p.value(a.Field, text)
		return value, true, err
	}, func(a *entity.Argument, err error) {
		if !errors.Is(err, errTold) {
			p.bad(argument(c, a), "%v", err)
		}
	})
	if p.calcs == nil {
		p.calcs = map[*entity.Calc]*entity.Field{}
	}
	p.calcs[c] = f
	return f
}

// calcOf is the value that the name means, of the entity of the request or of one
// that is expanded, which has the defaults for arguments. It is nil where the name
// means none; found without a value is reported already.
func (p *parser) calcOf(e *entity.Entity, name, prefix string) (f *entity.Field, found bool) {
	c := findCalc(p.opt.Names, e, name)
	switch {
	case c == nil || !c.Visible(p.viewer):
		return nil, false
	case e == p.entity && prefix == "":
		return p.calc(c), true
	}
	f = c.Bind(func(*entity.Argument) (any, bool, error) { return nil, false, nil }, func(a *entity.Argument, _ error) {
		p.bad("fields", "has %q, which needs the argument %s: it can't be given for what is expanded", prefix+name, p.opt.Names.NameOf(a.Field))
	})
	return f, true
}

// calcNames are the values that the viewer may ask for, as the version names them.
func (p *parser) calcNames(e *entity.Entity) (names []string) {
	for _, c := range e.Calcs {
		if c.Visible(p.viewer) {
			names = append(names, p.opt.Names.NameOf(c.Field))
		}
	}
	return names
}

// calcParameters are the parameters of computed values, in the first version.
func (p *parser) calcParameters(filters bool) (names []string) {
	for _, c := range p.entity.Calcs {
		if !c.Visible(p.viewer) {
			continue
		}
		for _, a := range c.Arguments {
			names = append(names, argument(c, a))
		}
		if filters {
			for suffix := range suffixes(c.Kind) {
				names = append(names, c.REST+suffix)
			}
		}
	}
	return names
}

// suffixes are how parameters compare values of the kind.
func suffixes(k entity.Kind) iter.Seq2[string, read.Op] {
	return func(yield func(string, read.Op) bool) {
		if !yield("", read.EQ) || !yield("[in]", read.In) || !k.Ordered() {
			return
		}
		for _, r := range rangeOps {
			if !yield(r.suffix, r.op) {
				return
			}
		}
	}
}

// filterCalcs reads the filters by computed values.
func (p *parser) filterCalcs() {
	for _, c := range p.entity.Calcs {
		if !c.Visible(p.viewer) {
			continue
		}
		for suffix, op := range suffixes(c.Kind) {
			name := c.REST + suffix
			if !p.values.Has(name) {
				continue
			}
			f, before := p.calc(c), len(p.where)
			if f == nil { // what it is compared with is judged all the same
				f = c.Field
			}
			if op == read.In {
				p.filterIn(name, f)
			} else {
				p.filter(name, f, op)
			}
			if f == c.Field {
				p.where = p.where[:before]
			}
		}
	}
}

// showCalcs selects the values that arguments are given of.
func (p *parser) showCalcs(s *read.Selection) {
	for _, c := range p.entity.Calcs {
		if c.Visible(p.viewer) && p.asksFor(c) {
			if f := p.calc(c); f != nil {
				s.Named(f)
			}
		}
	}
}

func findCalc(n *read.Names, e *entity.Entity, name string) *entity.Calc {
	for _, c := range e.Calcs {
		if n.NameOf(c.Field) == name || c.REST == name && !renamed(n, c.Field) {
			return c
		}
	}
	return nil
}

// firstCalc is the first version's name of an argument or a filter, empty for any
// other parameter.
func (p *parser) firstCalc(bare, compares string) string {
	names := p.opt.Names
	for _, c := range p.entity.Calcs {
		called := names.NameOf(c.Field)
		if called == bare {
			return c.REST + compares
		}
		sent, ok := strings.CutPrefix(bare, called+".")
		if !ok {
			continue
		}
		for _, a := range c.Arguments {
			if names.NameOf(a.Field) == sent {
				return argument(c, a) + compares
			}
		}
	}
	return ""
}

// calledCalc is the version's name of an argument or a filter, empty for any other
// parameter.
func calledCalc(n *read.Names, e *entity.Entity, bare, compares string) string {
	for _, c := range e.Calcs {
		if c.REST == bare {
			return n.NameOf(c.Field) + compares
		}
		for _, a := range c.Arguments {
			if argument(c, a) == bare {
				return fmt.Sprintf("%s.%s%s", n.NameOf(c.Field), n.NameOf(a.Field), compares)
			}
		}
	}
	return ""
}
