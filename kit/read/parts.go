package read

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/fold"
	"github.com/entwine-go/entwine/kit/policy"
)

// Rows that have a part of a text are found by the trigrams of their texts:
// PostgreSQL has a GIN index over the folded columns, SQLite a full-text table
// of them ([Field.Parts]). Few rows have most parts that people look for, and
// very many have some. No planner knows which: asked for a page in an order,
// it walks the order and hopes to meet rows that there are not, or fetches
// half the table to sort it. So the statement has both ways, and takes the one
// that the rows themselves decide on; see [finding.with].

const (
	// fewest is how many characters of a word the indexes need.
	fewest = 3
	// few is how many rows are fetched by the index and sorted. Of those that
	// more rows have, the page is found soon in the order of the listing.
	few = 5_000
	// looked is how many rows of a listing are looked through for what the
	// indexes cannot find, where totals may be bounded.
	looked = 20_000
)

// MostFound is how far the total of a listing is counted that looks for parts of
// texts, where [Page.Most] says so.
const MostFound = few

// indexable reports whether the indexes of both databases find the folded
// text: PostgreSQL's are of letters and digits that stand together, and it
// would read all of the index for a text without three of them.
func indexable(folded string) bool {
	run := 0
	for _, r := range folded {
		if run++; !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			run = 0
		}
		if run == fewest {
			return true
		}
	}
	return false
}

// mostTrigrams is how many of a text SQLite looks up: the text itself is
// compared anyway.
const mostTrigrams = 16

// trigrams is the argument of SQLite's MATCH for the rows that have all, or
// enough, of the trigrams of the folded text.
func trigrams(folded string) string {
	runes := []rune(folded)
	n := len(runes) - fewest + 1
	step := max(1, (n+mostTrigrams-1)/mostTrigrams)
	var b strings.Builder
	for i := 0; i < n; i += step {
		if i > 0 {
			b.WriteString(" AND ")
		}
		b.WriteString(`"` + strings.ReplaceAll(string(runes[i:i+fewest]), `"`, `""`) + `"`)
	}
	return b.String()
}

// finding is a query by a part of a text.
type finding struct {
	entity *entity.Entity
	rows   *set
	query  *Query
	rule   policy.Rule
	// table is SQLite's table of trigrams, text what is looked up there: empty
	// where nothing can be, and the listing is looked through.
	table, text string
	// rest is the filter without the parts of texts.
	rest, parts And
	// words are those of the text where it has more than one: see [finding.mayBeCommon].
	words And
}

// finding returns how the query's rows are found by parts of their texts:
// whether a page is chosen among those that are found, and whether the total
// is theirs. Neither is where there are no parts, and where only a scan could
// tell and the total is to be exact. A page that is read on ([Page.Endless])
// is not bounded by what its total is.
func (q *Query) finding(e *entity.Entity, rows *set, rule policy.Rule) (f finding, page, total bool) {
	f = finding{entity: e, rows: rows, query: q, rule: rule}
	f.split(q.Where)
	total = !q.single && len(f.parts) > 0 && (f.text != "" || q.Page.Most > 0)
	return f, total && (f.text != "" || !q.Page.Endless), total
}

// split takes the filter, all of whose terms must hold, apart.
func (f *finding) split(where Filter) {
	if all, ok := where.(And); ok {
		for _, one := range all {
			f.split(one)
		}
		return
	}
	table, text := part(where)
	switch {
	case table == "":
		if where != nil {
			f.rest = append(f.rest, where)
		}
		return
	case indexable(text) && utf8.RuneCountInString(text) > utf8.RuneCountInString(f.text):
		f.text, f.words = text, wordsOf(text, fieldsOf(where))
	}
	f.table, f.parts = table, append(f.parts, where)
}

// part returns the folded text that the filter looks for a part by, and the
// table of the trigrams of its fields, empty for another filter.
func part(where Filter) (table, folded string) {
	switch w := where.(type) {
	case Match:
		for _, f := range w.Fields {
			if table = f.Parts; table == "" {
				return "", ""
			}
		}
		return table, fold.String(w.Text)
	case Cond:
		if text, ok := w.Value.(string); ok && w.Op == ContainsFold {
			return w.Field.Parts, fold.String(text)
		}
	case And:
		if len(w) == 1 {
			return part(w[0])
		}
	case Or: // of the same part in several fields: GraphQL says a Match so
		for i, one := range w {
			of, text := part(one)
			if of == "" || i > 0 && (of != table || text != folded) {
				return "", ""
			}
			table, folded = of, text
		}
		return table, folded
	}
	return "", ""
}

// with writes the rows that are found, "few": as many as are counted, with
// what they are ordered by. PostgreSQL plans "hits", as any WITH that is
// materialized, as if all of its rows were wanted, which the index then is
// cheapest for, and reads no more of it than is.
func (f *finding) with(b *builder) {
	b.WriteString("WITH ")
	if f.mayBeCommon() {
		f.common(b)
	}
	switch {
	case f.text == "":
		b.WriteString(`"few" AS MATERIALIZED (`)
		f.newest(b, false)
	case b.postgres:
		b.WriteString(`"hits" AS MATERIALIZED (SELECT `)
		f.keys(b, "t")
		f.from(b)
		if len(f.rest) > 0 {
			b.also()
			b.byValues()
		}
		if f.mayBeCommon() {
			b.also()
			b.WriteString("NOT " + isCommon)
		}
		b.WriteString(`), "few" AS MATERIALIZED (SELECT * FROM "hits"`)
	default:
		b.WriteString(`"few" AS MATERIALIZED (SELECT * FROM (SELECT `)
		f.keys(b, "t")
		f.from(b)
		if f.mayBeCommon() { // SQLite asks a condition of each row, whatever it is about
			b.WriteString(" LIMIT CASE WHEN " + isCommon + " THEN 0 ELSE " + strconv.Itoa(few+1) + " END")
		}
		b.WriteString(`) AS "hits"`)
	}
	if f.mayBeCommon() {
		b.WriteString(" UNION ALL SELECT * FROM (")
		f.newest(b, true)
		b.WriteString(`) AS "newest"`)
	}
	if f.query.Page.Most > 0 || !f.query.Page.Total {
		b.WriteString(" LIMIT ")
		b.int(few + 1)
	}
	b.WriteString(") ")
}

// byValues writes a condition that always holds and has PostgreSQL plan the
// statement for its values each time. From the sixth time on it compares the cost
// of a plan for any values, which takes a part of a text, a range and a tag to
// be equally rare, and would rather read the index of prices than that of parts:
// a thousand times as many rows. The subquery makes that plan the dearest there
// is. In one for the values TRUE takes its place, so it never runs.
func (b *builder) byValues() {
	b.WriteString("(")
	b.Arg(true)
	b.WriteString(" OR (SELECT count(*) FROM generate_series(1, 1000000000000)) < 0)")
}

// from writes FROM and WHERE of the rows that are found by the index.
func (f *finding) from(b *builder) {
	if b.postgres {
		b.from(f.entity.Table, "t")
		b.bare = true
	} else {
		b.indexed(f.entity, f.table)
		b.Arg(trigrams(f.text))
	}
	b.admit(f.query.Where, f.rule)
}

// keys writes the id and what the rows are ordered by, under the columns' names.
func (f *finding) keys(b *builder, alias string) {
	b.column(alias, f.entity.ID().Column)
	for i, t := range f.rows.terms {
		if !t.Field.Kind.IsID() {
			b.WriteString(", ")
			b.expression(alias, t.Field)
			b.WriteString(` AS "` + called(t.Field, i) + `"`)
		}
	}
}

// choose writes that the row called t is one of those that the page needs: of
// the few, or, where there are more, of those that the order of the listing
// leads to.
func (f *finding) choose(b *builder) error {
	kept := *f.rows // what the few are ordered by are columns of theirs
	kept.terms = make([]entity.Term, len(f.rows.terms))
	for i, t := range f.rows.terms {
		field := *t.Field
		field.Column, field.Expression, field.Computed = called(&field, i), "", nil
		kept.terms[i] = entity.Term{Field: &field, Desc: t.Desc}
	}
	id := `"` + f.entity.ID().Column + `"`
	b.WriteString(`"t".` + id + ` IN (SELECT ` + id + ` FROM (SELECT "f".` + id + ` FROM "few" AS "f" WHERE (SELECT count(*) FROM "few") <= `)
	b.int(few)
	if err := b.page("f", &kept, f.query); err != nil {
		return err
	}
	b.order("f", kept.terms, f.query.Page.Backward)
	b.WriteString(" LIMIT ")
	b.size(f.query)
	b.WriteString(`) AS "a" UNION ALL SELECT ` + id + ` FROM (SELECT "t".` + id)
	b.from(f.entity.Table, "t")
	b.bare = true
	if b.postgres {
		b.also()
		b.WriteString(`(SELECT count(*) FROM "few") > `)
		b.int(few)
	}
	b.walking = true
	err := b.paged(f.rows, f.query, f.rule, nil)
	b.walking = false
	if err != nil {
		return err
	}
	b.order("t", f.rows.terms, f.query.Page.Backward)
	b.WriteString(" LIMIT ")
	if b.postgres {
		b.size(f.query)
	} else { // SQLite asks a condition of each row, whatever it is about
		b.WriteString(`CASE WHEN (SELECT count(*) FROM "few") > `)
		b.int(few)
		b.WriteString(" THEN ")
		b.size(f.query)
		b.WriteString(" ELSE 0 END")
	}
	b.WriteString(`) AS "b")`)
	return nil
}

// bounded returns how many rows are known to be found, and whether there may
// be more.
func (r *reading) bounded(ctx context.Context, e *entity.Entity, q *Query, found int64) (int64, bool, error) {
	most := int64(q.Page.Most)
	newest := found < 0 // see [finding.total]
	if newest {
		found = -1 - found
	}
	rule := r.readable(e)
	f, _, byPart := q.finding(e, &set{terms: q.Order(e)}, rule)
	if byPart {
		most = min(most, few)
	}
	switch {
	case found > most:
		return most, true, nil
	case !byPart || rule.Never():
		return found, false, nil
	case f.text != "" && !newest:
		return found, false, nil
	}
	n, err := r.number(ctx, func(b *builder) {
		b.WriteString("SELECT count(*) FROM (SELECT 1")
		b.from(e.Table, "t")
		b.bare = true
		b.admit(f.rest, rule)
		b.bare = false
		b.WriteString(" LIMIT ")
		b.int(looked + 1)
		b.WriteString(`) AS "listing"`)
	})
	if err != nil {
		return 0, false, fmt.Errorf("count %s: %w", e.Path, err)
	}
	return found, n > looked, nil
}
