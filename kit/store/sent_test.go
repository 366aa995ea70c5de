package store_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/internal/fastpath"
	"github.com/entwine-go/entwine/kit/store"
)

// sent returns what EachSent makes of a statement, a line for each row, and how
// many values came as they were sent.
func sent(ctx context.Context, db *store.DB, text string, args ...any) (rows []string, taken int, err error) {
	err = db.EachSent(ctx, text, args, func(values []driver.Value) error {
		var row []string
		for _, value := range values {
			switch v := value.(type) {
			case *store.Sent:
				taken++
				switch {
				case v.Number:
					row = append(row, fmt.Sprint(v.Int()))
				case v.Bool:
					row = append(row, fmt.Sprint(v.True()))
				default:
					row = append(row, string(v.Bytes))
				}
			case []byte:
				row = append(row, string(v))
			default:
				row = append(row, fmt.Sprint(v))
			}
		}
		rows = append(rows, strings.Join(row, " "))
		return nil
	})
	return rows, taken, err
}

// Values that are taken as PostgreSQL sends them are those that lib/pq has.
func TestSentValuesAreTheDriversOwn(t *testing.T) {
	t.Parallel()
	db := open(t, store.Config{URL: items.PostgresURL(t), Conns: 2})
	for name, c := range map[string]struct {
		text  string
		taken bool
	}{
		"numbers":           {"SELECT $1::bigint, -1::bigint, 7::int, -7::smallint, NULL::int, 9223372036854775807", true},
		"texts":             {"SELECT $1::text, ''::text, 'ä'::varchar(3), NULL::text, 'a'::char(1), '{\"a\": 1}'::jsonb", true},
		"truth":             {"SELECT $1 = '1', TRUE, FALSE, NULL::bool", true},
		"bytes":             {"SELECT $1::text, '\\x00ff'::bytea, timestamptz_send('2026-01-02 03:04:05.678901+00')", true},
		"fractions":         {"SELECT $1::text, 1.25::numeric, 'NaN'::numeric, 12345678901234567890.5::numeric", true},
		"many rows":         {"SELECT $1::text, n, repeat('x', n * 10) FROM generate_series(1, 500) AS s (n)", true},
		"rows of megabytes": {"SELECT $1::text, repeat('x', 3000000 + n) FROM generate_series(1, 3) AS s (n)", true},
		"no rows":           {"SELECT $1::text WHERE FALSE", false},
		"a time":            {"SELECT $1::text, timestamptz '2026-01-02 03:04:05.678901+00'", false},
		"an id":             {"SELECT $1::text, '7f3c0a52-7c3e-4c6a-9d55-0a1b2c3d4e5f'::uuid", false},
	} {
		c.taken = c.taken && !fastpath.Off()
		if err := db.InTx(t.Context(), func(ctx context.Context) error { // one connection
			first, before, err := sent(ctx, db, c.text, "1")
			if err != nil || before > 0 {
				return fmt.Errorf("%s: %d values were taken the first time: %w", name, before, err)
			}
			again, taken, err := sent(ctx, db, c.text, "1")
			if !slices.Equal(first, again) || taken > 0 != c.taken {
				t.Errorf("%s: %.100q, and when they are taken (%d) %.100q", name, first, taken, again)
			}
			return err
		}); err != nil {
			t.Error(err)
		}
	}
}

// A statement that fails after some of its rows, or whose plan is of yesterday,
// is what it is where lib/pq has the rows.
func TestSentRowsFail(t *testing.T) {
	t.Parallel()
	db := items.Postgres(t)
	const halves = "SELECT 10 / (n - $1::bigint) FROM generate_series(1, 500) AS s (n)"
	for range 3 {
		if rows, _, err := sent(t.Context(), db, halves, int64(400)); err == nil || !strings.Contains(err.Error(), "division by zero") {
			t.Errorf("a statement that fails at its 400th row has %d rows and %v", len(rows), err)
		}
		if rows, _, err := sent(t.Context(), db, halves, int64(0)); err != nil || len(rows) != 500 {
			t.Errorf("after that it has %d rows and %v", len(rows), err)
		}
	}
	exec(t, t.Context(), db, "INSERT INTO items (name, size) VALUES ('a', 1)")
	for _, change := range []string{"SELECT 1", "ALTER TABLE items ALTER size TYPE int", "ALTER TABLE items ALTER size TYPE bigint", "ALTER TABLE items ALTER size TYPE numeric"} {
		exec(t, t.Context(), db, change)
		for range 3 {
			if rows, _, err := sent(t.Context(), db, "SELECT name, size FROM items"); err != nil || !slices.Equal(rows, []string{"a 1"}) {
				t.Errorf("after %s: %v, %v", change, rows, err)
			}
		}
	}
	stopped := errors.New("stop")
	n := 0
	err := db.EachSent(t.Context(), halves, []any{int64(0)}, func([]driver.Value) error {
		if n++; n == 3 {
			return stopped
		}
		return nil
	})
	if !errors.Is(err, stopped) || n != 3 {
		t.Errorf("a read that stops at its third row had %d, and %v", n, err)
	}
}

// BenchmarkSentPage reads a page of 20 rows in both ways.
func BenchmarkSentPage(b *testing.B) {
	db := items.Postgres(b)
	if _, err := db.ExecContext(b.Context(), "INSERT INTO items (name) SELECT repeat('x', 290) || n FROM generate_series(100, 119) AS s (n)"); err != nil {
		b.Fatal(err)
	}
	for how := range reads {
		b.Run(how, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := reads[how](db, b.Context(), "SELECT id, name, size FROM items", nil, func([]driver.Value) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
