package accounts_test

import (
	"net/url"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

var mailToken = regexp.MustCompile(`\b[0-9a-f]{64}\b`)

// mailTo waits for mail to the address, and returns the newest as an admin sees it.
func mailTo(t *testing.T, s *trial.Service, admin []string, address string) string {
	t.Helper()
	for {
		all := s.Ask(t, "GET", "/api/v1/emails?recipient="+url.QueryEscape(address), "", admin...).Want(t, 200).Body["data"].([]any)
		if len(all) > 0 {
			return all[0].(map[string]any)["text"].(string)
		}
		if t.Context().Err() != nil {
			t.Fatalf("no mail to %s", address)
		}
		runtime.Gosched()
	}
}

// An address is changed in one process, and taken back in another.
func TestAnAddressIsTakenBackInAnotherProcess(t *testing.T) {
	t.Parallel()
	for name, database := range map[string]string{
		"sqlite":   migratetest.Schema(t).SQLiteURL(t),
		"postgres": migratetest.Schema(t).PostgresURL(t),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shared := []string{"ENTWINE_DATABASE_URL=" + database, "ENTWINE_REDIS_URL=" + storetest.Redis(t).URL, "ENTWINE_ADMIN_PASSWORD=" + trial.AdminPassword}
			dir := t.TempDir() // with the keys of tokens
			one, other := trial.StartIn(t, dir, shared...), trial.StartIn(t, dir, shared...)
			thief := one.SignUp(t)
			me := one.Ask(t, "GET", "/api/v1/auth/me", "", thief...).Want(t, 200)
			id := regexp.MustCompile(`"id":(\d+)`).FindStringSubmatch(me.Text)[1]
			one.Ask(t, "PATCH", "/api/v1/users/"+id, `{"email":"eve@example.com"}`, thief...).Want(t, 200)
			token := mailToken.FindString(mailTo(t, one, []string{"Authorization", "Bearer " + one.SignIn(t)}, "ada@example.com"))
			other.Ask(t, "GET", "/api/v1/auth/me", "", thief...).Want(t, 200)
			other.Ask(t, "POST", "/api/v1/auth/take-back-email", `{"token":"`+token+`","newPassword":"battery staple 2"}`).Want(t, 200)
			other.Ask(t, "GET", "/api/v1/auth/me", "", thief...).Want(t, 401)
			for one.Ask(t, "GET", "/api/v1/auth/me", "", thief...).Status != 401 {
				runtime.Gosched() // it hears of it on another connection
			}
			one.Ask(t, "POST", "/api/v1/auth/take-back-email", `{"token":"`+token+`"}`).Want(t, 400)
			one.Ask(t, "POST", "/api/v1/auth/login", `{"email":"ada@example.com","password":"battery staple 2"}`).Want(t, 200)
		})
	}
}

// In production the mailbox holds no token: an admin who reads it gets into
// no other user's account.
func TestTheMailboxOfProductionHoldsNoToken(t *testing.T) {
	t.Parallel()
	trial.EachProduction(t, func(t *testing.T, database string) {
		dir := t.TempDir()
		if err := os.Chmod(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		s, _ := trial.StartProduction(t, dir, append(trial.Productive(database), "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword)...)
		s.SignUp(t)
		s.Ask(t, "POST", "/api/v1/auth/forgot-password", `{"email":"ada@example.com"}`).Want(t, 200)
		text := mailTo(t, s, []string{"Authorization", "Bearer " + s.SignIn(t)}, "ada@example.com")
		if mailToken.MatchString(text) || !strings.Contains(text, "[redacted]") || strings.Contains(text, "Lovelace") {
			t.Errorf("the mailbox has %s", text)
		}
	})
}
