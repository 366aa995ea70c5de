package removal_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/entwine-go/entwine/kit/internal/removal"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/store"
)

// library has readers, who write notes and join circles; a note has marks and answers,
// which are notes, and a loan outlives its reader.
var library = storetest.Schema{Key: "removal library 1", Up: func(ctx context.Context, db *store.DB) error {
	for _, text := range []string{
		`CREATE TABLE readers (id bigint PRIMARY KEY)`,
		`CREATE TABLE notes (id bigint PRIMARY KEY, reader_id bigint REFERENCES readers (id) ON DELETE CASCADE, note_id bigint REFERENCES notes (id) ON DELETE CASCADE)`,
		`CREATE INDEX notes_reader ON notes (reader_id)`,
		`CREATE INDEX notes_note ON notes (note_id)`,
		`CREATE TABLE marks (id bigint PRIMARY KEY, note_id bigint NOT NULL REFERENCES notes (id) ON DELETE CASCADE)`,
		`CREATE INDEX marks_note ON marks (note_id)`,
		`CREATE TABLE circle_readers (circle_id bigint, reader_id bigint REFERENCES readers (id) ON DELETE CASCADE, PRIMARY KEY (circle_id, reader_id))`,
		`CREATE TABLE loans (id bigint PRIMARY KEY, reader_id bigint REFERENCES readers (id) ON DELETE SET NULL)`,
		`CREATE TABLE fines (id bigint PRIMARY KEY, reader_id bigint NOT NULL REFERENCES readers (id) ON DELETE RESTRICT)`,
	} {
		if _, err := db.ExecContext(ctx, text); err != nil {
			return err
		}
	}
	return nil
}}

// numbers fills a column with the numbers from the first to the last.
func numbers(t *testing.T, db *store.DB, insert string, first, last int) {
	t.Helper()
	storetest.Do(t, db, fmt.Sprintf(`WITH RECURSIVE s(n) AS (SELECT %d UNION ALL SELECT n + 1 FROM s WHERE n < %d) `+insert, first, last))
}

// rows is how many rows there are that refer to reader 1, or to what does.
func rows(t *testing.T, db *store.DB) (all int) {
	t.Helper()
	for _, from := range []string{
		`notes WHERE id < 1000000`, `marks WHERE id < 1000000`, `circle_readers WHERE reader_id = 1`, `loans WHERE reader_id = 1`,
	} {
		all += storetest.Count(t, db, from)
	}
	return all
}

// busy has reader 1 with much of everything, and reader 2 with one of each.
func busy(t *testing.T, db *store.DB) {
	t.Helper()
	storetest.Do(t, db, `INSERT INTO readers (id) VALUES (1), (2)`)
	numbers(t, db, `INSERT INTO notes (id, reader_id) SELECT n, 1 FROM s`, 1, 700)
	numbers(t, db, `INSERT INTO notes (id, note_id) SELECT n, 1 FROM s`, 1001, 2300)
	numbers(t, db, `INSERT INTO notes (id, note_id) SELECT n, n - 1 FROM s`, 2301, 2310) // answers to answers
	numbers(t, db, `INSERT INTO marks (id, note_id) SELECT n, 2 FROM s`, 1, 1700)
	numbers(t, db, `INSERT INTO marks (id, note_id) SELECT n, n - 2000 FROM s`, 2003, 2600)
	numbers(t, db, `INSERT INTO circle_readers (circle_id, reader_id) SELECT n, 1 FROM s`, 1, 1200)
	numbers(t, db, `INSERT INTO loans (id, reader_id) SELECT n, 1 FROM s`, 1, 600)
	storetest.Do(t, db, `INSERT INTO notes (id, reader_id) VALUES (1000000, 2)`)
	storetest.Do(t, db, `INSERT INTO marks (id, note_id) VALUES (1000000, 1000000)`)
	storetest.Do(t, db, `INSERT INTO circle_readers (circle_id, reader_id) VALUES (1, 2)`)
	storetest.Do(t, db, `INSERT INTO loans (id, reader_id) VALUES (1000000, 2)`)
}

func TestWhatRefersToARowGoesInBoundedTransactions(t *testing.T) {
	t.Parallel()
	library.Each(t, func(t *testing.T, db *store.DB) {
		busy(t, db)
		r := removal.Of(db)
		left, transactions, killed := rows(t, db), 0, errors.New("killed")
		all := left
		turn := func(ctx context.Context) error {
			now := rows(t, db)
			if gone := left - now; gone < 0 || gone > removal.Most+1 {
				t.Errorf("transaction %d wrote %d rows, want at most %d", transactions, gone, removal.Most+1)
			}
			left = now
			if transactions++; transactions == 5 {
				return killed
			}
			return nil
		}
		if err := r.Clear(t.Context(), "readers", int64(1), turn); !errors.Is(err, killed) {
			t.Fatalf("it ends with %v, want that it is killed", err)
		}
		if left == all || left == 0 {
			t.Errorf("%d of %d rows are left, want some", left, all)
		}
		if err := r.Clear(t.Context(), "readers", int64(1), turn); err != nil {
			t.Fatal(err)
		}
		if n := rows(t, db); n != 0 || transactions > 30 {
			t.Errorf("%d rows are left after %d transactions", n, transactions)
		}
		if few, err := r.Few(t.Context(), "readers", int64(1)); !few || err != nil {
			t.Errorf("few rows go along: %v %v, want true", few, err)
		}
		for from, want := range map[string]int{"readers": 2, "notes": 1, "marks": 1, "circle_readers": 1, "loans": 601, "loans WHERE reader_id = 2": 1} {
			if n := storetest.Count(t, db, from); n != want {
				t.Errorf("there are %d of %s, want %d", n, from, want)
			}
		}
	})
}

func TestFewGoAlong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		insert string
		rows   int
		more   string
		few    bool
	}{
		{name: "nothing", few: true},
		{name: "as many as may", insert: `INSERT INTO circle_readers (circle_id, reader_id) SELECT n, 1 FROM s`, rows: removal.Most, few: true},
		{name: "one more", insert: `INSERT INTO circle_readers (circle_id, reader_id) SELECT n, 1 FROM s`, rows: removal.Most + 1},
		{name: "of two tables", insert: `INSERT INTO loans (id, reader_id) SELECT n, 1 FROM s`, rows: removal.Most, more: `INSERT INTO circle_readers (circle_id, reader_id) VALUES (1, 1)`},
		{name: "with what goes along", insert: `INSERT INTO marks (id, note_id) SELECT n, 1 FROM s`, rows: removal.Most},
		{name: "too deep to count", more: `INSERT INTO notes (id, note_id) VALUES (3, 1), (4, 3), (5, 4)`},
		{name: "what keeps it", insert: `INSERT INTO circle_readers (circle_id, reader_id) SELECT n, 1 FROM s`, rows: removal.Most + 1, more: `INSERT INTO fines (id, reader_id) VALUES (1, 1)`, few: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			library.Each(t, func(t *testing.T, db *store.DB) {
				storetest.Do(t, db, `INSERT INTO readers (id) VALUES (1)`)
				storetest.Do(t, db, `INSERT INTO notes (id, reader_id) VALUES (1, 1)`)
				if c.name == "as many as may" || c.name == "of two tables" {
					storetest.Do(t, db, `DELETE FROM notes`)
				}
				if c.rows > 0 {
					numbers(t, db, c.insert, 1, c.rows)
				}
				if c.more != "" {
					storetest.Do(t, db, c.more)
				}
				r := removal.Of(db)
				if few, err := r.Few(t.Context(), "readers", int64(1)); few != c.few || err != nil {
					t.Errorf("few go along: %v %v, want %v", few, err, c.few)
				}
			})
		})
	}
}
