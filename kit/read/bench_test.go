package read_test

import (
	"context"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// BenchmarkPage compares a page of 20 rows with the same statement scanned
// and written by hand, on SQLite: what the engine itself costs.
func BenchmarkPage(b *testing.B) {
	db := benchWorld(b)
	ctx := viewer.With(b.Context(), owner)
	b.Run("hand-written", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			handWritten(b, ctx, db)
		}
	})
	b.Run("listing", func(b *testing.B) {
		r := &read.Reader{DB: db, Dialect: db.Dialect}
		sel := read.Select(book)
		for _, name := range []string{"id", "title", "pages", "lent", "created_at", "owner_id"} {
			sel.Field(name, book.Field(name))
		}
		dst := make([]byte, 0, 16<<10)
		b.ReportAllocs()
		for b.Loop() {
			if _, _, err := r.Page(ctx, dst[:0], sel, read.Query{Page: read.Page{Limit: 20}}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func handWritten(b *testing.B, ctx context.Context, db *store.DB) {
	rows, err := db.QueryContext(ctx, `SELECT id, title, pages, lent, created_at, owner_id FROM books
		WHERE deleted_at IS NULL AND (public OR owner_id = ?1) ORDER BY created_at DESC, id DESC LIMIT 21`, int64(7))
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	dst := make([]byte, 0, 16<<10)
	for rows.Next() {
		var (
			id, owner int64
			title     string
			pages     *int64
			lent      bool
			created   time.Time
		)
		if err := rows.Scan(&id, &title, &pages, &lent, &created, &owner); err != nil {
			b.Fatal(err)
		}
		dst = strconv.AppendInt(append(dst, `{"id":`...), id, 10)
		dst = strconv.AppendQuote(append(dst, `,"title":`...), title)
		dst = append(dst, `,"pages":`...)
		if pages == nil {
			dst = append(dst, "null"...)
		} else {
			dst = strconv.AppendInt(dst, *pages, 10)
		}
		dst = strconv.AppendBool(append(dst, `,"lent":`...), lent)
		dst = created.AppendFormat(append(dst, `,"created_at":"`...), time.RFC3339Nano)
		dst = strconv.AppendInt(append(dst, `","owner_id":`...), owner, 10)
		dst = append(dst, '}')
	}
	if err := rows.Err(); err != nil {
		b.Fatal(err)
	}
}

func benchWorld(b *testing.B) *store.DB {
	db, err := store.Open(b.Context(), store.Config{URL: "sqlite://" + b.TempDir() + "/bench.db"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	if err := world.Up(b.Context(), db); err != nil {
		b.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for id := range 1000 {
		if _, err := db.ExecContext(b.Context(), `INSERT INTO books (id, title, title_fold, lent, public, created_at, owner_id, tags)
			VALUES (?1, ?2, '', FALSE, TRUE, ?3, 7, '[]')`,
			int64(id), "title "+strconv.Itoa(id), time.UnixMicro(rnd.Int64N(1e15)).UTC()); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := db.ExecContext(b.Context(), `CREATE INDEX by_created ON books (created_at, id)`); err != nil {
		b.Fatal(err)
	}
	return db
}
