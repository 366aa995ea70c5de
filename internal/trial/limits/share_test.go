package limits_test

import (
	"database/sql"
	"net/http"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// A caller whose queries hang has half of the connections: another one is
// answered, over both APIs, as if nothing were.
func TestHostileQueriesLeaveConnections(t *testing.T) {
	t.Parallel()
	database := migratetest.Schema(t).PostgresURL(t)
	// The queries wait for a lock until the others are answered, which takes a busy machine longer than the service's limits.
	s := trial.Start(t, "ENTWINE_DATABASE_URL="+database+"&lock_timeout=300000&statement_timeout=300000", "ENTWINE_REQUEST_TIME=5m", "ENTWINE_DATABASE_CONNS=6", "ENTWINE_RATE_LIMIT=off")
	hostile := s.SignUp(t)
	other := s.Ask(t, "POST", "/api/v1/auth/register", `{"name":"Grace Hopper","email":"grace@example.com","password":"correct horse 1"}`).Want(t, http.StatusCreated)
	stranger := []string{"Authorization", "Bearer " + other.Body["token"].(string)}
	db, err := sql.Open("postgres", database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	lock, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Rollback() }()
	if _, err := lock.ExecContext(t.Context(), "LOCK TABLE comments IN ACCESS EXCLUSIVE MODE"); err != nil {
		t.Fatal(err)
	}
	hanging := func() (n int) {
		row := db.QueryRowContext(t.Context(), "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()")
		if err := row.Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	var all errgroup.Group
	for i := range 16 {
		all.Go(func() error {
			if i%2 == 0 {
				s.Ask(t, "GET", "/api/v1/comments?limit=1", "", hostile...).Want(t, http.StatusOK)
				return nil
			}
			s.Ask(t, "POST", "/graphql", `{"query":"{ commentsConnection { totalCount } }"}`, hostile...).Want(t, http.StatusOK, `"totalCount":0`)
			return nil
		})
	}
	for hanging() < 3 {
	}
	s.Ask(t, "GET", "/api/v1/posts?limit=1", "", stranger...).Want(t, http.StatusOK)
	s.Ask(t, "POST", "/graphql", `{"query":"{ posts { id } users { id } }"}`, stranger...).Want(t, http.StatusOK, `"posts":[]`)
	s.Ask(t, "POST", "/api/v1/posts", `{"title":"One","content":"…","published":true}`, stranger...).Want(t, http.StatusCreated)
	s.Ask(t, "GET", "/api/v1/posts?limit=1", "").Want(t, http.StatusOK) // nor do the others at this address suffer
	if n := hanging(); n != 3 {
		t.Errorf("%d of 6 connections hang, want 3", n)
	}
	if err := lock.Rollback(); err != nil {
		t.Fatal(err)
	}
	_ = all.Wait()
}
