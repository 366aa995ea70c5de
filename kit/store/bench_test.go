package store_test

import (
	"context"
	"database/sql"
	"syscall"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/store"
)

const get = "SELECT id, name, at, size FROM items WHERE id = $1"

type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// BenchmarkGet reads a row by its id: through the store, and through the bare
// driver, which prepares the statement each time.
func BenchmarkGet(b *testing.B) {
	for name, url := range map[string]func(testing.TB) string{"sqlite": items.SQLiteURL, "postgres": items.PostgresURL} {
		address := url(b)
		db, err := store.Open(b.Context(), store.Config{URL: address})
		if err != nil {
			b.Fatal(err)
		}
		defer db.Close()
		if _, err := db.ExecContext(b.Context(), "INSERT INTO items (name, at) VALUES ($1, $2)", "a", time.Now()); err != nil {
			b.Fatal(err)
		}
		b.Run(name+"/store", func(b *testing.B) { benchmarkGet(b, db) })
		if db.Postgres() {
			bare, err := sql.Open("postgres", address)
			if err != nil {
				b.Fatal(err)
			}
			defer bare.Close()
			b.Run(name+"/bare", func(b *testing.B) { benchmarkGet(b, bare) })
		}
	}
}

func benchmarkGet(b *testing.B, db querier) {
	b.ReportAllocs()
	for b.Loop() {
		rows, err := db.QueryContext(context.Background(), get, 1)
		if err != nil {
			b.Fatal(err)
		}
		var id int64
		var name string
		var at sql.NullTime
		var size sql.NullInt64
		if !rows.Next() || rows.Scan(&id, &name, &at, &size) != nil || rows.Close() != nil {
			b.Fatal("no row")
		}
	}
}

// BenchmarkPage reads 20 rows of 300 bytes, and reports the CPU of this side.
func BenchmarkPage(b *testing.B) {
	db, err := store.Open(b.Context(), store.Config{URL: items.PostgresURL(b)})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(b.Context(), "INSERT INTO items (name) SELECT repeat('x', 290) || n FROM generate_series(100, 119) AS s (n)"); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	before := cpu()
	for b.Loop() {
		rows, err := db.QueryContext(context.Background(), "SELECT id, name FROM items ORDER BY id LIMIT 20")
		if err != nil {
			b.Fatal(err)
		}
		var id int64
		var name string
		for rows.Next() {
			if err := rows.Scan(&id, &name); err != nil {
				b.Fatal(err)
			}
		}
		if err := rows.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(cpu()-before)/float64(b.N), "cpu-ns/op")
}

// cpu is the CPU time of this process, in nanoseconds.
func cpu() int64 {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return used.Utime.Nano() + used.Stime.Nano()
}

// BenchmarkInTx inserts a row in a transaction.
func BenchmarkInTx(b *testing.B) {
	for name, url := range map[string]func(testing.TB) string{"sqlite": items.SQLiteURL, "postgres": items.PostgresURL} {
		db, err := store.Open(b.Context(), store.Config{URL: url(b)})
		if err != nil {
			b.Fatal(err)
		}
		defer db.Close()
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				err := db.InTx(context.Background(), func(ctx context.Context) error {
					_, err := db.ExecContext(ctx, "INSERT INTO parts (item) SELECT id FROM items WHERE id = $1", 1)
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
