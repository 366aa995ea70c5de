package database_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/squawktest"
)

// judged are the migrations of PostgreSQL that tests have written, for squawk
// to look at.
type judged struct {
	mu    sync.Mutex
	files map[string]string // texts by what they are called
}

// add adds what follows the first migration of the folder.
func (j *judged) add(t *testing.T, name, root string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "postgres", "*.sql"))
	if err != nil {
		t.Fatal(err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, file := range files[1:] {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, kind, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".sql"), "_")
		j.files[strings.NewReplacer(" ", "_", "'", "").Replace(name)+"."+kind+".sql"] = string(text)
	}
}

// bySquawk judges what the corpus has written. Each explanation is a row of
// doc/operations/migrations.md, or a section of it.
func (j *judged) bySquawk(t *testing.T) {
	t.Helper()
	squawktest.Judge(t, j.files, []squawktest.Explained{
		{Rule: "ban-drop-table", Why: "--drop says that it is meant", In: []string{"2_"}},
		{Rule: "ban-drop-column", Why: "--drop says that it is meant", In: []string{"10_", "36_"}},
		{Rule: "ban-drop-column", Why: "what is computed is no one's but the database's", In: []string{"8_an_amount_that_is_no_longer", "30_", "31_change"}},
		{Rule: "ban-drop-not-null", Why: "that is the change", In: []string{"17_"}},
		{Rule: "changing-column-type", Why: "--accept LV101 says that it is meant", In: []string{"12_"}},
		{Rule: "renaming-column", Why: "a field that is renamed stops programs from before", In: []string{"3_", "11_"}},
		{Rule: "renaming-table", Why: "a table that is renamed stops programs from before", In: []string{"3_", "11_"}},
		{Rule: "adding-required-field", Why: "the table is asked for rows first", In: []string{"9_"}},
	}...)
}
