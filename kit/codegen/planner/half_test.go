package planner_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/pgserver"
)

// commented is the blog with one column more.
func commented() planner.Schema {
	s := blog()
	posts := s.Tables[1]
	posts.Columns = append(posts.Columns, &schema.Column{Name: "remark", Type: field.TypeString, Nullable: true})
	return s
}

// Without PostgreSQL both first migrations are written, and they are right; later
// ones are SQLite's, until there is a server, and that is refused meanwhile.
func TestPostgresComesLater(t *testing.T) {
	root := repository(t)
	t.Setenv("ENTWINE_DEV_DATABASE_URL", "none")
	if written := wrote(t, root, "first", blog()); len(written) != 2 {
		t.Fatalf("without a server Diff wrote %v, want a file for each database", written)
	}
	if half, err := planner.Half(root); half || err != nil {
		t.Fatalf("after the first migrations: Half %v, %v", half, err)
	}
	there(t)
	if err := planner.Verify(t.Context(), root, blog()); err != nil {
		t.Fatalf("PostgreSQL's first migration, planned without a server: %v", err)
	}
	if written := wrote(t, root, "nothing", blog()); len(written) != 0 {
		t.Fatalf("with a server nothing is missing, and Diff wrote %v", written)
	}

	t.Setenv("ENTWINE_DEV_DATABASE_URL", "none")
	if written := wrote(t, root, "remark", commented()); len(written) != 1 || !strings.Contains(written[0], "sqlite") {
		t.Fatalf("without a server Diff wrote %v, want SQLite's half", written)
	}
	for name, want := range map[string]error{dialect.SQLite: nil, dialect.Postgres: migration.ErrHalf} {
		if err := migration.Matches(os.DirFS(root), commented().Digest(), name); !errors.Is(err, want) {
			t.Errorf("a program on %s: %v, want %v", name, err, want)
		}
	}
	if err := planner.Verify(t.Context(), root, commented()); !errors.Is(err, pgserver.ErrMissing) || !strings.Contains(err.Error(), "behind") {
		t.Errorf("Verify without a server: %v", err)
	}
	found, err := planner.Lint(t.Context(), root, "")
	if err != nil || !slices.ContainsFunc(found, func(f planner.Finding) bool { return f.Code == "HF101" && !f.Note }) {
		t.Errorf("Lint: %v, %v", found, err)
	}

	there(t)
	if err := planner.Verify(t.Context(), root, commented()); !errors.Is(err, planner.ErrMissing) {
		t.Errorf("Verify with a server: %v", err)
	}
	if written := wrote(t, root, "remark", commented()); len(written) == 0 || slices.ContainsFunc(written, func(name string) bool { return !strings.Contains(name, "postgres") }) {
		t.Fatalf("with a server Diff wrote %v, want PostgreSQL's half", written)
	}
	if err := planner.Verify(t.Context(), root, commented()); err != nil {
		t.Errorf("with both halves: %v", err)
	}

	// A merge is sealed for what can be asked.
	t.Setenv("ENTWINE_DEV_DATABASE_URL", "none")
	if err := os.WriteFile(filepath.Join(root, migration.DigestFile), []byte("<<<<<<<\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := planner.Seal(t.Context(), root, commented()); err != nil {
		t.Fatal(err)
	}
	if half, err := planner.Half(root); !half || err != nil {
		t.Errorf("sealed without a server: Half %v, %v", half, err)
	}
}

// there has the planner find PostgreSQL.
func there(t *testing.T) {
	t.Helper()
	t.Setenv("ENTWINE_DEV_DATABASE_URL", "")
}

// wrote are the files that Diff writes.
func wrote(t *testing.T, root, name string, s planner.Schema) []string {
	t.Helper()
	written, err := planner.Diff(t.Context(), root, name, s, planner.Allow{})
	if err != nil {
		t.Fatal(err)
	}
	return written
}
