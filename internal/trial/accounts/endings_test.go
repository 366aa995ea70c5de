package accounts_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// Two processes share a database and a Redis. A token, session or key that is ended in one
// is refused there from its answer on, and by the other once it hears of it.
func TestWhatEndsInOneProcessEndsInBoth(t *testing.T) {
	t.Parallel()
	for name, database := range map[string]string{
		"sqlite":   migratetest.Schema(t).SQLiteURL(t),
		"postgres": migratetest.Schema(t).PostgresURL(t),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shared := []string{"ENTWINE_DATABASE_URL=" + database, "ENTWINE_REDIS_URL=" + storetest.Redis(t).URL}
			dir := t.TempDir() // with the keys of tokens
			one, other := trial.StartIn(t, dir, shared...), trial.StartIn(t, dir, shared...)
			one.SignUp(t)
			for end, status := range map[string]int{
				"POST /api/v1/auth/logout": 200, "DELETE /api/v1/auth/sessions/{sid}": 204, "DELETE /api/v1/auth/sessions": 204,
			} {
				in := one.Ask(t, "POST", "/api/v1/auth/login", trial.AdaLogin).Want(t, 200)
				token := []string{"Authorization", "Bearer " + in.Body["token"].(string)}
				in = one.Ask(t, "POST", "/api/v1/auth/login", trial.AdaLogin).Want(t, 200)
				keeper := []string{"Authorization", "Bearer " + in.Body["token"].(string)}
				for _, s := range []*trial.Service{one, other, one, other} {
					s.Ask(t, "GET", "/api/v1/auth/me", "", token...).Want(t, 200)
				}
				method, path, _ := strings.Cut(end, " ")
				ender := keeper
				switch {
				case method == "POST":
					ender = token
				case strings.HasSuffix(path, "{sid}"):
					path = strings.Replace(path, "{sid}", current(t, one, token), 1)
				}
				one.Ask(t, method, path, "", ender...).Want(t, status)
				// Not even a write is let in that follows the answer.
				one.Ask(t, "POST", "/api/v1/posts", `{"title":"Too late","content":"x"}`, token...).Want(t, 401)
				for other.Ask(t, "GET", "/api/v1/auth/me", "", token...).Status != 401 {
					runtime.Gosched() // it hears of it on another connection
				}
			}
		})
	}
}

// current returns the name of the sign-in that the token belongs to.
func current(t *testing.T, s *trial.Service, token []string) string {
	t.Helper()
	for _, one := range s.Ask(t, "GET", "/api/v1/auth/sessions", "", token...).Want(t, 200).Body["data"].([]any) {
		if session := one.(map[string]any); session["current"] == true {
			return session["id"].(string)
		}
	}
	t.Fatal("no sign-in is the current one")
	return ""
}
