package read

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"strconv"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
)

// Words are the words of a full-text search, in the language of each database.
type Words interface {
	// Postgres is the argument of to_tsquery. Where weights is not empty, only
	// texts of these weights count.
	Postgres(weights string) string
	// SQLite is the argument of MATCH. Where columns is not nil, only these count.
	SQLite(columns []string) string
}

// Found is a row that full-text search has found.
type Found struct {
	ID gid.ID
	// Texts are those of the fields that are searched, and empty for one that
	// the viewer may not see.
	Texts []string
	// age is more of a newer row.
	age int64
}

// Excerpt is how many characters of a text [Reader.Matching] and [Reader.Around] read.
const Excerpt = 2000

// newest is how many of the newest rows tell how frequent the words are.
const newest = 2_000

// reach is which of the newest rows have as many with the words as are wanted,
// where so many of the [newest] have them: half as many again as that says. It
// returns the age of the oldest, 0 for all rows.
func reach(found []Found, limit int) int64 {
	if len(found) == 0 {
		return 0
	}
	return max(0, found[0].age-int64(limit*newest/len(found)*3/2))
}

// Matching returns the newest rows that the viewer can read and in which the
// words are, limit at most, with the folded beginnings of their texts. Fields
// that the viewer may not see are not searched.
//
// The index of either database lists the rows of a word from the oldest on, and
// for a frequent word these are most rows. The planners' estimates for a phrase,
// or for the beginning of a word, are far from the truth. So the newest rows tell
// how frequent the words are, and often are enough; next come as many rows as
// should be, and all rows only where that was wrong, or nearly none have the
// words.
func (r *Reader) Matching(ctx context.Context, e *entity.Entity, words Words, limit int) ([]Found, error) {
	reading := r.reading(ctx, false)
	rule := e.Rules.Readable(reading.viewer, false)
	if rule.Never() {
		return nil, rule.Refusal(reading.viewer)
	}
	match := reading.walk
	if r.postgres() {
		match = reading.match
	}
	rows, err := match(ctx, e, words, rule, sample, limit)
	if err != nil || len(rows) == limit {
		return rows, err
	}
	if since := reach(rows, limit); since > 0 {
		if rows, err = match(ctx, e, words, rule, since, limit); err != nil || len(rows) == limit {
			return rows, err
		}
	}
	return match(ctx, e, words, rule, 0, limit)
}

// sample, as the oldest id, stands for the [newest] rows, whatever their ids.
const sample = -1

// walk has SQLite walk its index from the newest row on. CROSS JOIN keeps the
// order: the full-text table leads.
func (r *reading) walk(ctx context.Context, e *entity.Entity, words Words, rule policy.Rule, since int64, limit int) ([]Found, error) {
	b := r.builder(r.viewer, false)
	defer b.release()
	index := "search_" + e.Table
	b.searched(e, b.beginnings)
	ages := `"` + e.ID().Column + `") - ` + strconv.Itoa(newest) + ` FROM "` + e.Table
	if numbered(e) {
		b.WriteString(`, "s"."rowid"`)
		ages = `"row") - ` + strconv.Itoa(newest) + ` FROM "` + numbers(e)
	}
	b.indexed(e, index)
	b.Arg(words.SQLite(b.visible(e)))
	switch since {
	case 0:
	case sample:
		b.WriteString(` AND "s"."rowid" > (SELECT max(` + ages + `")`)
	default:
		b.WriteString(` AND "s"."rowid" >= `)
		b.Arg(since)
	}
	b.rule(rule, "t")
	b.WriteString(` ORDER BY "s"."rowid" DESC LIMIT `)
	b.int(limit)
	return r.found(ctx, e, b)
}

// match has PostgreSQL look at the newest rows, or at what the indexes of the
// words and of the ids have in common. The sum keeps the planner from walking
// the rows by their key, and is what the index of the ids is over: one of
// ranges of pages, which costs nothing to look at.
func (r *reading) match(ctx context.Context, e *entity.Entity, words Words, rule policy.Rule, since int64, limit int) ([]Found, error) {
	b := r.builder(r.viewer, false)
	defer b.release()
	b.searched(e, b.beginnings)
	by := `"` + age(e) + `"`
	if numbered(e) {
		b.WriteString(`, "t".` + by)
	}
	order := `"t".` + by + ` + 0`
	if since == sample {
		b.WriteString(` FROM (SELECT * FROM "` + e.Table + `"`)
		b.bare = true
		b.rule(e.Rules.Tenant(b.viewer), e.Table)
		b.bare = false
		b.WriteString(` ORDER BY ` + by + ` DESC LIMIT ` + strconv.Itoa(newest) + `) AS "t"`)
		order = `"t".` + by
	} else {
		b.from(e.Table, "t")
	}
	b.WriteString(` WHERE "t"."search_document" @@ to_tsquery('simple', `)
	b.Arg(words.Postgres(b.weights(e)))
	b.WriteString(")")
	if since > 0 {
		b.WriteString(` AND "t".` + by + ` + 0 >= `)
		b.Arg(since)
	}
	b.rule(rule, "t")
	b.WriteString(" ORDER BY " + order + " DESC LIMIT ")
	b.int(limit)
	return r.found(ctx, e, b)
}

// numbered reports whether rows of the entity have numbers of their own, since their ids are
// none: see kit/codegen/triggers.
func numbered(e *entity.Entity) bool { return e.ID().Kind != entity.ID }

// age is PostgreSQL's column of the numbers by which newer rows are known.
func age(e *entity.Entity) string {
	if numbered(e) {
		return "search_row"
	}
	return e.ID().Column
}

// numbers is SQLite's table of them.
func numbers(e *entity.Entity) string { return "search_" + e.Table + "_rows" }

// indexed writes FROM the rows of which SQLite's full-text table has what is looked up, which
// follows.
func (b *builder) indexed(e *entity.Entity, index string) {
	b.from(index, "s")
	row := `"s"."rowid"`
	if numbered(e) {
		b.WriteString(` CROSS JOIN "` + numbers(e) + `" AS "r" ON "r"."row" = ` + row)
		row = `"r"."id"`
	}
	b.WriteString(` CROSS JOIN "` + e.Table + `" AS "t" ON "t"."` + e.ID().Column + `" = ` + row + ` WHERE "s"."` + index + `" MATCH `)
}

// before is how many characters of a text [Reader.Around] reads before the part:
// a word with the part in it is whole then, if it is no longer.
const before = 40

// Around returns the newest rows that the viewer can read and that have the part,
// which is folded, in a field that is searched, limit at most, with the folded
// texts from where the part is. Of fields that the viewer may not see, nothing is
// read. It returns none for a part that no index finds, and on SQLite.
//
// Its reads grow as those of a listing that is searched by the part: see
// [finding.with].
func (r *Reader) Around(ctx context.Context, e *entity.Entity, part string, limit int) ([]Found, error) {
	reading := r.reading(ctx, false)
	rule := e.Rules.Readable(reading.viewer, false)
	if rule.Never() || !r.postgres() || !indexable(part) {
		return nil, rule.Refusal(reading.viewer)
	}
	seen := slices.DeleteFunc(slices.Clone(e.Search), func(f *entity.Field) bool { return !f.Visible(reading.viewer) })
	q := &Query{Where: Match{Fields: seen, Text: part}, Sort: []entity.Term{{Field: e.ID(), Desc: true}}, Page: Page{Limit: limit, NoPeek: true}}
	found, _, _ := q.finding(e, &set{terms: q.Sort}, rule)
	b := reading.builder(reading.viewer, false)
	defer b.release()
	found.with(b)
	b.searched(e, func(f *entity.Field) {
		b.WriteString("GREATEST(1, strpos(")
		b.column("t", f.Fold)
		b.WriteString(", ")
		b.Arg(part)
		b.WriteString(") - " + strconv.Itoa(before) + ")")
	})
	b.from(e.Table, "t")
	b.WriteString(" WHERE ")
	if err := found.choose(b); err != nil {
		return nil, err
	}
	b.order("t", q.Sort, false)
	return r.found(ctx, e, b)
}

// Texts returns the searched text, unchanged, of the rows with the ids that the viewer
// can read.
func (r *Reader) Texts(ctx context.Context, e *entity.Entity, ids []gid.ID) (map[gid.ID][]string, error) {
	reading := r.reading(ctx, false)
	rule := e.Rules.Readable(reading.viewer, false)
	if rule.Never() || len(ids) == 0 {
		return nil, rule.Refusal(reading.viewer)
	}
	b := r.builder(reading.viewer, false)
	defer b.release()
	b.WriteString("SELECT ")
	b.column("t", e.ID().Column)
	for _, f := range e.Search {
		b.WriteString(", ")
		if !f.Visible(b.viewer) {
			b.WriteString("''")
			continue
		}
		b.WriteString("COALESCE(")
		b.column("t", f.Column)
		b.WriteString(", '')")
	}
	b.from(e.Table, "t")
	b.WriteString(" WHERE ")
	b.anyOf("t", e.ID().Column, ids)
	b.rule(rule, "t")
	rows, err := r.found(ctx, e, b)
	if err != nil {
		return nil, err
	}
	texts := make(map[gid.ID][]string, len(rows))
	for _, row := range rows {
		texts[row.ID] = row.Texts
	}
	return texts, nil
}

// searched writes SELECT with the id and excerpts of the folded texts, from the
// character on that the expression says.
func (b *builder) searched(e *entity.Entity, from func(*entity.Field)) {
	b.WriteString("SELECT ")
	b.column("t", e.ID().Column)
	for _, f := range e.Search {
		b.WriteString(", ")
		if !f.Visible(b.viewer) {
			b.WriteString("''")
			continue
		}
		b.WriteString("substr(COALESCE(")
		b.column("t", f.Fold)
		b.WriteString(", ''), ")
		from(f)
		b.WriteString(", " + strconv.Itoa(Excerpt) + ")")
	}
}

// beginnings has [builder.searched] read the texts from the start.
func (b *builder) beginnings(*entity.Field) { b.WriteString("1") }

// weights are PostgreSQL's of the fields that the viewer sees, empty for all:
// each field has one of its own.
func (b *builder) weights(e *entity.Entity) string {
	var seen []byte
	for i, f := range e.Search {
		if f.Visible(b.viewer) {
			seen = append(seen, "ABCD"[i])
		}
	}
	if len(seen) == len(e.Search) {
		return ""
	}
	return string(seen)
}

// visible are the columns of the fields that the viewer sees, nil for all.
func (b *builder) visible(e *entity.Entity) []string {
	columns := []string{}
	for _, f := range e.Search {
		if f.Visible(b.viewer) {
			columns = append(columns, f.Fold)
		}
	}
	if len(columns) == len(e.Search) {
		return nil
	}
	return columns
}

// found runs the builder's statement.
func (r *Reader) found(ctx context.Context, e *entity.Entity, b *builder) (_ []Found, err error) {
	if b.refused != nil {
		return nil, b.refused
	}
	var all []Found
	err = r.DB.Each(ctx, string(b.text), b.args, func(values []driver.Value) error {
		row, err := foundRow(values, len(e.Search))
		all = append(all, row)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("search %s: %w", e.Path, err)
	}
	return all, nil
}

// foundRow is the row whose id and texts the database has sent, and its age where that is
// not the id.
func foundRow(values []driver.Value, texts int) (row Found, err error) {
	if row.ID, err = idFrom(values[0]); err != nil {
		return row, err
	}
	row.age = row.ID.Int()
	if after := values[1+texts:]; len(after) > 0 {
		age, err := idFrom(after[0])
		if err != nil {
			return row, err
		}
		row.age = age.Int()
	}
	row.Texts = make([]string, texts)
	for i, value := range values[1 : 1+texts] {
		switch text := value.(type) {
		case string:
			row.Texts[i] = text
		case []byte:
			row.Texts[i] = string(text)
		default:
			return row, fmt.Errorf("a text of type %T", value)
		}
	}
	return row, nil
}
