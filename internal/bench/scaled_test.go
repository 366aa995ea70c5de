package bench

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/pgserver"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/migrate"
)

// scaled is a service over large tables of a PostgreSQL that counts its statements. User 1
// is followed by all, likes and says as much; user 2 asks, and user 3 is an admin.
type scaled struct {
	*testing.T
	*world
	db    *store.DB
	redis *storetest.RedisServer
	admin string
	// buyers are the tokens of users who order.
	buyers []string
	// metrics is where the process says its figures.
	metrics string
	// again starts another process of the service, whose figures are nowhere.
	again func() *process
}

func newScaled(t *testing.T, of size) *scaled {
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("entwine-scale-%d", os.Getpid()))
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	server, err := pgserver.Start(t.Context(), dir)
	if err != nil {
		storetest.Missing(t, "postgres", err)
	}
	t.Cleanup(server.Stop)
	server.Stop()
	// A commit waits for the disk, as it does where it matters.
	// Pages that are written whole after a checkpoint would count for who comes first.
	server.Settings = []string{"shared_preload_libraries=pg_stat_statements", "full_page_writes=off", "fsync=on", "shared_buffers=512MB", "max_wal_size=4GB"}
	if err := server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	url, _, err := pgserver.Scratch(t.Context(), server.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(t.Context(), store.Config{URL: url, StatementTimeout: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	s := &scaled{T: t, db: db, redis: storetest.Redis(t), world: &world{dialect: dialect.Postgres, size: of}}
	s.seed()
	entwine := build(t, "entwine", "../../cmd/entwine")
	s.metrics = unused(t)
	env := []string{
		"ENTWINE_DATABASE_URL=" + url, "ENTWINE_REDIS_URL=" + s.redis.URL, "ENTWINE_DATA_DIR=" + t.TempDir(), "ENTWINE_ADDR=127.0.0.1:0", "ENTWINE_METRICS_ADDR=" + s.metrics,
		"ENTWINE_LOG_LEVEL=error", "ENTWINE_EXPLAIN=0", "ENTWINE_RATE_LIMIT=off", "ENTWINE_REGISTRATION_LIMIT=off", "ENTWINE_CONNECTIONS=100000", "ENTWINE_TRUSTED_PROXIES=127.0.0.0/8",
	}
	s.entwine = start(t, parent(t, db), env, entwine, "serve")
	s.again = func() *process { return start(t, 0, append(env, "ENTWINE_METRICS_ADDR="), entwine, "serve") }
	s.token = run(t, env, entwine, "token", "--expires-in", "2h", "user2@example.com")
	for n := range buyers {
		s.buyers = append(s.buyers, run(t, env, entwine, "token", "--expires-in", "2h", fmt.Sprintf("user%d@example.com", 4+n)))
	}
	s.admin = run(t, env, entwine, "token", "--expires-in", "2h", "user3@example.com")
	return s
}

// unused is an address that no process listens at.
func unused(t testing.TB) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// seed makes the rows as the triggers would leave them, without these.
func (s *scaled) seed() {
	if err := migration.Up(s.Context(), s.db, migrate.Files); err != nil {
		s.Fatal(err)
	}
	execute(s, s.db, `CREATE EXTENSION pg_stat_statements`, `CREATE EXTENSION pg_walinspect`)
	at := `timestamptz '2026-01-01 00:00:00+00' + n * interval '1 second'`
	made := s.made()
	for _, one := range []struct {
		table string
		texts []string
	}{
		{"users", made[:1]},
		{"posts", made[1:2]},
		{"products", made[3:]},
		{"comments", []string{made[2], fmt.Sprintf(`INSERT INTO comments (text, post_id, author_id, created_at, updated_at, version)
			SELECT 'So it is, ' || n, 1 + n %% %d, 1, %s, %[2]s, 1 FROM generate_series(1, %[3]d) AS s(n)`, s.posts, at, s.users)}},
		{"follows", []string{fmt.Sprintf(`INSERT INTO follows (follower_id, followee_id, created_at) SELECT n, 1, %s FROM generate_series(2, %d) AS s(n)`, at, s.users)}},
		{"likes", []string{fmt.Sprintf(`INSERT INTO likes (user_id, post_id, created_at) SELECT 1, n, %s FROM generate_series(1, %d) AS s(n)`, at, s.users)}},
	} {
		storetest.Bare(s, s.db, one.table, func() { execute(s, s.db, one.texts...) })
	}
	execute(s, s.db,
		`UPDATE users SET followers_count = (SELECT COUNT(*) FROM follows WHERE followee_id = 1) WHERE id = 1`,
		`UPDATE users SET following_count = 1 WHERE id > 1`,
		fmt.Sprintf(`UPDATE posts SET likes_count = 1 WHERE id <= %d`, s.users),
		`UPDATE users SET role = 'admin' WHERE id = 3`,
	)
	for _, table := range []string{"users", "posts", "products", "comments"} {
		execute(s, s.db, fmt.Sprintf(`SELECT setval(pg_get_serial_sequence('%s', 'id'), 100000000)`, table))
	}
	execute(s, s.db, `DELETE FROM events`, `DELETE FROM changes`, `VACUUM ANALYZE`)
}

// statements are those that the database has run for the service.
type statements struct {
	calls, buffers, wrote int64
	took                  float64 // milliseconds
	wal                   float64 // bytes
	from, to              string  // places in the log
}

// counting are the conditions on statements that were not asked for by the measuring
// itself, nor to begin and end transactions.
const counting = `dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
	AND query !~* '^(begin|commit|rollback|savepoint|release|deallocate|set )' AND query NOT LIKE '%pg_stat_statements%' AND query NOT LIKE '%FROM recounts AS waited%' AND query NOT LIKE '%FROM jobs AS waited%' AND query NOT LIKE '%FROM orders AS waited%'`

// spent is the CPU time of do and of the work that runs beside it.
func (s *scaled) spent(do func()) (all statements) {
	s.Helper()
	var wrote int64
	var wal float64
	state := `SELECT pg_current_xact_id()::text::bigint, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8, pg_current_wal_flush_lsn()::text`
	row(s, s.db, `SELECT pg_stat_statements_reset()::text`, func() {}, new(string))
	row(s, s.db, state, func() {}, &wrote, &wal, &all.from)
	do()
	row(s, s.db, state, func() {}, &all.wrote, &all.wal, &all.to)
	row(s, s.db, `SELECT COALESCE(SUM(calls), 0)::bigint, COALESCE(SUM(shared_blks_hit + shared_blks_read), 0)::bigint, COALESCE(SUM(total_exec_time), 0)::float8
		FROM pg_stat_statements WHERE `+counting, func() {}, &all.calls, &all.buffers, &all.took)
	all.wrote, all.wal = all.wrote-wrote-1, all.wal-wal // to ask is a transaction itself
	return all
}

// until waits for the query, of one number, to return none.
func (s *scaled) until(query string, most time.Duration) {
	s.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for ends := time.Now().Add(most); ; {
		left := 0
		row(s, s.db, query, func() {}, &left)
		if left == 0 {
			return
		}
		if time.Now().After(ends) {
			s.Fatalf("%s: there are still %d after %s", strings.TrimSpace(query), left, most)
		}
		<-tick.C
	}
}
