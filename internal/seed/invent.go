package seed

import (
	"encoding/json"
	"math"
	"regexp/syntax"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/entwine-go/entwine/kit/sample"
)

// invent makes up a value of the column, within its bounds.
func (r *row) invent(c *sample.Column) any {
	random := r.s.random
	switch c.Kind {
	case sample.Enum:
		return c.Values[random.IntN(len(c.Values))]
	case sample.Bool:
		return random.IntN(2) == 0
	case sample.Time:
		return r.at
	case sample.Date:
		return r.at.Format(time.DateOnly)
	case sample.Int, sample.Amount:
		return int64(math.Round(r.number(c)))
	case sample.Float:
		return math.Round(r.number(c)*100) / 100
	case sample.Strings:
		return r.list(c)
	case sample.JSON:
		if c.Default == "{}" {
			return `{"` + r.s.words.one(nouns) + `":"` + r.s.words.one(adjectives) + `"}`
		}
		return c.Default
	case sample.UUID:
		var id uuid.UUID
		for i := range id {
			id[i] = byte(random.UintN(256))
		}
		id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80 // version 4 of RFC 9562
		return id.String()
	case sample.Bytes:
		raw := make([]byte, max(1, min(16, c.Longest), c.Shortest))
		for i := range raw {
			raw[i] = byte(random.UintN(256))
		}
		return raw
	}
	return r.text(c)
}

// number draws many small ones and a few large ones between the bounds.
func (r *row) number(c *sample.Column) float64 {
	least, scale := 0.0, 20.0
	if c.Kind == sample.Amount {
		least, scale = 99, 4000 // 0.99 and more
	}
	if c.Least != nil {
		least = max(least, *c.Least)
	}
	if c.Greatest == nil {
		return least + math.Floor(r.s.random.ExpFloat64()*scale)
	}
	least = min(least, *c.Greatest)
	if c.Least != nil && *c.Greatest-*c.Least <= 1000 { // a scale: as likely as each other
		return least + math.Floor(r.s.random.Float64()*(math.Floor(*c.Greatest-least)+1))
	}
	return min(*c.Greatest, least+math.Floor(r.s.random.ExpFloat64()*scale))
}

// list returns some words, no two the same, as they are stored.
func (r *row) list(c *sample.Column) string {
	n := r.s.random.IntN(4)
	if c.Most > 0 {
		n = min(n, c.Most)
	}
	chosen := []string{}
	for _, at := range r.s.random.Perm(len(labels)) {
		if word := fit(labels[at], 1, c.Longest); len(chosen) < n && (c.Longest == 0 || word == labels[at]) {
			chosen = append(chosen, word)
		}
	}
	text, _ := json.Marshal(chosen) // texts always encode
	return string(text)
}

// text invents one by the column's form, its name and its length.
func (r *row) text(c *sample.Column) any {
	serial := strconv.FormatInt(r.i, 10)
	switch {
	case c.Format == "email":
		first, last := r.s.words.one(firstNames), r.s.words.one(lastNames)
		return strings.ToLower(first + "." + last + serial + "@example.com")
	case c.Format == "uri":
		return "https://" + r.s.words.one(nouns) + ".example.com/" + serial
	case c.Pattern != "" && c.Default != nil && !c.Unique:
		return c.Default
	case c.Pattern != "":
		return r.matching(c, serial)
	case c.Longest == 0 || c.Longest > long:
		return fit(r.s.prose.text(r.s.random), c.Shortest, c.Longest)
	}
	text := r.phrase(c)
	if c.Unique {
		text = fit(text, 0, c.Longest-len(serial)-1) + " " + serial
	}
	return fit(text, c.Shortest, c.Longest)
}

// long is from how many characters on a text has sentences.
const long = 1000

// phrase invents a short text by the name of its column.
func (r *row) phrase(c *sample.Column) string {
	w := r.s.words
	is := func(names ...string) bool {
		for _, name := range names {
			if c.Name == name || strings.HasSuffix(c.Name, "_"+name) {
				return true
			}
		}
		return false
	}
	switch {
	case is("first_name"):
		return w.one(firstNames)
	case is("last_name", "surname"):
		return w.one(lastNames)
	case is("author", "contact", "customer", "person"):
		return w.one(firstNames) + " " + w.one(lastNames)
	case is("company", "supplier", "brand", "maker"):
		return w.one(lastNames) + " & " + w.one(lastNames)
	case is("name") && r.person():
		return w.one(firstNames) + " " + w.one(lastNames)
	case is("name"):
		return w.product()
	case is("title", "subject", "headline"):
		return pick(r.s.random, r.s.prose.titles)
	case is("category", "department", "kind"):
		return w.one(departments)
	case is("text", "comment", "remark", "note", "summary", "message"):
		return r.s.prose.remark(r.s.random)
	case is("phone"):
		return "+1 555 " + strconv.Itoa(1000+r.s.random.IntN(9000))
	}
	return w.one(adjectives) + " " + w.one(nouns)
}

// person reports whether the rows are people: they have an e-mail address.
func (r *row) person() bool {
	for _, c := range r.table.Columns {
		if c.Format == "email" {
			return true
		}
	}
	return false
}

// matching invents a text that matches the column's pattern.
func (r *row) matching(c *sample.Column, serial string) string {
	if slug := r.s.words.one(nouns) + "-" + serial; c.Pattern == slugs {
		return fit(slug, c.Shortest, c.Longest)
	}
	expression, err := syntax.Parse(c.Pattern, syntax.Perl)
	if err != nil {
		return serial // the schema compiles it
	}
	text := ""
	for range 100 { // a longer or a shorter one may do
		var b strings.Builder
		r.match(&b, expression.Simplify())
		text = b.String()
		if n := utf8.RuneCountInString(text); n >= c.Shortest && (c.Longest == 0 || n <= c.Longest) {
			break
		}
	}
	return text
}

// slugs is the pattern of expose.Slug.
const slugs = `^[a-z0-9]+(-[a-z0-9]+)*$`

// match writes a text that the expression matches.
func (r *row) match(b *strings.Builder, e *syntax.Regexp) {
	random := r.s.random
	times := func(least, most int) {
		for range least + random.IntN(most-least+1) {
			r.match(b, e.Sub[0])
		}
	}
	switch e.Op {
	case syntax.OpLiteral:
		b.WriteString(string(e.Rune))
	case syntax.OpCharClass:
		at := 2 * random.IntN(len(e.Rune)/2)
		low, high := e.Rune[at], min(e.Rune[at+1], e.Rune[at]+255)
		b.WriteRune(low + rune(random.IntN(int(high-low)+1)))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteRune('a' + rune(random.IntN(26)))
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range e.Sub {
			r.match(b, sub)
		}
	case syntax.OpAlternate:
		r.match(b, e.Sub[random.IntN(len(e.Sub))])
	case syntax.OpStar:
		times(0, 3)
	case syntax.OpPlus:
		times(1, 4)
	case syntax.OpQuest:
		times(0, 1)
	case syntax.OpRepeat:
		most := e.Max
		if most < 0 {
			most = e.Min + 3
		}
		times(e.Min, most)
	}
}

// fit cuts a text to the longest, and fills it up to the shortest.
func fit(text string, shortest, longest int) string {
	if longest > 0 && utf8.RuneCountInString(text) > longest {
		text = strings.TrimRight(string([]rune(text)[:longest]), " ,.")
	}
	if missing := shortest - utf8.RuneCountInString(text); missing > 0 {
		text += strings.Repeat("a", missing)
	}
	return text
}
