package bench

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/pgserver"
	"github.com/entwine-go/entwine/kit/store"
)

// small makes the world a twentieth of its size, for a quick look.
var small = flag.Bool("small", false, "measure over a twentieth of the rows")

// size is how many rows there are. Posts are published and a second apart;
// comments are spread over them, so that the newest have theirs as well.
type size struct{ users, posts, comments, products int }

func rowsOf() size {
	if *small {
		return size{users: 500, posts: 5_000, comments: 25_000, products: 500}
	}
	return size{users: 10_000, posts: 100_000, comments: 500_000, products: 10_000}
}

// world is one database with both servers in front of it.
type world struct {
	size
	dialect        string
	floor, entwine *process
	// token signs user 2 in.
	token string
	// middle is the created_at of the last post before the middle of the listing.
	middle string
}

// newWorld fills a database and starts both servers on it.
func newWorld(b *testing.B, name string) *world {
	b.Helper()
	w, url := newFloor(b, name, rowsOf())
	postmaster := w.floor.database
	entwine := build(b, "entwine", "../../cmd/entwine")
	env := []string{"ENTWINE_DATABASE_URL=" + url, "ENTWINE_DATA_DIR=" + b.TempDir(), "ENTWINE_ADDR=127.0.0.1:0", "ENTWINE_LOG_LEVEL=error", "ENTWINE_EXPLAIN=0", "ENTWINE_RATE_LIMIT=off", "ENTWINE_REGISTRATION_LIMIT=off"}
	w.entwine = start(b, postmaster, env, entwine, "serve")
	w.token = run(b, env, entwine, "token", "--expires-in", "1h", "user2@example.com")
	return w
}

// newFloor fills a database and starts the floor on it.
func newFloor(b testing.TB, name string, of size) (w *world, url string) {
	b.Helper()
	url, postmaster := "sqlite://"+filepath.Join(b.TempDir(), "bench.db"), 0
	if name == dialect.Postgres {
		url, postmaster = postgres(b)
	}
	w = &world{dialect: name, size: of}
	w.middle = beginning.Add(time.Duration(w.posts/2+1) * time.Second).Format(time.RFC3339)
	w.fill(b, url)
	w.floor = start(b, postmaster, nil, build(b, "floor", "floor"), url)
	return w, url
}

// postgres starts a server of the benchmark's own and returns the address of
// a database and the process that its backends are children of.
func postgres(b testing.TB) (url string, postmaster int) {
	b.Helper()
	// PostgreSQL's own user must reach the folder, which b.TempDir's cannot be.
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("entwine-bench-%d", os.Getpid()))
	b.Cleanup(func() { _ = os.RemoveAll(dir) })
	server, err := pgserver.Start(context.Background(), dir)
	if err != nil {
		storetest.Missing(b, "postgres", err)
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
	return url, parent(b, db)
}

// parent is the process that the backends of the database are children of.
func parent(b testing.TB, db *store.DB) (postmaster int) {
	b.Helper()
	backend := 0
	row(b, db, "SELECT pg_backend_pid()", func() {}, &backend)
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", backend))
	if err != nil {
		b.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), ") ")
	if _, err := fmt.Sscanf(after, "%1s %d", new(string), &postmaster); err != nil {
		b.Fatal(err)
	}
	return postmaster
}
