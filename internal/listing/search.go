package listing

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"

	"entgo.io/ent/dialect"

	"github.com/entwine-go/entwine/internal/fold"
	"github.com/entwine-go/entwine/internal/policy"
)

// Words are what full-text search looks for, in the language of each
// database.
type Words interface {
	// Postgres is the argument of to_tsquery. Where weights is not empty, only
	// texts of these weights count.
	Postgres(weights string) string
	// SQLite is the argument of MATCH. Where columns is not nil, only these count.
	SQLite(columns []string) string
}

// Found is a row that full-text search has found.
type Found struct {
	ID int64
	// Texts are those of the fields that are searched, and empty for one that
	// the viewer may not see.
	Texts []string
	// Likeness is how much the title is like the words, from 0 to 1, of a row
	// that was found by that.
	Likeness float64
}

// Excerpt is how many characters of a text [Reader.Matching] reads.
const Excerpt = 2000

// How PostgreSQL looks for words: among the newest rows first, then among
// further ones or where the index says that they are. A row that the index
// names costs as much as so many that stand next to each other.
const (
	newest  = 2_000
	further = 50_000
	apart   = 8
)

// worthwhile reports whether looking at further rows is less than looking at all
// that the index names, where so many of the newest rows have the words. Ids
// tell how many rows there are, about.
func worthwhile(found []Found, limit int) bool {
	if len(found) == 0 {
		return false
	}
	looked := int64(limit * newest / len(found))
	named := found[0].ID * int64(len(found)) / newest
	return looked <= further && looked < apart*named
}

// Matching returns the newest rows that the viewer can read and in which the
// words are, limit at most, with the folded beginnings of their texts. Fields
// that the viewer may not see are not searched.
//
// SQLite's index is walked from the newest row on, until there are enough.
// PostgreSQL's gives all rows at once, which for a frequent word are most that
// there are; and what its planner thinks of how many have a phrase, or the
// beginning of a word, is far from the truth. So the newest rows tell how
// frequent the words are, and often are enough.
func (r *Reader) Matching(ctx context.Context, e *Entity, words Words, limit int) ([]Found, error) {
	reading := r.reading(ctx, false)
	rule := e.Rules.Readable(reading.viewer, false)
	if rule.Never() {
		return nil, nil
	}
	if r.Dialect != dialect.Postgres {
		return reading.walk(ctx, e, words, rule, limit)
	}
	rows, err := reading.match(ctx, e, words, rule, newest, limit)
	if err == nil && len(rows) < limit && worthwhile(rows, limit) {
		rows, err = reading.match(ctx, e, words, rule, further, limit)
	}
	if err != nil || len(rows) == limit {
		return rows, err
	}
	return reading.match(ctx, e, words, rule, 0, limit)
}

// walk has SQLite walk its index. CROSS JOIN keeps the order: the full-text
// table leads.
func (r *reading) walk(ctx context.Context, e *Entity, words Words, rule policy.Rule, limit int) ([]Found, error) {
	b := r.builder(r.viewer, false)
	defer b.release()
	index := "search_" + e.Table
	b.searched(e)
	b.from(index, "s")
	b.WriteString(` CROSS JOIN "` + e.Table + `" AS "t" ON "t"."id" = "s"."rowid" WHERE "s"."` + index + `" MATCH `)
	b.Arg(words.SQLite(b.visible(e)))
	b.rule(rule, "t")
	b.WriteString(` ORDER BY "s"."rowid" DESC LIMIT `)
	b.int(limit)
	return r.found(ctx, e, b, false)
}

// match has PostgreSQL look at so many of the newest rows, or at what the
// index has where the number is 0: the sum in the order keeps the planner from
// walking the rows for that.
func (r *reading) match(ctx context.Context, e *Entity, words Words, rule policy.Rule, among, limit int) ([]Found, error) {
	b := r.builder(r.viewer, false)
	defer b.release()
	b.searched(e)
	order := `"t"."id" + 0`
	if among > 0 {
		b.WriteString(` FROM (SELECT * FROM "` + e.Table + `" ORDER BY "id" DESC LIMIT `)
		b.int(among)
		b.WriteString(`) AS "t"`)
		order = `"t"."id"`
	} else {
		b.from(e.Table, "t")
	}
	b.WriteString(` WHERE "t"."search_document" @@ to_tsquery('simple', `)
	b.Arg(words.Postgres(b.weights(e)))
	b.WriteString(")")
	b.rule(rule, "t")
	b.WriteString(" ORDER BY " + order + " DESC LIMIT ")
	b.int(limit)
	return r.found(ctx, e, b, false)
}

// transactor is a [Querier] that runs functions in transactions.
type transactor interface {
	InTx(ctx context.Context, fn func(context.Context) error) error
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// likeEnough is how much a word of a title has to be like the text. Two letters
// that changed places in a word of eight leave 5 of its 9 trigrams;
// PostgreSQL's own threshold of 0.6 takes them for another word.
const likeEnough = `SET LOCAL pg_trgm.word_similarity_threshold = 0.5`

// Alike returns the rows that the viewer can read whose title has something
// like the text in it, the most alike first. Only PostgreSQL finds any.
func (r *Reader) Alike(ctx context.Context, e *Entity, text string, limit int) (rows []Found, err error) {
	db, ok := r.DB.(transactor)
	if r.Dialect != dialect.Postgres || !ok {
		return nil, nil
	}
	err = db.InTx(ctx, func(ctx context.Context) error {
		if _, err := db.ExecContext(ctx, likeEnough); err != nil {
			return err
		}
		rows, err = r.alike(ctx, e, text, limit)
		return err
	})
	return rows, err
}

func (r *Reader) alike(ctx context.Context, e *Entity, text string, limit int) ([]Found, error) {
	reading := r.reading(ctx, false)
	rule := e.Rules.Readable(reading.viewer, false)
	b := r.builder(reading.viewer, false)
	defer b.release()
	if rule.Never() || !e.Search[0].Visible(b.viewer) {
		return nil, nil
	}
	text = fold.String(text)
	b.searched(e)
	b.WriteString(", word_similarity(")
	b.Arg(text)
	b.WriteString(", ")
	b.column("t", e.Search[0].Fold)
	b.WriteString(`) AS "likeness"`)
	b.from(e.Table, "t")
	b.WriteString(" WHERE ")
	b.Arg(text)
	b.WriteString(" <% ")
	b.column("t", e.Search[0].Fold)
	b.rule(rule, "t")
	b.WriteString(` ORDER BY "likeness" DESC, "t"."id" DESC LIMIT `)
	b.int(limit)
	return r.found(ctx, e, b, true)
}

// Texts returns what is searched of the rows with the ids, as it is, of those
// that the viewer can read.
func (r *Reader) Texts(ctx context.Context, e *Entity, ids []int64) (map[int64][]string, error) {
	reading := r.reading(ctx, false)
	rule := e.Rules.Readable(reading.viewer, false)
	if rule.Never() || len(ids) == 0 {
		return nil, nil
	}
	b := r.builder(reading.viewer, false)
	defer b.release()
	b.WriteString("SELECT ")
	b.column("t", "id")
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
	b.anyOf("t", "id", ids)
	b.rule(rule, "t")
	rows, err := r.found(ctx, e, b, false)
	if err != nil {
		return nil, err
	}
	texts := make(map[int64][]string, len(rows))
	for _, row := range rows {
		texts[row.ID] = row.Texts
	}
	return texts, nil
}

// searched writes SELECT with the id and the folded beginnings of the texts.
func (b *builder) searched(e *Entity) {
	b.WriteString("SELECT ")
	b.column("t", "id")
	for _, f := range e.Search {
		b.WriteString(", ")
		if !f.Visible(b.viewer) {
			b.WriteString("''")
			continue
		}
		b.WriteString("substr(COALESCE(")
		b.column("t", f.Fold)
		b.WriteString(", ''), 1, " + strconv.Itoa(Excerpt) + ")")
	}
}

// weights are PostgreSQL's of the fields that the viewer sees, empty for all:
// each field has one of its own.
func (b *builder) weights(e *Entity) string {
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
func (b *builder) visible(e *Entity) []string {
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
func (r *Reader) found(ctx context.Context, e *Entity, b *builder, likeness bool) (_ []Found, err error) {
	rows, err := r.DB.QueryContext(ctx, string(b.text), b.args...)
	if err != nil {
		return nil, fmt.Errorf("search %s: %w", e.Path, err)
	}
	defer func() {
		if e := rows.Close(); err == nil {
			err = e
		}
	}()
	var all []Found
	for rows.Next() {
		row, err := scanFound(rows, len(e.Search), likeness)
		if err != nil {
			return nil, fmt.Errorf("search %s: %w", e.Path, err)
		}
		all = append(all, row)
	}
	return all, rows.Err()
}

func scanFound(rows *sql.Rows, texts int, likeness bool) (Found, error) {
	row := Found{Texts: make([]string, texts)}
	into := make([]any, 0, texts+2)
	into = append(into, &row.ID)
	for i := range row.Texts {
		into = append(into, &row.Texts[i])
	}
	if likeness {
		into = append(into, &row.Likeness)
	}
	return row, rows.Scan(into...)
}
