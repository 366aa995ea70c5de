package change_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/codegen/change"
	"github.com/entwine-go/entwine/kit/codegen/database"
	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// database is the wanted schema of the databases.
func (w *world) database(t *testing.T) planner.Schema {
	t.Helper()
	d := w.declare(t)
	m, err := d.model()
	if err != nil {
		t.Fatal(err)
	}
	s, err := database.Wanted(d.tree, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The commands of findings name all that weave migrate diff wants named of what
// goes, and nothing else.
func TestCommandsNameWhatGoes(t *testing.T) {
	storetest.NeedPostgres(t)
	root := t.TempDir()
	for _, folder := range planner.Dialects {
		if err := os.Mkdir(filepath.Join(root, strings.TrimSuffix(folder, "3")), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := planner.Hash(root); err != nil {
		t.Fatal(err)
	}
	if _, err := planner.Diff(t.Context(), root, "world", newWorld().database(t), planner.Allow{}); err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, c := range corpus() {
		if strings.HasPrefix(c.name, "rename a") && strings.HasSuffix(c.name, "unsaid") && (c.kind == 2 || c.kind == 10 || c.kind == 36) {
			found := c.judged(t)
			if names := drops(found); len(names) > 0 || len(change.Asked(found)) == 0 {
				t.Errorf("%s: the commands drop %q before it is asked", c.name, names)
			}
			removed := strings.Fields(change.Asked(found)[0].Answers[1].Line)
			change.Removed(found, drops([]change.Finding{{Command: strings.Join(removed, " ")}}))
			if len(change.Asked(found)) > 0 || len(drops(found)) == 0 {
				t.Errorf("%s: --drop answers nothing", c.name)
			}
		}
		meant := !strings.Contains(c.name, "unsaid") && // which is asked
			c.name != "drop a derived field" && c.name != "drop a computed value" // which is to be said, and is in no table
		if meant && (c.kind == 2 || c.kind == 10 || c.kind == 36) {
			tried++
			t.Run(c.name, func(t *testing.T) {
				folder := t.TempDir()
				if err := os.CopyFS(folder, os.DirFS(root)); err != nil {
					t.Fatal(err)
				}
				w := newWorld()
				c.after(w)
				allow := planner.Allow{Drop: drops(c.judged(t))}
				if written, err := planner.Diff(t.Context(), folder, "next", w.database(t), allow); err != nil || len(written) == 0 {
					t.Errorf("weave migrate diff --drop %s: %v", strings.Join(allow.Drop, " --drop "), err)
				}
			})
		}
	}
	if tried < 4 {
		t.Errorf("%d changes were tried", tried)
	}
}

// drops are the columns and tables that the commands of the findings drop.
func drops(found []change.Finding) (names []string) {
	for _, f := range found {
		words := strings.Fields(f.Command)
		for i, word := range words {
			if word == "--drop" {
				names = append(names, words[i+1])
			}
		}
	}
	return names
}
