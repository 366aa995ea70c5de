package database_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/runtime/migration"
	"github.com/entwine-go/entwine/kit/runtime/store"
)

// How much TestProgramsWorkMeanwhile asks: ten million and a hundred with make faults.
var (
	loadRows    = flag.Int("load-rows", 2_000, "how many `posts` there are when a migration begins")
	loadClients = flag.Int("load-clients", 4, "how many `clients` of each program write meanwhile")
)

// busy is a change that programs from before it and after it write through.
type busy struct {
	name  string
	after func(w *world)
	// columns and values are what the new program writes of a post besides.
	columns, values string
	// statuses are what it writes.
	statuses []string
	// wrong are queries for what must not be there in the end.
	wrong []string
	// accept is for what stops others.
	accept []string
}

func busies() []busy {
	all := []busy{
		{name: "an index", after: func(w *world) { w.post.indexes = []ent.Index{index.Fields("title", "price")} }},
		{name: "a unique index", after: func(w *world) { w.author.with(field.String("email").Unique()) }},
		{name: "a field", after: func(w *world) {
			w.post.with(field.String("note").Optional().Nillable(), field.String("mood").Default("calm"))
		}, columns: "note, mood", values: "'n', 'wild'"},
		{name: "a required field", after: func(w *world) {
			w.post.with(field.String("language").Annotations(expose.Backfill("CASE WHEN price > 100 THEN 'fr' ELSE 'en' END")))
		}, columns: "language", values: "'de'", wrong: []string{`SELECT CAST(id AS text) FROM posts WHERE language NOT IN ('fr', 'en', 'de')`}},
		{name: "a field comes to be required", after: func(w *world) {
			w.author.with(field.String("bio").Annotations(expose.Backfill("'of ' || name")))
		}, wrong: []string{`SELECT name FROM authors WHERE bio NOT IN ('of ' || name, 'poet')`}},
		{name: "a text unique whatever the case", after: uniqueEmail,
			wrong: []string{`SELECT email FROM authors WHERE email_fold <> lower(email)`}},
		{name: "an edge", after: func(w *world) { editor(w, true) }, columns: "editor_id", values: "2"},
		{name: "a required edge", after: func(w *world) { editor(w, false, expose.Backfill("author_id")) }, columns: "editor_id", values: "2",
			wrong: []string{`SELECT CAST(id AS text) FROM posts WHERE editor_id NOT IN (author_id, 2)`}},
		{name: "what a removal does", after: func(w *world) {
			w.author.edges = []ent.Edge{edge.To("posts", Post.Type)}
		}},
		{name: "a check", after: func(w *world) { w.post.checks = map[string]string{"paid": "price >= 0"} }},
		{name: "another value", after: func(w *world) { w.post.with(statuses("draft", "live", "dead", "late")) }, statuses: []string{"late"}},
		{name: "other names of values", after: func(w *world) {
			announced(w)
			w.post.with(statuses("draft", "public", "gone", expose.ValueWas("public", "live"), expose.ValueWas("gone", "dead")))
		}, statuses: []string{"public", "gone"}, wrong: []string{`SELECT topic FROM events`}},
		{name: "a count and a sum", after: func(w *world) {
			w.author.with(field.Int64("posts_count").Default(0).Annotations(expose.CountOf("posts", "NEW.status <> 'dead'")),
				field.Int64("earned").Default(0).Annotations(expose.SumOf("posts", "price", "")),
				field.Float("average").Optional().Nillable().Annotations(expose.MeanOf("earned", "posts_count")))
		}, wrong: []string{
			`SELECT CAST(id AS text) FROM authors WHERE posts_count <> (SELECT count(*) FROM posts WHERE author_id = authors.id AND status <> 'dead')`,
			`SELECT CAST(id AS text) FROM authors WHERE earned <> (SELECT coalesce(sum(price), 0) FROM posts WHERE author_id = authors.id)`,
		}},
		{name: "parts of texts are searched", after: func(w *world) { w.post.with(field.String("title").Annotations(expose.By(expose.Search))) },
			columns: "title_fold", values: "'new'", wrong: []string{`SELECT title FROM posts WHERE title_fold <> lower(title)`}},
		{name: "an index goes", after: func(*world) {}},
	}
	return append(all, together(all))
}

// announced has changes of the status be events: a migration makes none.
func announced(w *world) {
	w.events = true
	w.post.resource.Events = []expose.Topic{{Name: "post.moved", On: "update", When: "NEW.status <> OLD.status"}}
}

// together is all of it in one migration.
func together(all []busy) busy {
	some := busy{name: "all at once", after: func(w *world) {
		w.post.indexes = []ent.Index{index.Fields("title", "price")}
		w.post.checks = map[string]string{"paid": "price >= 0"}
		w.post.with(field.String("language").Annotations(expose.Backfill("CASE WHEN price > 100 THEN 'fr' ELSE 'en' END")))
		editor(w, true)
		for _, b := range all {
			if slices.Contains([]string{"a field comes to be required", "a text unique whatever the case", "other names of values", "a count and a sum"}, b.name) {
				b.after(w)
			}
		}
	}, columns: "language, editor_id", values: "'de', 2"}
	some.after = sameCounts(some.after)
	for _, b := range all {
		switch b.name {
		case "other names of values":
			some.statuses, some.wrong = b.statuses, append(some.wrong, b.wrong...)
		case "a text unique whatever the case", "a field comes to be required":
			some.wrong = append(some.wrong, b.wrong...)
		case "a count and a sum":
			some.wrong = append(some.wrong, strings.ReplaceAll(b.wrong[0], "'dead'", "'gone'"), b.wrong[1])
		}
	}
	return some
}

// sameCounts counts by the names that values have after the change.
func sameCounts(after func(w *world)) func(w *world) {
	return func(w *world) {
		after(w)
		w.author.with(field.Int64("posts_count").Default(0).Annotations(expose.CountOf("posts", "NEW.status <> 'gone'")))
	}
}

// before is the world that the change begins with.
func (b busy) before(w *world) {
	switch b.name {
	case "an index goes":
		w.post.indexes = []ent.Index{index.Fields("title", "price")}
	case "other names of values", "all at once":
		announced(w)
	}
}

// traffic are programs that read and write posts and authors.
type traffic struct {
	t       *testing.T
	address string
	failed  atomic.Int64
	posts   atomic.Int64 // that were written
	added   atomic.Int64 // to prices
	authors atomic.Int64
	longest atomic.Int64 // nanoseconds that a statement took
}

// program is one of them.
type program struct {
	// stop has its clients end, and waits until they have.
	stop func()
	// done is how many rounds its clients have made.
	done *atomic.Int64
	step chan struct{}
}

// rounds waits until its clients have made so many more.
func (p program) rounds(t *testing.T, n int64) {
	t.Helper()
	for until := p.done.Load() + n; p.done.Load() < until; {
		select {
		case <-p.step:
		case <-t.Context().Done():
			t.Fatal("the program makes no progress")
		}
	}
}

// start starts a program whose posts have the columns besides, and the statuses.
func (w *traffic) start(name, columns, values string, statuses []string, bio string) program {
	ctx, cancel := context.WithCancel(w.t.Context())
	var clients sync.WaitGroup
	p := program{done: new(atomic.Int64), step: make(chan struct{}, 1)}
	db, err := store.Open(ctx, store.Config{URL: w.address, Conns: *loadClients + 1})
	if err != nil {
		cancel()
		w.t.Error(err)
		return program{stop: func() {}, done: p.done, step: p.step}
	}
	if columns != "" {
		columns, values = ", "+columns, ", "+values
	}
	for c := range *loadClients {
		clients.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				w.round(db, fmt.Sprintf("%s%d.%d", name, c, n), columns, values, statuses[n%len(statuses)], bio, n)
				p.done.Add(1)
				select {
				case p.step <- struct{}{}:
				default:
				}
			}
		})
	}
	p.stop = func() {
		cancel()
		clients.Wait()
		_ = db.Close()
	}
	return p
}

// round is what a client does again and again.
func (w *traffic) round(db *store.DB, key, columns, values, status, bio string, n int) {
	post := 1 + (n*7919)%*loadRows
	wrote := func(counter *atomic.Int64, query string, args ...any) {
		began := time.Now()
		_, err := db.ExecContext(w.t.Context(), query, args...)
		if took := time.Since(began); took > time.Duration(w.longest.Load()) {
			w.longest.Store(int64(took))
		}
		if err != nil {
			if w.failed.Add(1) < 5 {
				w.t.Errorf("%s: %v", query, err)
			}
			return
		}
		counter.Add(1)
	}
	title := "t" + key
	if strings.Contains(columns, "title_fold") {
		title = "new"
	}
	wrote(&w.posts, "INSERT INTO posts (title, status, price, author_id"+columns+") VALUES ($1, $2, 10, $3"+values+")", title, status, 1+(n*31)%writers())
	wrote(&w.added, "UPDATE posts SET price = price + 1 WHERE id = $1", post)
	if n%8 == 0 {
		wrote(&w.authors, "INSERT INTO authors (name, email, age"+bio, "a"+key, "e"+key+"@example.com")
	}
	rows, err := db.QueryContext(w.t.Context(), "SELECT id, title, status, price, author_id FROM posts WHERE id = $1", post)
	if err != nil {
		if w.failed.Add(1) < 5 {
			w.t.Error(err)
		}
		return
	}
	_ = rows.Close()
}

// held watches for how long a transaction holds a lock that stops others.
func held(t *testing.T, db *store.DB) (stop func() (longest time.Duration, what string)) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var longest time.Duration
	var what string
	var gone sync.WaitGroup
	gone.Go(func() {
		since := map[string]time.Time{}
		for ctx.Err() == nil {
			now := time.Now()
			found := map[string]bool{}
			rows, err := db.QueryContext(ctx, `SELECT l.virtualtransaction || ' ' || c.relname || ' ' || l.mode FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
WHERE l.granted AND l.locktype = 'relation' AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND c.relkind = 'r'
	AND c.relname IN ('posts', 'authors', 'tags', 'post_tags') AND l.mode IN ('AccessExclusiveLock', 'ExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock')`)
			if err != nil {
				continue
			}
			for rows.Next() {
				var key string
				if err := rows.Scan(&key); err == nil {
					found[key] = true
				}
			}
			_ = rows.Close()
			for key := range found {
				if _, had := since[key]; !had {
					since[key] = now
				}
				if has := time.Since(since[key]); has > longest {
					longest, what = has, key
				}
			}
			maps.DeleteFunc(since, func(key string, _ time.Time) bool { return !found[key] })
			select {
			case <-ctx.Done():
			case <-time.After(20 * time.Millisecond):
			}
		}
	})
	return func() (time.Duration, string) {
		cancel()
		gone.Wait()
		return longest, what
	}
}

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
		if large && b.name != "all at once" {
			continue
		}
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
	if err := apply(ctx, db, next); err != nil {
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
	t.Logf("%d rows, %d clients: migrated in %v; %d posts, %d updates, %d authors were written meanwhile, the slowest in %v; the longest lock %v: %s",
		*loadRows, 2**loadClients, took.Round(time.Millisecond), load.posts.Load(), load.added.Load(), load.authors.Load(),
		time.Duration(load.longest.Load()).Round(time.Millisecond), longest.Round(time.Millisecond), what)
	if large && longest > time.Second {
		t.Errorf("%s was held for %v", what, longest)
	}
	b.check(t, db, load)
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
		fmt.Sprintf(`INSERT INTO authors (name, email, age) SELECT 'Ä' || n, 'Author' || n || '@example.com', 30 FROM generate_series(1, %d) AS n`, writers()),
		fmt.Sprintf(`INSERT INTO posts (title, status, price, author_id)
SELECT 'p' || n, (ARRAY['live', 'draft', 'dead'])[1 + n %% 3], 10, 1 + n %% %d FROM generate_series(1, %d) AS n`, writers(), *loadRows),
		"VACUUM ANALYZE",
	} {
		if _, err := conn.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
}

// check compares what is there with what was written.
func (b busy) check(t *testing.T, db *store.DB, load *traffic) {
	t.Helper()
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
