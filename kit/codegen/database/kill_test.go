package database_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
)

// kills is at how many places each migration is killed: ten with make faults.
var kills = flag.Int("kills", 0, "kill every kind of migration at so many `places`: 0 for some kinds, at three")

// killedAt is the environment of a process that migrates and kills itself.
const killedAt = "ENTWINE_TEST_KILLED_AT"

func TestMain(m *testing.M) {
	if at := os.Getenv(killedAt); at != "" {
		if err := migrateAndDie(at, os.Args[1], os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// migrateAndDie kills the process, as kill -9 does, before the statement with
// the number.
func migrateAndDie(at, address, root string) error {
	left, err := strconv.Atoi(at)
	if err != nil {
		return err
	}
	ctx := migration.Watch(context.Background(), func(string) {
		if left--; left == 0 {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	})
	db, err := store.Open(ctx, store.Config{URL: address})
	if err != nil {
		return err
	}
	defer db.Close()
	return apply(ctx, db, root)
}

// statements is how many statements lead a database from the one folder to the
// other.
func (c change) statements(t *testing.T, db *store.DB, old, next string) (n int) {
	t.Helper()
	c.fill(t, db, old)
	exec(t, db, c.mend...)
	dir, err := migration.Dir(os.DirFS(next), db.Dialect.Name())
	if err != nil {
		t.Fatal(err)
	}
	ctx := migration.Watch(t.Context(), func(string) { n++ })
	if err := migration.Apply(ctx, db, dir); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestKilledMigrations kills the process that migrates at places spread over
// the migration's statements, one after the other on the same database. Each
// time the next start finds what was before, or all of it.
func TestKilledMigrations(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts many processes")
	}
	places := max(*kills, 3)
	for _, c := range corpus() {
		if c.refused != "" || c.none || *kills == 0 && c.kind%8 != 3 { // 3, 11, 19, 35, 43
			continue
		}
		t.Run(strconv.Itoa(c.kind)+" "+c.name, func(t *testing.T) {
			t.Parallel()
			old := begin(t, c)
			next := copied(t, old)
			if _, err := planner.Diff(t.Context(), next, "second", c.wanted(t), planner.Allow{Drop: c.drop, Accept: c.accept}); err != nil {
				t.Fatal(err)
			}
			contract(t, next)
			for kind, url := range map[string]func(testing.TB) string{"sqlite": storetest.Schema{}.SQLiteURL, "postgres": storetest.Schema{}.PostgresURL} {
				t.Run(kind, func(t *testing.T) {
					t.Parallel()
					if files, err := filepath.Glob(filepath.Join(next, kind, "*_second.sql")); err != nil || len(files) == 0 {
						return // its tables stay as they are
					}
					n := c.statements(t, opened(t, url(t)), old, next)
					address := url(t)
					db := opened(t, address)
					c.fill(t, db, old)
					exec(t, db, c.mend...)
					for i := range places {
						if !kill(t, address, next, 1+i*(n-1)/(places-1)) {
							break // it went on after the last kill, and fewer were left
						}
						half(t, db, next, i == places-1)
					}
					if err := apply(t.Context(), db, next); err != nil {
						t.Fatal(err)
					}
					c.check(t, db)
				})
			}
		})
	}
}

func opened(t *testing.T, address string) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), store.Config{URL: address})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// kill runs a process that migrates until it is killed at the statement, and
// reports whether it came so far.
func kill(t *testing.T, address, root string, at int) bool {
	t.Helper()
	cmd := osexec.CommandContext(t.Context(), os.Args[0], address, root)
	cmd.Env = append(os.Environ(), killedAt+"="+strconv.Itoa(at))
	out, err := cmd.CombinedOutput()
	if err != nil && !strings.Contains(err.Error(), "killed") {
		t.Fatalf("killed at statement %d: %v\n%s", at, err, out)
	}
	return err != nil
}

// half fails where a file that is one transaction has had an effect in part.
// Before the last of its statements, which follows that transaction, it has had
// none.
func half(t *testing.T, db *store.DB, next string, last bool) {
	t.Helper()
	dir, err := migration.Dir(os.DirFS(next), db.Dialect.Name())
	if err != nil {
		t.Fatal(err)
	}
	r, err := migration.StatusOf(t.Context(), db, dir)
	if err != nil || r.Check() != nil || !db.Postgres() && last != (len(r.Pending) == 0) {
		t.Errorf("status after the kill: %+v, %v, %v", r, err, r.Check())
	}
}
