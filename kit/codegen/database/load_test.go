package database_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
)

// How much TestProgramsWorkMeanwhile asks: ten million and a hundred with make
// faults, which names one change at a time.
var (
	loadRows    = flag.Int("load-rows", 2_000, "how many `posts` there are when a migration begins")
	loadClients = flag.Int("load-clients", 4, "how many `clients` of each program write meanwhile")
	loadThink   = flag.Duration("load-think", 0, "how `long` a client thinks before it writes again")
)

// mostWait is for how long others may be stopped, and how long 99 of a hundred statements
// of a client may take, of a large table.
const mostWait = 500 * time.Millisecond

// TestProgramsWorkMeanwhile migrates while a program from before the change
// writes, and one from after it as soon as it can. No statement of theirs fails,
// and no value that they wrote is lost.
func TestProgramsWorkMeanwhile(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts many clients")
	}
	large := *loadRows > 100_000
	for _, b := range busies() {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			b.run(t, large)
		})
	}
}

func (b busy) run(t *testing.T, large bool) {
	old := begin(t, change{before: b.before})
	next := copied(t, old)
	w := newWorld()
	b.after(w)
	if _, err := planner.Diff(t.Context(), next, "second", w.schema(t), planner.Allow{Accept: b.accept}); err != nil {
		t.Fatal(err)
	}
	last := copied(t, next)
	contract(t, last)

	address := storetest.Schema{}.PostgresURL(t)
	db := opened(t, address)
	if err := apply(t.Context(), db, old); err != nil {
		t.Fatal(err)
	}
	fillLoad(t, db)

	load := &traffic{t: t, address: address}
	const bare = ") VALUES ($1, $2::text, 30)"
	before := load.start("old", "", "", []string{"live", "draft", "dead"}, bare)
	before.rounds(t, 5)
	bio := bare
	if strings.Contains(b.name, "required") && b.columns == "" {
		bio = ", bio) VALUES ($1, $2::text, 30, 'poet')"
	}
	if strings.Contains(b.name, "unique whatever") {
		bio = ", email_fold) VALUES ($1, $2::text, 30, lower($2::text))"
	}
	if b.name == "all at once" {
		bio = ", bio, email_fold) VALUES ($1, $2::text, 30, 'poet', lower($2::text))"
	}
	news := b.statuses
	if news == nil {
		news = []string{"live", "draft"}
	}
	var after program
	var once sync.Once
	begins := func() { once.Do(func() { after = load.start("new", b.columns, b.values, news, bio) }) }
	stop := held(t, db)
	began := time.Now()
	ctx := migration.Watch(t.Context(), func(statement string) {
		if strings.Contains(statement, "SET ") && strings.HasPrefix(statement, "UPDATE") || strings.Contains(statement, "CONCURRENTLY") || strings.Contains(statement, "VALIDATE") {
			begins() // the first file has been applied
		}
	})
	if err := b.migrate(ctx, t, db, next); err != nil {
		t.Error(err)
	}
	begins()
	took := time.Since(began)
	after.rounds(t, 5)
	before.rounds(t, 5)
	before.stop()
	if err := apply(t.Context(), db, last); err != nil {
		t.Error(err)
	}
	after.rounds(t, 5)
	after.stop()
	longest, what := stop()
	p99, slowest := load.slowest()
	t.Logf("%d rows, %d clients: migrated in %v; %d posts, %d updates, %d authors were written meanwhile, 99 of 100 in %v and the slowest in %v; the longest lock %v: %s",
		*loadRows, 2**loadClients, took.Round(time.Millisecond), load.posts.Load(), load.added.Load(), load.authors.Load(),
		p99.Round(time.Millisecond), slowest.Round(time.Millisecond), longest.Round(time.Millisecond), what)
	if large && (longest > mostWait || p99 > mostWait) {
		t.Errorf("%s was held for %v, and 99 of 100 statements took up to %v; want %v at most", what, longest, p99, mostWait)
	}
	b.check(t, address, load)
}

// migrate applies the folder's migrations, and logs how far backfills are, and
// what they wait for.
func (b busy) migrate(ctx context.Context, t *testing.T, db *store.DB, root string) error {
	dir, err := migration.Dir(os.DirFS(root), db.Dialect.Name())
	if err != nil {
		return err
	}
	began := time.Now()
	r := migration.Runner{Notice: func(n migration.Notice) {
		t.Logf("%v: %s: %.80s: %d of %d rows, waited %v for %v", time.Since(began).Round(time.Second), n.File, n.Statement, n.Rows, n.Of, n.Waits, n.Holders)
	}}
	return r.Apply(ctx, db, dir)
}

// writers is how many authors there are.
func writers() int { return *loadRows / 100 }

// fillLoad makes the rows that there are when the migration begins.
func fillLoad(t *testing.T, db *store.DB) {
	t.Helper()
	conn, err := db.Session(t.Context()) // it takes long
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, text := range []string{
		"SET session_replication_role = replica", // no foreign key is looked up
		fmt.Sprintf(`INSERT INTO authors (name, email, age) SELECT 'Ä' || n, 'Author' || n || '@example.com', 30 FROM generate_series(1, %d) AS n`, writers()),
		fmt.Sprintf(`INSERT INTO posts (title, status, price, author_id)
SELECT 'post' || n %% 5000 || ' word' || n %% 97, (ARRAY['live', 'draft', 'dead'])[1 + n %% 3], 10, 1 + n %% %d FROM generate_series(1, %d) AS n`, writers(), *loadRows),
		"RESET session_replication_role",
		"VACUUM ANALYZE",
	} {
		if _, err := conn.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
}

// check compares what is there with what was written.
func (b busy) check(t *testing.T, address string, load *traffic) {
	t.Helper()
	db, err := store.Open(t.Context(), store.Config{URL: address, StatementTimeout: -1}) // it reads all
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if n := load.failed.Load(); n > 0 {
		t.Errorf("%d statements failed", n)
	}
	for query, want := range map[string]int64{
		"SELECT CAST(count(*) AS text) FROM posts":   int64(*loadRows) + load.posts.Load(),
		"SELECT CAST(sum(price) AS text) FROM posts": 10*(int64(*loadRows)+load.posts.Load()) + load.added.Load(),
		"SELECT CAST(count(*) AS text) FROM authors": int64(writers()) + load.authors.Load(),
	} {
		if got := read(t, db, query); got != fmt.Sprint(want) {
			t.Errorf("%s: %s, want %d", query, got, want)
		}
	}
	for _, query := range b.wrong {
		if got := read(t, db, query+" LIMIT 5"); got != "" {
			t.Errorf("%s: %s, want none", query, got)
		}
	}
	if n := read(t, db, "SELECT CAST(count(*) AS text) FROM pg_trigger WHERE tgname LIKE 'entwine_sync%' OR pg_get_triggerdef(oid) LIKE '%entwine.filling%'"); n != "0" {
		t.Errorf("%s triggers of the migration are left", n)
	}
	if n := read(t, db, "SELECT CAST(count(*) AS text) FROM pg_index WHERE NOT indisvalid"); n != "0" {
		t.Errorf("%s indexes are not valid", n)
	}
}
