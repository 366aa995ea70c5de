package read

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/entwine-go/entwine/kit/entity"
)

// Words that stand together can be rare while each of them is in half of the
// rows. The indexes know trigrams, of which both words' are then read, and of
// PostgreSQL's no word's end with the next one's beginning: every row with both
// is compared. The newest rows tell how many these are. Where they are more than
// a listing is looked through for, it is looked through instead, and the total
// says that there may be more.

// sampled is how many of the newest rows tell how common words are.
const sampled = 1_000

// isCommon is true where the words are common: see [finding.common].
const isCommon = `(SELECT "is" FROM "common")`

// mayBeCommon reports whether the statement has to ask how common the words are:
// of a text of one word the index finds what has it, and pages by cursor lead to
// all rows.
func (f *finding) mayBeCommon() bool {
	return len(f.words) > 0 && f.query.Page.Most > 0 && !f.query.Page.Endless
}

// common writes whether more rows have all of the words than are looked through.
func (f *finding) common(b *builder) {
	e := f.entity
	table, of, age := ` FROM "`+e.Table+`"`, "", `"`+age(e)+`"`
	if numbered(e) && !b.postgres {
		table, of, age = ` FROM "`+numbers(e)+`"`, ` AS "r" CROSS JOIN "`+e.Table+`" AS "t" ON "t"."`+e.ID().Column+`" = "r"."id"`, `"row"`
	}
	b.WriteString(`"common" AS MATERIALIZED (SELECT count(*) * (SELECT max(` + age + ")" + table + ") > " + strconv.Itoa(looked*sampled) +
		` AS "is" FROM (SELECT *` + table + of + ` ORDER BY ` + age + ` DESC LIMIT ` + strconv.Itoa(sampled) + `) AS "t" WHERE `)
	b.walking = true
	b.where(f.words, "t")
	b.walking = false
	b.WriteString("), ")
}

// newest writes the rows with the parts among those that the order of the listing
// begins with, and where it says ifCommon, none unless the words are.
func (f *finding) newest(b *builder, ifCommon bool) {
	b.WriteString("SELECT ")
	f.keys(b, "t")
	b.WriteString(" FROM (SELECT *")
	b.from(f.entity.Table, "t")
	b.bare = true
	limit := strconv.Itoa(looked)
	switch {
	case ifCommon && b.postgres:
		b.also()
		b.WriteString(isCommon)
	case ifCommon:
		limit = "CASE WHEN " + isCommon + " THEN " + limit + " ELSE 0 END"
	}
	_ = b.admitting(admission{where: f.rest, rule: f.rule, alias: "t", sorted: byComputed(f.rows.terms)}) // which only a page fails
	b.bare = false
	b.order("t", f.rows.terms, false)
	b.WriteString(" LIMIT " + limit + `) AS "t" WHERE `)
	b.walking = true
	b.where(f.parts, "t")
	b.walking = false
}

// total writes how many rows are found. Where that are those among the newest
// alone it is less than zero, which [reading.bounded] takes apart.
func (f *finding) total(b *builder) {
	if !f.mayBeCommon() {
		b.WriteString(`SELECT count(*) FROM "few"`)
		return
	}
	b.WriteString("SELECT CASE WHEN " + isCommon + ` THEN -1 - count(*) ELSE count(*) END FROM "few"`)
}

// wordsOf returns the filter of the rows that have each word of the folded text
// in one of the fields, nil where it is one word.
func wordsOf(folded string, fields []*entity.Field) (words And) {
	all := strings.FieldsFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(all) < 2 {
		return nil
	}
	for _, word := range all {
		if utf8.RuneCountInString(word) >= fewest {
			words = append(words, Match{Fields: fields, Text: word})
		}
	}
	return words
}

// fieldsOf are the fields that a filter looks for a part in: see [part].
func fieldsOf(where Filter) (fields []*entity.Field) {
	switch w := where.(type) {
	case Match:
		return w.Fields
	case Cond:
		return []*entity.Field{w.Field}
	case And:
		return fieldsOf(w[0])
	case Or:
		for _, one := range w {
			fields = append(fields, fieldsOf(one)...)
		}
	}
	return fields
}
