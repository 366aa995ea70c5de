package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/runtime/migration"

	"entgo.io/ent/dialect"

	"github.com/entwine-go/entwine/kit/kittest/pgserver"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/migrate"
)

// The size of the world: users, posts (all published, a microsecond apart),
// and comments on the newest posts.
const (
	users          = 1_000
	posts          = 100_000
	commentedPosts = 1_000
	commentsEach   = 8
)

// world is one database with both servers in front of it.
type world struct {
	dialect        string
	floor, entwine *process
	// token signs user 2 in.
	token string
	// middle is the created_at of the post in the middle of the listing.
	middle string
}

// newWorld fills a database and starts both servers on it.
func newWorld(b *testing.B, name string) *world {
	b.Helper()
	url, postmaster := "sqlite://"+filepath.Join(b.TempDir(), "bench.db"), 0
	if name == dialect.Postgres {
		url, postmaster = postgres(b)
	}
	w := &world{dialect: name}
	w.fill(b, url)
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	w.floor = start(b, postmaster, []string{"ENTWINE_BENCH_FLOOR=" + url}, self)
	dir := b.TempDir()
	env := []string{"ENTWINE_DATABASE_URL=" + url, "ENTWINE_DATA_DIR=" + dir, "ENTWINE_ADDR=127.0.0.1:0", "ENTWINE_LOG_LEVEL=error", "ENTWINE_RATE_LIMIT=off", "ENTWINE_REGISTRATION_LIMIT=off"}
	w.entwine = start(b, postmaster, env, entwine, "serve")
	w.token = run(b, env, entwine, "token", "--expires-in", "1h", "user2@example.com")
	return w
}

// postgres starts a server of the benchmark's own and returns the address of
// a database and the process that its backends are children of.
func postgres(b *testing.B) (url string, postmaster int) {
	b.Helper()
	// PostgreSQL's own user must reach the folder, which b.TempDir's cannot be.
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("entwine-bench-%d", os.Getpid()))
	b.Cleanup(func() { _ = os.RemoveAll(dir) })
	server, err := pgserver.Start(context.Background(), dir)
	if err != nil {
		b.Skipf("NOT MEASURED on PostgreSQL: %v", err)
	}
	b.Cleanup(server.Stop)
	url, _, err = pgserver.Scratch(b.Context(), server.URL("postgres"))
	if err != nil {
		b.Fatal(err)
	}
	db, err := store.Open(b.Context(), store.Config{URL: url})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	backend := 0
	row(b, db, "SELECT pg_backend_pid()", &backend)
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", backend))
	if err != nil {
		b.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), ") ")
	if _, err := fmt.Sscanf(after, "%1s %d", new(string), &postmaster); err != nil {
		b.Fatal(err)
	}
	return url, postmaster
}

func row(b *testing.B, db *store.DB, query string, into ...any) {
	b.Helper()
	rows, err := db.QueryContext(b.Context(), query)
	if err != nil {
		b.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			b.Fatal(err)
		}
	}
	if err := rows.Err(); err != nil {
		b.Fatal(err)
	}
}

// fill migrates the database and makes the world's rows, by SQL alone.
func (w *world) fill(b *testing.B, url string) {
	b.Helper()
	db, err := store.Open(b.Context(), store.Config{URL: url, StatementTimeout: -1})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	if err := migration.Up(b.Context(), db, migrate.Files); err != nil {
		b.Fatal(err)
	}
	series := func(n int) string {
		if db.Dialect == dialect.Postgres {
			return fmt.Sprintf("generate_series(1, %d) AS s(n)", n)
		}
		return fmt.Sprintf("(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < %d) SELECT n FROM c) AS s", n)
	}
	at := "timestamptz '2026-01-01 00:00:00+00' + n * interval '1 second'"
	sequences := []string{"SELECT setval(pg_get_serial_sequence('users', 'id'), 100000)", "SELECT setval(pg_get_serial_sequence('posts', 'id'), 1000000)"}
	if db.Dialect != dialect.Postgres {
		at = "strftime('%Y-%m-%d %H:%M:%S', '2026-01-01', '+' || n || ' seconds') || '.000000+00:00'"
		sequences = []string{"ANALYZE"}
	} else {
		sequences = append(sequences, "VACUUM ANALYZE")
	}
	for _, text := range append([]string{
		`INSERT INTO users (id, name, name_fold, email, email_fold, role, is_active, created_at, updated_at, version)
			SELECT n, 'User ' || n, 'user ' || n, 'user' || n || '@example.com', 'user' || n || '@example.com', 'user', 1 = 1, ` + at + `, ` + at + `, 1 FROM ` + series(users),
		`INSERT INTO posts (id, title, title_fold, content, content_fold, published, published_at, author_id, created_at, updated_at, version)
			SELECT n, 'Post number ' || n, 'post number ' || n, 'Some text that is as long as a short paragraph tends to be, number ' || n, 'some text', 1 = 1, ` + at + `, 1 + n % ` + fmt.Sprint(users) + `, ` + at + `, ` + at + `, 1 FROM ` + series(posts),
		`INSERT INTO comments (text, post_id, author_id, created_at, updated_at, version)
			SELECT 'I could not agree more, ' || n, ` + fmt.Sprint(posts-commentedPosts) + ` + 1 + n % ` + fmt.Sprint(commentedPosts) + `, 1 + n % ` + fmt.Sprint(users) + `, ` + at + `, ` + at + `, 1 FROM ` + series(commentedPosts*commentsEach),
	}, sequences...) {
		if _, err := db.ExecContext(b.Context(), text); err != nil {
			b.Fatalf("%s: %v", text, err)
		}
	}
	stocked(b, db)
	w.middle = "2026-01-01T13:53:20Z" // the second 50,000
}
