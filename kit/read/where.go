package read

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lib/pq"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/fold"
	"github.com/entwine-go/entwine/kit/gid"
)

// where writes the filter as a boolean expression over the row called alias.
func (b *builder) where(f Filter, alias string) {
	switch {
	case trivial(f):
		b.WriteString("TRUE")
		return
	case never(f):
		b.WriteString("FALSE")
		return
	}
	switch f := f.(type) {
	case And:
		b.every(f, alias)
	case Or:
		b.either(f, alias)
	case Not:
		b.WriteString("NOT COALESCE((")
		b.where(f.Filter, alias)
		b.WriteString("), FALSE)")
	case Cond:
		b.cond(f, alias)
	case Column:
		b.column(alias, f.Name)
		b.WriteString(" = ")
		b.Arg(f.ID.Any())
	case Match:
		b.match(f, alias)
	case Has:
		b.has(f, alias)
	case Reached:
		b.reached(alias, f.Edge, func() { b.Arg(f.ID.Any()) })
	case Timeline:
		b.timeline(f, alias)
	default:
		panic(fmt.Sprintf("reading: unknown filter %T", f))
	}
}

// trivial reports whether the filter admits every row.
func trivial(f Filter) bool {
	switch f := f.(type) {
	case nil:
		return true
	case And:
		return !slices.ContainsFunc(f, func(one Filter) bool { return !trivial(one) })
	case Or:
		return slices.ContainsFunc(f, trivial)
	case Not:
		return never(f.Filter)
	}
	return false
}

// never reports whether the filter admits no row, whatever there is.
func never(f Filter) bool {
	switch f := f.(type) {
	case And:
		return slices.ContainsFunc(f, never)
	case Or:
		return !slices.ContainsFunc(f, func(one Filter) bool { return !never(one) })
	case Not:
		return trivial(f.Filter)
	case Match:
		return len(f.Fields) == 0
	}
	return false
}

// every writes that all of the filters hold.
func (b *builder) every(filters And, alias string) {
	b.join(slices.DeleteFunc(slices.Clone(filters), trivial), " AND ", alias)
}

// either writes that one of the filters holds.
func (b *builder) either(filters Or, alias string) {
	b.join(slices.DeleteFunc(slices.Clone(filters), never), " OR ", alias)
}

func (b *builder) join(filters []Filter, separator, alias string) {
	if len(filters) == 1 {
		b.where(filters[0], alias)
		return
	}
	b.WriteString("(")
	for i, f := range filters {
		if i > 0 {
			b.WriteString(separator)
		}
		b.where(f, alias)
	}
	b.WriteString(")")
}

var operators = map[Op]string{EQ: " = ", NEQ: " <> ", GT: " > ", GTE: " >= ", LT: " < ", LTE: " <= "}

func (b *builder) cond(c Cond, alias string) {
	c = c.amounts()
	switch c.Op {
	case IsNull:
		b.expression(alias, c.Field)
		b.WriteString(" IS NULL")
	case NotNull:
		b.expression(alias, c.Field)
		b.WriteString(" IS NOT NULL")
	case In:
		b.oneOf(c, alias)
	case NotIn:
		b.WriteString("NOT COALESCE((")
		b.oneOf(c, alias)
		b.WriteString("), FALSE)")
	case NEQ:
		// As a client reads it: a null is not equal to the value.
		b.WriteString("(")
		b.compare(c, alias)
		if c.Field.Nullable {
			b.WriteString(" OR ")
			b.expression(alias, c.Field)
			b.WriteString(" IS NULL")
		}
		b.WriteString(")")
	case Contains, HasPrefix, HasSuffix, ContainsFold, EqualFold:
		b.textual(c, alias)
	default:
		b.compare(c, alias)
	}
}

func (b *builder) compare(c Cond, alias string) {
	if c.Field.Kind == entity.Strings {
		b.element(c.Field, alias, c.Value)
		return
	}
	b.expression(alias, c.Field)
	b.WriteString(operators[c.Op])
	b.constant(c.Field, c.Value)
}

// constant writes a value that a field is compared with: one of the few that the
// schema declares in the text, any other as an argument. PostgreSQL plans a
// statement without arguments once for each connection, and knows how common the
// value is. With the argument it plans each time anew where values are not alike
// common, which costs as much as reading the page.
func (b *builder) constant(f *entity.Field, value any) {
	if b.postgres {
		switch value := value.(type) {
		case bool:
			b.WriteString(strings.ToUpper(strconv.FormatBool(value)))
			return
		case string:
			if f.Kind == entity.Enum && plain(value) && slices.Contains(f.Values, value) {
				b.WriteString("'" + value + "'")
				return
			}
		}
	}
	b.Arg(value)
}

// plain reports whether a value has nothing that a literal would escape.
func plain(value string) bool { return !strings.ContainsAny(value, `'\`) }

// oneOf writes that the field has one of the values.
func (b *builder) oneOf(c Cond, alias string) {
	if c.Field.Kind == entity.Strings {
		b.overlap(c.Field, alias, c.Value)
		return
	}
	b.expression(alias, c.Field)
	b.in(c.Value)
}

// in writes the list as one argument, so that the text does not depend on its length.
func (b *builder) in(values any) {
	if times, ok := values.([]time.Time); ok {
		b.WriteString(" IN (")
		for i, t := range times {
			if i > 0 {
				b.WriteString(", ")
			}
			b.Arg(t)
		}
		b.WriteString(")")
		return
	}
	if b.postgres {
		b.WriteString(" = ANY(")
		b.Arg(array(values))
		b.WriteString(")")
		return
	}
	b.WriteString(" IN (SELECT value FROM json_each(")
	b.Arg(jsonList(values))
	b.WriteString("))")
}

// jsonList is the argument of SQLite's json_each.
func jsonList(values any) string {
	switch values := values.(type) {
	case []gid.ID:
		return string(appendList(nil, values))
	case []int64:
		return string(append(appendNumbers([]byte{'['}, values), ']'))
	}
	text, err := json.Marshal(values)
	if err != nil {
		panic(fmt.Sprintf("reading: a list of %T is no argument: %v", values, err))
	}
	return string(text)
}

// element writes that the JSON list of texts in the field has the value.
func (b *builder) element(f *entity.Field, alias string, value any) {
	if b.postgres {
		b.column(alias, f.Column)
		b.WriteString(" ? ") // the operator, which an index serves
		b.Arg(value)
		return
	}
	b.WriteString("EXISTS (SELECT 1 FROM json_each(")
	b.column(alias, f.Column)
	b.WriteString(`) AS "element" WHERE "element"."value" = `)
	b.Arg(value)
	b.WriteString(")")
}

// overlap writes that the JSON list of texts in the field has one of the values.
func (b *builder) overlap(f *entity.Field, alias string, values any) {
	if b.postgres {
		b.column(alias, f.Column)
		b.WriteString(" ?| ")
		b.Arg(array(values))
		return
	}
	b.WriteString("EXISTS (SELECT 1 FROM json_each(")
	b.column(alias, f.Column)
	b.WriteString(`) AS "element" WHERE "element"."value"`)
	b.in(values)
	b.WriteString(")")
}

func (b *builder) textual(c Cond, alias string) {
	text, _ := c.Value.(string)
	switch c.Op {
	case ContainsFold:
		b.contains(alias, c.Field.Fold, fold.String(text))
	case EqualFold:
		b.column(alias, c.Field.Fold)
		b.WriteString(" = ")
		b.Arg(fold.String(text))
	case Contains:
		b.WriteString("(" + b.position())
		b.expression(alias, c.Field)
		b.WriteString(", ")
		b.Arg(text)
		b.WriteString(") > 0)")
	case HasPrefix:
		b.affix(alias, c.Field, escapeLike(text)+"%", text, false)
	case HasSuffix:
		b.affix(alias, c.Field, "%"+escapeLike(text), text, true)
	}
}

// affix writes that the field starts or ends with the text. SQLite's LIKE
// leaves the case of ASCII letters out of account, so it compares parts there.
func (b *builder) affix(alias string, f *entity.Field, pattern, text string, end bool) {
	if b.postgres {
		b.expression(alias, f)
		b.WriteString(" LIKE ")
		b.Arg(pattern)
		return
	}
	b.WriteString("substr(")
	b.expression(alias, f)
	b.WriteString(", ")
	if end {
		b.WriteString("-max(length(")
		b.Arg(text)
		b.WriteString("), 1)")
	} else {
		b.WriteString("1, length(")
		b.Arg(text)
		b.WriteString(")")
	}
	b.WriteString(") = ")
	b.Arg(text)
}

// contains writes that the folded column contains the folded text. PostgreSQL
// serves LIKE from a trigram index, which it is not to do where it would read
// all of that.
func (b *builder) contains(alias, column, folded string) {
	if b.postgres && !b.walking && indexable(folded) {
		b.column(alias, column)
		b.WriteString(" LIKE ")
		b.Arg("%" + escapeLike(folded) + "%")
		return
	}
	b.WriteString(b.position())
	b.column(alias, column)
	b.WriteString(", ")
	b.Arg(folded)
	b.WriteString(") > 0")
}

// position begins the call that says where a text has another.
func (b *builder) position() string {
	if b.postgres {
		return "strpos("
	}
	return "instr("
}

func (b *builder) match(m Match, alias string) {
	folded := fold.String(m.Text)
	b.WriteString("(")
	for i, f := range m.Fields {
		if i > 0 {
			b.WriteString(" OR ")
		}
		b.contains(alias, f.Fold, folded)
	}
	b.WriteString(")")
}

// has writes that there is a row at the edge's other end that the viewer can
// read and the filter admits.
func (b *builder) has(h Has, alias string) {
	inner := "e" + strconv.Itoa(b.edges)
	b.edges++
	b.WriteString("EXISTS (SELECT 1")
	b.from(h.Edge.To.Table, inner)
	switch {
	case h.Edge.Join != nil:
		b.WriteString(` JOIN "` + h.Edge.Join.Table + `" AS "j` + inner + `" ON `)
		b.column("j"+inner, h.Edge.Join.To)
		b.WriteString(" = ")
		b.column(inner, h.Edge.To.ID().Column)
		b.WriteString(" WHERE ")
		b.column("j"+inner, h.Edge.Join.From)
		b.WriteString(" = ")
		b.column(alias, h.Edge.From())
	case h.Edge.Tree != nil:
		b.WriteString(" WHERE ")
		b.reached(inner, h.Edge, func() { b.column(alias, h.Edge.From()) })
	case h.Edge.Own:
		b.WriteString(" WHERE ")
		b.column(inner, h.Edge.To.ID().Column)
		b.WriteString(" = ")
		b.column(alias, h.Edge.Column)
	default:
		b.WriteString(" WHERE ")
		b.column(inner, h.Edge.Column)
		b.WriteString(" = ")
		b.column(alias, h.Edge.From())
	}
	_ = b.admitting(admission{ // which only a page fails
		where: h.Filter, rule: readable(h.Edge, b.viewer, b.deleted), alias: inner, bound: b.lifted(h.Edge, alias, inner),
	})
	b.WriteString(")")
}

var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// escapeLike makes LIKE take the text literally.
func escapeLike(text string) string { return likeEscaper.Replace(text) }

// array is a list as PostgreSQL takes it.
func array(values any) any {
	if ids, ok := values.([]gid.ID); ok {
		return idArray(ids)
	}
	return pq.Array(values)
}
