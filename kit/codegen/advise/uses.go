package advise

import (
	"slices"
	"strings"
)

// use is a column of a table that a statement compares or orders by.
type use struct{ table, column string }

// uses returns what the statement compares and orders by. It understands as
// much of SQL as it takes to know which table a column is of: where clauses
// begin, and what names mean within which parentheses.
func uses(text string) (all []use) {
	p := parser{words: words(text)}
	p.open(nil)
	for p.at = 0; p.at < len(p.words); p.at++ {
		p.step()
	}
	for _, r := range p.references {
		if t := r.within.table(r.qualifier); t != "" {
			if u := (use{t, r.column}); !slices.Contains(all, u) {
				all = append(all, u)
			}
		}
	}
	return all
}

// scope is a SELECT, or another statement, and what its tables are called.
type scope struct {
	parent *scope
	tables map[string]string // by alias; empty for what is no table
}

// table returns the table that a qualifier names. Without one it is the only
// table that there is.
func (s *scope) table(qualifier string) string {
	if qualifier == "" {
		if len(s.tables) != 1 {
			return ""
		}
		for _, only := range s.tables {
			return only
		}
	}
	for ; s != nil; s = s.parent {
		if t, ok := s.tables[qualifier]; ok {
			return t
		}
	}
	return ""
}

// frame is the text between two parentheses.
type frame struct {
	scope  *scope
	clause string // of the scope: from, on, condition, empty for others
	query  bool   // it is a SELECT of its own
	named  bool   // a table, or the alias of a subquery, comes next
}

type reference struct {
	within            *scope
	qualifier, column string
}

type parser struct {
	words      []string
	at         int
	frames     []*frame
	references []reference
}

func (p *parser) frame() *frame { return p.frames[len(p.frames)-1] }

// open begins a frame, which goes on with the clause of the one around it.
func (p *parser) open(parent *frame) {
	f := &frame{scope: &scope{tables: map[string]string{}}, query: parent == nil}
	if parent != nil {
		f.scope, f.clause = parent.scope, parent.clause
		if next := p.word(1); next == "select" || next == "with" {
			f.scope, f.clause, f.query = &scope{parent: parent.scope, tables: map[string]string{}}, "", true
		}
	}
	p.frames = append(p.frames, f)
}

// word returns the word so many places away, empty where there is none.
func (p *parser) word(away int) string {
	if i := p.at + away; i >= 0 && i < len(p.words) {
		return p.words[i]
	}
	return ""
}

func (p *parser) step() {
	f, w := p.frame(), p.word(0)
	switch w {
	case "(":
		p.open(f)
	case ")":
		if len(p.frames) > 1 {
			p.frames = p.frames[:len(p.frames)-1]
			f = p.frame()
			f.named = f.clause == "from" && p.word(1) != "("
			if f.named {
				p.alias("")
			}
		}
	case "union", "except", "intersect":
		f.scope, f.clause = &scope{parent: f.scope.parent, tables: map[string]string{}}, ""
	case "from", "join", "into", "update", "using":
		if before := p.word(-1); before != "distinct" && before != "for" && before != "do" {
			f.clause = "from"
			p.table(w == "into")
		}
	case ",":
		if (f.clause == "from" || f.clause == "on") && f.query {
			f.clause = "from"
			p.table(false)
		}
	case "on":
		f.clause = "on"
	case "where", "having":
		f.clause = "condition"
	case "by":
		f.clause = ""
		if p.word(-1) == "order" {
			f.clause = "condition"
		}
	case "select", "set", "limit", "offset", "returning", "values", "window":
		f.clause = ""
	default:
		p.reference(f)
	}
}

// table takes the table that comes next, if one does, with its alias. One that
// columns may follow is no function.
func (p *parser) table(columns bool) {
	if p.word(1) == "only" || p.word(1) == "lateral" {
		p.at++
	}
	if !isName(p.word(1)) || p.word(2) == "(" && !columns {
		return
	}
	p.at++
	if p.word(1) == "." {
		p.at += 2
	}
	p.alias(name(p.word(0)))
}

// alias takes the name of the table, or of the subquery before it.
func (p *parser) alias(of string) {
	called := of
	if p.word(1) == "as" {
		p.at++
	}
	if w := p.word(1); isName(w) && !slices.Contains(keywords, w) {
		p.at++
		called = name(w)
	}
	if called != "" {
		p.frame().scope.tables[called] = of
	}
}

// reference takes a column, if that is what comes.
func (p *parser) reference(f *frame) {
	w := p.word(0)
	if f.clause != "condition" && f.clause != "on" || !isName(w) || slices.Contains(keywords, w) || p.word(-1) == ":" || p.word(-1) == "as" {
		return
	}
	r := reference{within: f.scope, column: name(w)}
	if p.word(1) == "." {
		p.at += 2
		r.qualifier, r.column = r.column, name(p.word(0))
	}
	// Whether there is a value is no reason for an index by values.
	if next := p.word(1); next != "(" && next != "is" {
		p.references = append(p.references, r)
	}
}

// keywords can stand where a name could.
var keywords = strings.Fields(`and or not in is null like ilike escape between exists case when then else end asc desc nulls first last
	where on order group having limit offset union except intersect returning set inner left right full outer cross natural join using for
	true false any all some array row distinct from collate interval at time zone as over partition default values do conflict materialized`)

// words splits a statement into names, marks and the rest. Names are in lower
// case, or in quotation marks as they are; texts and numbers are "0".
func words(text string) (all []string) {
	for i := 0; i < len(text); {
		begin, c := i, text[i]
		i++
		switch {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
		case c == '\'' || c == '"' || c == '`':
			for i < len(text) && text[i] != c {
				i++
			}
			i = min(i+1, len(text))
			if all = append(all, "0"); c != '\'' {
				all[len(all)-1] = text[begin:i]
			}
		case c == '-' && i < len(text) && text[i] == '-':
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case isLetter(c):
			for i < len(text) && (isLetter(text[i]) || isDigit(text[i])) {
				i++
			}
			all = append(all, strings.ToLower(text[begin:i]))
		case isDigit(c) || c == '$' || c == '?':
			for i < len(text) && (isDigit(text[i]) || text[i] == '.') {
				i++
			}
			all = append(all, "0")
		default:
			all = append(all, text[begin:i])
		}
	}
	return all
}

func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

func isName(w string) bool { return w != "" && (isLetter(w[0]) || w[0] == '"' || w[0] == '`') }

func name(w string) string { return strings.Trim(w, "\"`") }
