package main_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// Two processes share a database and a Redis. What ends in one ends there with
// the answer, and in the other when it hears of it.
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
			one, other := startIn(t, dir, shared...), startIn(t, dir, shared...)
			one.signUp(t)
			for end, status := range map[string]int{
				"POST /api/v1/auth/logout": 200, "DELETE /api/v1/auth/sessions/{sid}": 204, "DELETE /api/v1/auth/sessions": 204,
			} {
				in := one.ask(t, "POST", "/api/v1/auth/login", adaLogin).want(t, 200)
				token := []string{"Authorization", "Bearer " + in.body["token"].(string)}
				in = one.ask(t, "POST", "/api/v1/auth/login", adaLogin).want(t, 200)
				keeper := []string{"Authorization", "Bearer " + in.body["token"].(string)}
				for _, s := range []*service{one, other, one, other} {
					s.ask(t, "GET", "/api/v1/auth/me", "", token...).want(t, 200)
				}
				method, path, _ := strings.Cut(end, " ")
				ender := keeper
				switch {
				case method == "POST":
					ender = token
				case strings.HasSuffix(path, "{sid}"):
					path = strings.Replace(path, "{sid}", one.current(t, token), 1)
				}
				one.ask(t, method, path, "", ender...).want(t, status)
				// Not even a write is let in that follows the answer.
				one.ask(t, "POST", "/api/v1/posts", `{"title":"Too late","content":"x"}`, token...).want(t, 401)
				for other.ask(t, "GET", "/api/v1/auth/me", "", token...).status != 401 {
					runtime.Gosched() // it hears of it on another connection
				}
			}
		})
	}
}

// current returns the name of the sign-in that the token belongs to.
func (s *service) current(t *testing.T, token []string) string {
	t.Helper()
	for _, one := range s.ask(t, "GET", "/api/v1/auth/sessions", "", token...).want(t, 200).body["data"].([]any) {
		if session := one.(map[string]any); session["current"] == true {
			return session["id"].(string)
		}
	}
	t.Fatal("no sign-in is the current one")
	return ""
}
