package develop

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/store"
)

// Of many copies those whose values have all been put back are removed first, and
// lost values are reported.
func TestCopiesAreBounded(t *testing.T) {
	k := keeper{filepath.Join(t.TempDir(), "dev.db"), filepath.Join(t.TempDir(), "kept")}
	db, err := store.Open(t.Context(), store.Config{URL: store.SQLiteURL(k.file)})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if c, err := k.keep(t.Context(), db, &planner.Step{}); c != nil || err != nil {
		t.Errorf("of a database with nothing in it a copy is kept: %v, %v", c, err)
	}
	if _, err := db.ExecContext(t.Context(), "CREATE TABLE a (id integer PRIMARY KEY)"); err != nil {
		t.Fatal(err)
	}
	var told []string
	kept := func(lost ...string) {
		t.Helper()
		if _, err := k.keep(t.Context(), db, &planner.Step{Lost: lost}); err != nil {
			t.Fatal(err)
		}
		k.trim(func(text string) { told = append(told, text) })
	}
	kept("a.first")
	for range copies + 2 {
		kept()
	}
	all, err := k.all()
	if err != nil || len(all) != copies || !slices.Equal(all[copies-1].Lost, []string{"a.first"}) || len(told) > 0 {
		t.Fatalf("there are %d copies, %v, %v, want %d with the one that has values", len(all), err, told, copies)
	}
	for range copies {
		kept("a.more")
	}
	if len(told) != 1 || !strings.Contains(told[0], "with the values of a.first") {
		t.Errorf("it is told %q, want that the values of a.first have gone", told)
	}
	files, err := filepath.Glob(filepath.Join(k.folder, "*"))
	if err != nil || len(files) != 2*copies {
		t.Errorf("there are %d files, %v", len(files), err)
	}
}
