package limits_test

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// eachCrowd runs a test on both databases, with two processes on PostgreSQL. Clients say
// where they are.
func eachCrowd(t *testing.T, test func(t *testing.T, crowd []*trial.Service), more ...string) {
	t.Helper()
	t.Parallel()
	for name, database := range map[string]string{
		"sqlite": migratetest.Schema(t).SQLiteURL(t), "postgres": migratetest.Schema(t).PostgresURL(t),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, settings := t.TempDir(), append([]string{"ENTWINE_DATABASE_URL=" + database, "ENTWINE_TRUSTED_PROXIES=127.0.0.0/8"}, more...)
			crowd := []*trial.Service{trial.StartIn(t, dir, settings...)}
			if name == "postgres" {
				crowd = append(crowd, trial.StartIn(t, dir, settings...))
			}
			test(t, crowd)
		})
	}
}

// signInAs tries to sign in, through another API each time, and returns the status and
// the answer.
func signInAs(t *testing.T, s *trial.Service, door int, email, password, from string, headers ...string) (int, trial.Reply) {
	t.Helper()
	headers = append(headers, "X-Forwarded-For", from)
	if door%3 == 2 {
		query := `{"query":"mutation { login(email: \"` + email + `\", password: \"` + password + `\") { accessToken } }"}`
		a := s.Ask(t, "POST", "/graphql", query, headers...)
		if a.Body["errors"] == nil {
			return a.Status, a
		}
		extensions := a.Body["errors"].([]any)[0].(map[string]any)["extensions"].(map[string]any)
		return int(extensions["status"].(float64)), a
	}
	path := []string{"/api/v1/auth/login?mode=session", "/api/v2/auth/login"}[door%3]
	a := s.Ask(t, "POST", path, `{"email":"`+email+`","password":"`+password+`"}`, headers...)
	if a.Status == 429 {
		if after, err := strconv.Atoi(a.Header.Get("Retry-After")); err != nil || after < 1 {
			t.Errorf("Retry-After is %q", a.Header.Get("Retry-After"))
		}
	}
	return a.Status, a
}

// guess has so many guesses fail.
func guess(t *testing.T, crowd []*trial.Service, n int, email, from func(i int) string) {
	t.Helper()
	for i := range n {
		if status, a := signInAs(t, crowd[i%len(crowd)], i, email(i), "wrong horse 1", from(i)); status != 401 {
			t.Fatalf("guess %d at %s from %s: %d %s", i, email(i), from(i), status, a.Text)
		}
	}
}

// everyDoor signs Ada in through each API.
func everyDoor(t *testing.T, crowd []*trial.Service, want int, from string, headers ...string) {
	t.Helper()
	for door := range 3 {
		if status, a := signInAs(t, crowd[door%len(crowd)], door, "ada@example.com", "correct horse 1", from, headers...); status != want {
			t.Errorf("from %s by door %d: %d %s, want %d", from, door, status, a.Text, want)
		}
	}
}

func at(format string) func(i int) string {
	return func(i int) string { return fmt.Sprintf(format, i) }
}

func always(text string) func(int) string { return func(int) string { return text } }

// Wrong guesses block the guessed accounts for sign-in from the same network only. A client with a network of IPv6 has as many addresses as they like.
func TestGuessesFromANetwork(t *testing.T) {
	eachCrowd(t, func(t *testing.T, crowd []*trial.Service) {
		crowd[0].SignUp(t)
		guess(t, crowd, 5, always("bob@example.com"), at("2001:db8::%x"))
		if status, a := signInAs(t, crowd[0], 0, "bob@example.com", "wrong horse 1", "2001:db8::ffff"); status != 429 {
			t.Errorf("the sixth guess from a /64: %d %s", status, a.Text)
		}
		guess(t, crowd, 50, at("a%d@example.com"), always("192.0.2.1"))
		if status, a := signInAs(t, crowd[0], 0, "a7@example.com", "wrong horse 1", "192.0.2.1"); status != 429 {
			t.Errorf("a second guess from the network: %d %s", status, a.Text)
		}
		everyDoor(t, crowd, 200, "192.0.2.1")
		guess(t, crowd, 200, at("b%d@example.com"), func(i int) string { return fmt.Sprintf("2001:db8:1:%x::1", i/50) })
		if status, a := signInAs(t, crowd[0], 0, "b7@example.com", "wrong horse 1", "2001:db8:1:9::1"); status != 429 {
			t.Errorf("a second guess from the /48: %d %s", status, a.Text)
		}
		everyDoor(t, crowd, 200, "2001:db8:1:9::1")
		everyDoor(t, crowd, 200, "198.51.100.1")
	})
}

// Guesses at an account from many networks slow down whom it does not know, and not a
// browser that has signed in to it before.
func TestADeviceIsNotKeptOut(t *testing.T) {
	eachCrowd(t, func(t *testing.T, crowd []*trial.Service) {
		in := crowd[0].SignUp(t)
		_, first := signInAs(t, crowd[0], 0, "ada@example.com", "correct horse 1", "203.0.113.1")
		device := deviceOf(t, first)
		guess(t, crowd, 50, always("ada@example.com"), at("198.51.100.%d"))
		everyDoor(t, crowd, 429, "203.0.113.1")
		everyDoor(t, crowd, 429, "203.0.113.1", "Cookie", "__Host-device=x"+device[1:])
		known := []string{"Cookie", "__Host-device=" + device}
		everyDoor(t, crowd, 200, "203.0.113.1", known...)
		everyDoor(t, crowd, 200, "198.51.100.7", known...)
		for door := range 3 {
			_, again := signInAs(t, crowd[0], door, "ada@example.com", "correct horse 1", "203.0.113.1", known...)
			if next := deviceOf(t, again); next[:26] != device[:26] {
				t.Errorf("the device gets another id: %s, %s", device, next)
			}
		}
		crowd[0].Ask(t, "GET", "/api/v1/auth/me", "", known...).Want(t, 401) // it is no credential
		change := `{"oldPassword":"correct horse 1","newPassword":"correct horse 2"}`
		crowd[0].Ask(t, "POST", "/api/v1/auth/change-password", change, append(in, "X-Forwarded-For", "203.0.113.1")...).Want(t, 429)
		headers := append(append([]string{"X-Forwarded-For", "203.0.113.1"}, in...), known...)
		crowd[0].Ask(t, "POST", "/api/v1/auth/change-password", change, headers...).Want(t, 200)
		for i := range 5 {
			if status, a := signInAs(t, crowd[i%len(crowd)], i, "ada@example.com", "wrong horse 1", fmt.Sprintf("203.0.113.%d", i), known...); status != 401 {
				t.Errorf("failure %d of the device: %d %s", i, status, a.Text)
			}
		}
		everyDoor(t, crowd, 429, "203.0.113.99", known...)
	})
}

// deviceOf returns what a sign-in has the browser keep.
func deviceOf(t *testing.T, a trial.Reply) string {
	t.Helper()
	for _, cookie := range (&http.Response{Header: a.Header}).Cookies() {
		if cookie.Name == "__Host-device" {
			if !cookie.HttpOnly || !cookie.Secure || cookie.SameSite != http.SameSiteStrictMode || cookie.Path != "/" || cookie.Domain != "" || cookie.MaxAge < 360*86400 {
				t.Errorf("the cookie is %s", cookie)
			}
			return cookie.Value
		}
	}
	t.Fatalf("a sign-in gives no device: %s", a.Text)
	return ""
}
