package kit_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// asking are the forms in which code asks which database it has.
var asking = regexp.MustCompile(`\b(dialect\.(Postgres|SQLite)|[a-z]+\.(Postgres|SQLite))\b|\.Postgres\(\)|[=!]= "(postgres|sqlite3)"`)

// askers are the folders whose code may: what databases do differently is asked of
// store.Dialect everywhere else. A column of dates names its type for each.
var askers = []string{"kit/date", "kit/store", "kit/read", "kit/write", "kit/migration", "kit/codegen/planner", "kit/codegen/triggers"}

// generatedFolders hold generated code, and tests' packages and what git has are skipped, too.
var generatedFolders = []string{".git", "ent", "gql/generated", "gql/crud", "internal/entity", "internal/rows", "rest/oas", "rest/crud", "kit/kittest", "kit/internal/notes"}

func TestFewAskWhichDatabaseItIs(t *testing.T) {
	t.Parallel()
	asked := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))
		if d.IsDir() {
			if slices.Contains(generatedFolders, name) || d.Name() == "testdata" {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || !asking.Match(text) {
			return err
		}
		asked++
		if !slices.ContainsFunc(askers, func(folder string) bool { return strings.HasPrefix(name, folder+"/") }) {
			t.Errorf("%s asks which database it has (%s): a method of store.Dialect, or a value for each with store.PerDialect, says what it needs", name, asking.Find(text))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if most := 12; asked == 0 || asked > most {
		t.Errorf("%d files ask which database it is, %d at most are to", asked, most)
	}
}
