package main_test

import (
	"net/url"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

var mailToken = regexp.MustCompile(`\b[0-9a-f]{64}\b`)

// mailTo waits for mail to the address, and returns the newest as an admin sees it.
func (s *service) mailTo(t *testing.T, admin []string, address string) string {
	t.Helper()
	for {
		all := s.ask(t, "GET", "/api/v1/emails?recipient="+url.QueryEscape(address), "", admin...).want(t, 200).body["data"].([]any)
		if len(all) > 0 {
			return all[0].(map[string]any)["text"].(string)
		}
		if t.Context().Err() != nil {
			t.Fatalf("no mail to %s", address)
		}
		runtime.Gosched()
	}
}

const operatorsPassword = "admin horse 1"

func (s *service) admin(t *testing.T) []string {
	t.Helper()
	in := s.ask(t, "POST", "/api/v1/auth/login", `{"email":"admin@example.com","password":"`+operatorsPassword+`"}`).want(t, 200)
	return []string{"Authorization", "Bearer " + in.body["token"].(string)}
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
			shared := []string{"ENTWINE_DATABASE_URL=" + database, "ENTWINE_REDIS_URL=" + storetest.Redis(t).URL, "ENTWINE_ADMIN_PASSWORD=" + operatorsPassword}
			dir := t.TempDir() // with the keys of tokens
			one, other := startIn(t, dir, shared...), startIn(t, dir, shared...)
			thief := one.signUp(t)
			me := one.ask(t, "GET", "/api/v1/auth/me", "", thief...).want(t, 200)
			id := regexp.MustCompile(`"id":(\d+)`).FindStringSubmatch(me.text)[1]
			one.ask(t, "PATCH", "/api/v1/users/"+id, `{"email":"eve@example.com"}`, thief...).want(t, 200)
			token := mailToken.FindString(one.mailTo(t, one.admin(t), "ada@example.com"))
			other.ask(t, "GET", "/api/v1/auth/me", "", thief...).want(t, 200)
			other.ask(t, "POST", "/api/v1/auth/take-back-email", `{"token":"`+token+`","newPassword":"battery staple 2"}`).want(t, 200)
			other.ask(t, "GET", "/api/v1/auth/me", "", thief...).want(t, 401)
			for one.ask(t, "GET", "/api/v1/auth/me", "", thief...).status != 401 {
				runtime.Gosched() // it hears of it on another connection
			}
			one.ask(t, "POST", "/api/v1/auth/take-back-email", `{"token":"`+token+`"}`).want(t, 400)
			one.ask(t, "POST", "/api/v1/auth/login", `{"email":"ada@example.com","password":"battery staple 2"}`).want(t, 200)
		})
	}
}

// In production the mailbox holds no token: an admin who reads it gets into
// no other user's account.
func TestTheMailboxOfProductionHoldsNoToken(t *testing.T) {
	t.Parallel()
	eachProduction(t, func(t *testing.T, database string) {
		dir := t.TempDir()
		if err := os.Chmod(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		s, _ := startProduction(t, dir, append(productive(database), "ENTWINE_ADMIN_PASSWORD="+operatorsPassword)...)
		s.signUp(t)
		s.ask(t, "POST", "/api/v1/auth/forgot-password", `{"email":"ada@example.com"}`).want(t, 200)
		text := s.mailTo(t, s.admin(t), "ada@example.com")
		if mailToken.MatchString(text) || !strings.Contains(text, "[redacted]") || strings.Contains(text, "Lovelace") {
			t.Errorf("the mailbox has %s", text)
		}
	})
}
