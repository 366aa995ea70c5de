package backup_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/entwine-go/entwine/kit/internal/backup"
	"github.com/entwine-go/entwine/kit/internal/wal"
)

// recorded is a run of a database with a row for each of three moments, a minute apart,
// and one in its base.
func recorded(t *testing.T) (dir string, moments []time.Time) {
	t.Helper()
	folder := t.TempDir()
	file := filepath.Join(folder, "a.db")
	db, err := sql.Open("sqlite", "file:"+file+"?_pragma=journal_mode(WAL)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	insert := func() {
		if _, err := db.ExecContext(t.Context(), "INSERT INTO notes DEFAULT VALUES"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.ExecContext(t.Context(), "CREATE TABLE notes (id integer PRIMARY KEY)"); err != nil {
		t.Fatal(err)
	}
	insert()
	f, err := wal.Follow(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	begun := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	r, err := backup.Begin(folder, "program", begun)
	if err != nil {
		t.Fatal(err)
	}
	copied := func(ctx context.Context, file string) (int, error) {
		var pages bytes.Buffer
		if err := f.Copy(ctx, &pages); err != nil {
			return 0, err
		}
		return r.Records(), os.WriteFile(file, pages.Bytes(), 0o600)
	}
	if _, err := backup.Write(t.Context(), r.Base(), backup.Source{Copy: copied, Program: "program v1", Now: func() time.Time { return begun }}); err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		insert()
		moments = append(moments, begun.Add(time.Duration(n+1)*time.Minute))
		if _, err := f.Next(t.Context(), func(c wal.Change) error { return r.Add(c, moments[n]) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return r.Dir, moments
}

// restored is how many rows a run gives back, and of when they are.
func restored(t *testing.T, dir string, until time.Time) (rows int, at time.Time, err error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "b.db")
	m, err := backup.Restore(t.Context(), dir, backup.Target{Database: file, Until: until})
	if err != nil {
		return 0, m.Made, err
	}
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM notes").Scan(&rows); err != nil {
		t.Fatal(err)
	}
	return rows, m.Made, nil
}

// A run gives back its last commit, and any moment since its base.
func TestARunGoesBackToAnyMoment(t *testing.T) {
	t.Parallel()
	dir, moments := recorded(t)
	for n, until := range append([]time.Time{moments[0].Add(-time.Second)}, moments...) {
		if rows, _, err := restored(t, dir, until); err != nil || rows != n+1 {
			t.Errorf("%v: %d rows, %v", until, rows, err)
		}
	}
	rows, at, err := restored(t, dir, time.Time{})
	if err != nil || rows != 4 || !at.Equal(moments[2]) {
		t.Errorf("%d rows of %v, %v", rows, at, err)
	}
	if _, err := backup.Pick(filepath.Dir(dir), "program", moments[0].Add(-time.Hour)); err == nil || !strings.Contains(err.Error(), "the earliest moment") {
		t.Error(err)
	}
	if got, err := backup.Pick(filepath.Dir(dir), "program", moments[0]); err != nil || got != dir {
		t.Error(got, err)
	}
}

// The end of a log that was cut short is left out, as where its writer was killed, and one
// that was changed before its end gives back nothing.
func TestADamagedRunGivesBackNothingWrong(t *testing.T) {
	t.Parallel()
	dir, _ := recorded(t)
	log := filepath.Join(dir, "changes")
	whole, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	third := len(whole) / 3
	for name, test := range map[string]struct {
		log  []byte
		rows int
	}{
		"a part of the last record is missing": {whole[:len(whole)-7], 3},
		"only a part of the first is there":    {whole[:20], 1},
		"it is empty":                          {nil, 1},
		"a byte of the first is another":       {flipped(whole, third/2), 0},
		"a byte of the second is another":      {flipped(whole, third+third/2), 0},
		"a byte of the last is another":        {flipped(whole, len(whole)-9), 3},
	} {
		if err := os.WriteFile(log, test.log, 0o600); err != nil {
			t.Fatal(err)
		}
		rows, _, err := restored(t, dir, time.Time{})
		if rows != test.rows || (err == nil) != (rows > 0) {
			t.Errorf("%s: %d rows, want %d; %v", name, rows, test.rows, err)
		}
	}
	if err := os.Remove(filepath.Join(dir, "base.tar")); err != nil {
		t.Fatal(err)
	}
	if _, err := backup.Whole(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func flipped(content []byte, at int) []byte {
	content = bytes.Clone(content)
	content[at] ^= 1
	return content
}
