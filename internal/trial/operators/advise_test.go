package operators_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/codegen/advise"
	"github.com/entwine-go/entwine/kit/kittest/programtest"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/store"
)

// asks fills a database, has a service list users by what no index serves and
// posts by what one does, and stops it. It returns a user's credential.
func asks(t *testing.T, dir string, settings ...string) []string {
	t.Helper()
	seed := trial.Command(t, dir, "seed", "--users=3000", "--posts=1500", "--comments=0", "--products=0", "--follows=0", "--others=0")
	seed.Env = append(seed.Env, settings...)
	if out, err := seed.CombinedOutput(); err != nil {
		t.Fatalf("seed: %v\n%s", err, out)
	}
	s := trial.StartIn(t, dir, settings...)
	token := s.SignUp(t)
	for range 3 {
		s.Ask(t, "GET", "/api/v1/users?age=33", "", token...).Want(t, 200)
		s.Ask(t, "GET", "/api/v1/users?role=editor", "", token...).Want(t, 200)
		s.Ask(t, "GET", "/api/v1/posts?limit=5", "", token...).Want(t, 200)
	}
	s.Stop(t)
	return token
}

// weave builds the developers' program, once.
var weave = sync.OnceValues(func() (string, error) {
	return programtest.Build(context.Background(), "github.com/entwine-go/entwine/cmd/weave")
})

// weaveAdvise returns what weave advise prints about the service whose data is in the folder.
func weaveAdvise(t *testing.T, dir string, args []string, settings ...string) []byte {
	t.Helper()
	program, err := weave()
	if err != nil {
		t.Fatal(err)
	}
	cmd := trial.Command(t, "../../..", append([]string{"advise"}, args...)...)
	cmd.Path, cmd.Env = program, append(cmd.Env, append(settings, "ENTWINE_DATA_DIR="+filepath.Join(dir, "data"))...)
	out, err := cmd.Output()
	if err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			out = exit.Stderr
		}
		t.Fatalf("weave advise %v: %v\n%s", args, err, out)
	}
	return out
}

// advice is the output of weave advise, as JSON.
func advice(t *testing.T, dir string, args []string, settings ...string) (a advise.Advice) {
	t.Helper()
	out := weaveAdvise(t, dir, append([]string{"--json"}, args...), settings...)
	if err := json.Unmarshal(out, &a); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return a
}

// ofAge is the proposal for users' ages, which must be there. Nothing must be
// proposed for what an index serves.
func ofAge(t *testing.T, a advise.Advice) (p advise.Proposal) {
	t.Helper()
	for _, one := range a.Proposals {
		if one.Entity == "User" && one.Field == "age" {
			p = one
		}
		if one.Field == "role" || one.Field == "created_at" && one.Entity != "" {
			t.Errorf("an index is proposed for %s.%s, which has one: %s", one.Entity, one.Field, one.Index)
		}
	}
	if p.Declare != "expose.Selective()" || p.Calls < 3 || p.Rows < 3000 || len(p.Effects) == 0 ||
		!strings.HasSuffix(p.Index, `ON "users" ("age", "created_at", "id", "deleted_at") WHERE "deleted_at" IS NULL`) {
		t.Fatalf("%+v\nproposes for users' ages: %+v", a, p)
	}
	return p
}

func TestAdviseOnSQLite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	asks(t, dir)
	a := advice(t, dir, nil)
	p := ofAge(t, a)
	if a.From != "figures" || a.Tried != "copy" || p.Effects[0].After == nil || !strings.Contains(strings.Join(p.Effects[0].After.Lines, "\n"), "entwine_advised (age=?)") {
		t.Errorf("%s, %s: %+v", a.From, a.Tried, p.Effects)
	}
	text := string(weaveAdvise(t, dir, nil))
	for _, want := range []string{"User.age: expose.Selective()", "3 calls", "before:\n", "after:\n", "make migration NAME=…"} {
		if !strings.Contains(text, want) {
			t.Errorf("advise lacks %q:\n%s", want, text)
		}
	}
	if out := string(weaveAdvise(t, dir, []string{"--rows", "1000000"})); !strings.Contains(out, "0 proposals") {
		t.Errorf("small tables:\n%s", out)
	}
}

func TestAdviseOnPostgreSQL(t *testing.T) {
	t.Parallel()
	server := storetest.PostgresServer(t)
	db, err := store.Open(t.Context(), store.Config{URL: server.URL("postgres")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'"); err != nil {
		t.Fatal(err)
	}
	_ = db.Close()
	server.Stop()
	if err := server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	if db, err = store.Open(t.Context(), store.Config{URL: server.URL("postgres")}); err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	dir, url := t.TempDir(), "ENTWINE_DATABASE_URL="+server.URL("postgres")
	token := asks(t, dir, url)

	a := advice(t, dir, nil, url)
	if p := ofAge(t, a); a.From != "figures" || a.Tried != "nothing" || p.Effects[0].After != nil || p.Note != "it was not tried" {
		t.Errorf("without extensions: %s, %s, %+v", a.From, a.Tried, p)
	}
	cheaper := func(a advise.Advice, from, tried string) {
		t.Helper()
		p := ofAge(t, a)
		for _, e := range p.Effects {
			if a.From != from || a.Tried != tried || e.After == nil || e.After.Cost >= e.Before.Cost {
				t.Errorf("%s, %s, want %s, %s: %+v", a.From, a.Tried, from, tried, e)
			}
		}
	}
	cheaper(advice(t, dir, []string{"--create"}, url), "figures", "transaction")
	if n := indexes(t, db); n != 0 {
		t.Errorf("%d indexes are left behind", n)
	}

	if _, err := db.ExecContext(t.Context(), "CREATE EXTENSION pg_stat_statements"); err != nil {
		t.Logf("pg_stat_statements is not installed: %v", err)
		return
	}
	s := trial.StartIn(t, dir, url)
	// Migrations took more than a few requests take.
	if _, err := db.ExecContext(t.Context(), "SELECT pg_stat_statements_reset()"); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		s.Ask(t, "GET", "/api/v1/users?age=34", "", token...).Want(t, 200)
	}
	cheaper(advice(t, dir, []string{"--create"}, url), "pg_stat_statements", "transaction")
	if _, err := db.ExecContext(t.Context(), "CREATE EXTENSION hypopg"); err != nil {
		t.Logf("hypopg is not installed: %v", err)
		return
	}
	cheaper(advice(t, dir, nil, url), "pg_stat_statements", "hypopg")
	cheaper(advice(t, dir, []string{"--own"}, url), "figures", "hypopg")
}

func indexes(t *testing.T, db *store.DB) (n int) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), "SELECT count(*) FROM pg_indexes WHERE indexname LIKE 'entwine_adv%'")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	rows.Next()
	if err := rows.Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// Figures of processes that ended are added up, and none hold values.
func TestFiguresHoldNoValues(t *testing.T) {
	t.Parallel()
	s := trial.Start(t)
	token := s.SignUp(t)
	s.Ask(t, "GET", "/api/v1/users?age=33&name=Confidential", "", token...).Want(t, 200)
	s.Stop(t)
	folder := advise.Folder(filepath.Join(s.Dir, "data"))
	first, _, err := advise.Statements(t.Context(), nil, folder, true)
	if err != nil || len(first) == 0 {
		t.Fatalf("%d figures, %v", len(first), err)
	}
	again := trial.StartIn(t, s.Dir)
	again.Stop(t)
	both, _, err := advise.Statements(t.Context(), nil, folder, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range first {
		i := slices.IndexFunc(both, func(g store.Figure) bool { return g.Text == f.Text })
		if strings.Contains(f.Text, "Confidential") || i < 0 || both[i].Calls < f.Calls {
			t.Errorf("%+v is kept, and later there is %d", f, i)
		}
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) != 2 {
		t.Errorf("%d files, %v", len(files), err)
	}
}
