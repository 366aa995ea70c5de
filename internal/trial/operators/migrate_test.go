package operators_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"github.com/entwine-go/entwine/ent/digest"
	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/programtest"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/migrate"
)

// TestADatabaseThatIsNotUnderstoodIsNotServed changes what a database has had,
// as a newer program or a repair by hand would.
func TestADatabaseThatIsNotUnderstoodIsNotServed(t *testing.T) {
	t.Parallel()
	const table = "entwine_revisions"
	for name, c := range map[string]struct {
		change, want, listed string
	}{
		"newer": {
			"INSERT INTO " + table + " SELECT '29990101000000', description, applied, total, executed_at, hash, details FROM " + table + " LIMIT 1",
			"the database is newer than this program, which does not know its migration 29990101000000: start the version", "unknown  29990101000000",
		},
		"half": {
			"UPDATE " + table + " SET applied = total - 1 WHERE version = (SELECT max(version) FROM " + table + " WHERE description NOT LIKE '%live')", // these are gone on with
			"was applied in part, so the tables are neither", "half     2026",
		},
	} {
		for kind, url := range map[string]func(testing.TB) string{"sqlite": storetest.Schema{}.SQLiteURL, "postgres": storetest.Schema{}.PostgresURL} {
			t.Run(name+" "+kind, func(t *testing.T) {
				t.Parallel()
				address := url(t)
				database := "ENTWINE_DATABASE_URL=" + address
				if said, code := trial.Tried(t, []string{"migrate", "up"}, database); code != 0 {
					t.Fatal(said)
				}
				db, err := store.Open(t.Context(), store.Config{URL: address})
				if err != nil {
					t.Fatal(err)
				}
				_, err = db.ExecContext(t.Context(), c.change)
				if closed := db.Close(); err != nil || closed != nil {
					t.Fatal(err, closed)
				}
				for _, args := range [][]string{{"serve", "--addr=127.0.0.1:0"}, {"serve", "--addr=127.0.0.1:0", "--migrate=false"}, {"user", "list"}, {"migrate", "up"}, {"migrate", "status"}} {
					if said, code := trial.Tried(t, args, database); code != 1 || !strings.Contains(said, c.want) {
						t.Errorf("%v: exit code %d, want 1 and %q:\n%s", args, code, c.want, said)
					}
				}
				cmd := trial.Command(t, t.TempDir(), "migrate", "status")
				cmd.Env = append(cmd.Env, database)
				if listed, _ := cmd.Output(); !strings.Contains(string(listed), c.listed) {
					t.Errorf("migrate status lacks %q:\n%s", c.listed, listed)
				}
			})
		}
	}
}

// TestStatusTellsWhatMigrationsDo asks before they are applied, and after.
func TestStatusTellsWhatMigrationsDo(t *testing.T) {
	t.Parallel()
	for kind, c := range map[string]struct {
		url  func(testing.TB) string
		want []string
	}{
		"sqlite": {storetest.Schema{}.SQLiteURL, []string{"make the table users", "write rows of users (rewrite; others read and do not write)"}},
		"postgres": {storetest.Schema{}.PostgresURL, []string{
			"make the table users", "ask first: users: role of these rows is none of its values",
			"all rows of users keep users_role_values (ACCESS EXCLUSIVE of users, scan; others neither read nor write)",
		}},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			database := "ENTWINE_DATABASE_URL=" + c.url(t)
			has := func(args []string, code int, words bool) {
				t.Helper()
				cmd := trial.Command(t, t.TempDir(), args...)
				cmd.Env = append(cmd.Env, database)
				out, _ := cmd.Output()
				said, exit := string(out), cmd.ProcessState.ExitCode()
				for _, want := range c.want {
					if exit != code || strings.Contains(said, want) != words {
						t.Errorf("%v: exit code %d, want %d; %q: want %v\n%.2000s", args, exit, code, want, words, said)
					}
				}
			}
			has([]string{"migrate", "status"}, 1, true)
			if said, code := trial.Tried(t, []string{"migrate", "up"}, database); code != 0 {
				t.Fatal(said)
			}
			has([]string{"migrate", "status"}, 0, false)
			has([]string{"migrate", "status", "--all"}, 0, true)
		})
	}
}

func TestTheMigrationsLeadToTheSchema(t *testing.T) {
	t.Parallel()
	if err := migration.Matches(migrate.Files, digest.Schema, dialect.Postgres); err != nil {
		t.Error(err)
	}
}

// TestASchemaAheadOfItsMigrationsIsNotServed builds the program from a schema
// that has changed since its migrations were written.
func TestASchemaAheadOfItsMigrationsIsNotServed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	digest, err := filepath.Abs("../../../ent/digest/digest.go")
	if err != nil {
		t.Fatal(err)
	}
	changed, overlay := filepath.Join(dir, "digest.go"), filepath.Join(dir, "overlay.json")
	replaced, err := json.Marshal(map[string]any{"Replace": map[string]string{digest: changed}})
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{changed: "package digest\n\nconst Schema = \"another\"\n", overlay: string(replaced)} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	binary, err := programtest.Build(t.Context(), "github.com/entwine-go/entwine/cmd/entwine", "-overlay", overlay)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"serve", "--addr=127.0.0.1:0"}, {"user", "list"}} {
		cmd := exec.CommandContext(t.Context(), binary, args...)
		cmd.Dir = t.TempDir()
		said, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(said), "the schema is ahead of the migrations") || !strings.Contains(string(said), "weave migrate diff") {
			t.Errorf("%v: %v, want what writes the migrations:\n%s", args, err, said)
		}
	}
}
