package read

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/entwine-go/entwine/kit/expose"
)

// sum is a part of an expression: an operand of the operators of numbers, or their
// result.
type sum struct {
	from, to int // the first token, and the one behind
	// whole is set where it is a whole number, unless something in it was out of
	// range, and computes where that may have been.
	whole, computes bool
	parts           []sum
	// passes is set where the sum that it is a part of is out of range if it is.
	passes bool
}

// sums finds them in an expression: a recursive descent over +, -, *, / and %, and
// over what stands in parentheses and in CASE. All else separates sums.
type sums struct {
	tokens []expose.CalcTerm
	whole  func(expose.CalcTerm) bool
	at     int
	broken bool
}

// exact returns the expression with checks of what it computes of whole numbers,
// and whether it is one. An expression that is not understood is returned unchanged.
func exact(terms []expose.CalcTerm, whole func(expose.CalcTerm) bool) ([]expose.CalcTerm, bool) {
	p := &sums{tokens: tokens(terms), whole: whole}
	all := p.list()
	if p.broken || p.at < len(p.tokens) {
		return terms, false
	}
	is := len(all) == 1 && all[0].from == 0 && all[0].to == p.at && all[0].whole
	return p.between(0, p.at, all, false), is
}

// token matches a number, a word, a quotation or an operator, with the spaces
// around it.
var token = regexp.MustCompile(`^\s*(?:\d*\.?\d+(?:[eE][+-]?\d+)?|\d+\.|[a-zA-Z_][\w.]*|'[^']*'|"[^"]*"|->>|->|\|\||<<|>>|<=|>=|<>|!=|==|\S)\s*`)

// tokens takes the SQL between columns and arguments apart.
func tokens(terms []expose.CalcTerm) (all []expose.CalcTerm) {
	for _, t := range terms {
		for t.SQL != "" {
			n := len(token.FindString(t.SQL))
			if n == 0 {
				n = len(t.SQL)
			}
			all, t.SQL = append(all, expose.CalcTerm{SQL: t.SQL[:n]}), t.SQL[n:]
		}
		if t.Column+t.Argument != "" {
			all = append(all, t)
		}
	}
	return all
}

// word is the i-th token in lower case: empty of a column, an argument, and the end.
func (p *sums) word(i int) string {
	if i < 0 || i >= len(p.tokens) {
		return ""
	}
	return strings.ToLower(strings.TrimSpace(p.tokens[i].SQL))
}

// list parses sums and what separates them, up to a token that closes.
func (p *sums) list() (all []sum) {
	for p.at < len(p.tokens) && !p.broken {
		switch word := p.word(p.at); {
		case word == ")" || word == "end":
			return all
		case p.tokens[p.at].SQL != "" && separates(word):
			p.at++
		default:
			all = append(all, p.operation(0))
		}
	}
	return all
}

// separators are words that no operand begins with.
var separators = []string{
	"and", "or", "not", "is", "isnull", "notnull", "in", "like", "glob", "match", "regexp", "escape", "between",
	"when", "then", "else", "as", "collate", "distinct", "from",
}

func separates(word string) bool {
	operand := word != "" && (strings.ContainsRune(`(-+~'".`, rune(word[0])) || word[0] == '_' || unicode.IsLetter(rune(word[0])) || unicode.IsDigit(rune(word[0])))
	return !operand || slices.Contains(separators, word)
}

// binding are the operators, those that bind least first.
var binding = [][]string{{"+", "-"}, {"*", "/", "%"}, {"||", "->", "->>"}}

func (p *sums) operation(level int) sum {
	if level == len(binding) {
		return p.operand()
	}
	one := p.operation(level + 1)
	for !p.broken && slices.Contains(binding[level], p.word(p.at)) {
		p.at++
		other := p.operation(level + 1)
		one.passes, other.passes = true, true
		numbers := level < len(binding)-1
		one = sum{from: one.from, to: p.at, whole: numbers && one.whole && other.whole, computes: true, parts: []sum{one, other}}
	}
	return one
}

// passing are functions that are whole of whole numbers, and out of range of what is.
var passing = []string{"abs", "min", "max", "coalesce", "ifnull", "nullif"}

func (p *sums) operand() sum {
	from, word := p.at, p.word(p.at)
	if p.at == len(p.tokens) {
		p.broken = true
		return sum{}
	}
	p.at++
	s := sum{}
	switch {
	case p.tokens[from].SQL == "":
		s.whole = p.whole(p.tokens[from])
	case word == "-" || word == "+":
		one := p.operand()
		one.passes = true
		s = sum{whole: one.whole, computes: one.computes, parts: []sum{one}}
	case word == "~":
		s.parts = []sum{p.operand()}
	case word == "(":
		s = p.within(word, ")")
	case word == "case":
		s = p.within(word, "end")
	case p.word(p.at) == "(":
		p.at++
		s = p.within(word, ")")
		s.whole = s.whole && slices.Contains(passing, word)
	default:
		s.whole = word == "null" || len(word) <= 18 && strings.Trim(word, "0123456789") == ""
	}
	s.from, s.to = from, p.at
	return s
}

// within parses the sums up to the token that closes. The surrounding expression
// is a whole number where all of its possible values are: the only one of
// parentheses, the arguments of a function, the values behind THEN and ELSE of
// CASE.
func (p *sums) within(of, closes string) sum {
	start := p.at
	s := sum{parts: p.list()}
	end := p.at
	if p.word(end) != closes {
		p.broken = true
		return s
	}
	p.at++
	opens, ends := []string{","}, []string{",", closes}
	if of == "case" {
		opens, ends = []string{"then", "else"}, []string{"when", "else", closes}
	}
	values, at := 0, start
	if of != "case" && end > start {
		values++
	}
	for _, part := range append(slices.Clip(s.parts), sum{from: end}) {
		for ; at < part.from; at++ {
			if slices.Contains(opens, p.word(at)) {
				values++
			}
		}
		at = part.to
	}
	s.whole = values > 0 && (of != "(" || values == 1)
	for i := range s.parts {
		part := &s.parts[i]
		first := of != "case" && part.from == start || part.from > start && slices.Contains(opens, p.word(part.from-1))
		if part.passes = first && slices.Contains(ends, p.word(part.to)); part.passes {
			values--
			s.whole = s.whole && part.whole
		}
		s.computes = s.computes || part.computes
	}
	s.whole = s.whole && values == 0
	return s
}

// between returns the tokens from one up to another, in which are these sums, with
// checks: inside is set where what the sums are in is checked.
func (p *sums) between(from, to int, all []sum, inside bool) (terms []expose.CalcTerm) {
	for _, s := range all {
		terms = append(terms, p.tokens[from:s.from]...)
		known, asked := inside && s.passes, s.whole && s.computes
		body := p.between(s.from, s.to, s.parts, known || asked)
		if asked && !known {
			body = wholeOrFailing(body)
		}
		terms, from = append(terms, body...), s.to
	}
	return append(terms, p.tokens[from:to]...)
}
