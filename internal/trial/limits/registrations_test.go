package limits_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

// TestRegistrationsOfANetworkAreBounded sends them through a proxy that is
// believed, from several networks and to both APIs.
func TestRegistrationsOfANetworkAreBounded(t *testing.T) {
	t.Parallel()
	s := trial.Start(t, "ENTWINE_REGISTRATION_LIMIT=", "ENTWINE_TRUSTED_PROXIES=127.0.0.1")
	register := func(n int, from string) trial.Reply {
		if n%2 == 0 {
			query := fmt.Sprintf(`{"query":"mutation { register(name: \"Ada\", email: \"n%d@example.com\", password: \"correct horse 1\") { user { id } } }"}`, n)
			return s.Ask(t, "POST", "/graphql", query, "X-Forwarded-For", from)
		}
		body := fmt.Sprintf(`{"name":"Ada","email":"n%d@example.com","password":"correct horse 1"}`, n)
		return s.Ask(t, "POST", "/api/v1/auth/register", body, "X-Forwarded-For", from)
	}
	const bad = `{"name":"Ada","email":"ada","password":"short"}`
	s.Ask(t, "POST", "/api/v1/auth/register", bad, "X-Forwarded-For", "2001:db8::1").Want(t, 422)
	for n := range 20 {
		if a := register(n, fmt.Sprintf("2001:db8::%x", n+1)); a.Status/100 != 2 || a.Body["errors"] != nil {
			t.Fatalf("registration %d is answered %d: %s", n+1, a.Status, a.Text)
		}
	}
	over := register(21, "2001:db8::ffff").Want(t, 429, `"RATE_LIMIT_EXCEEDED"`, "20 in 1h0m0s are allowed")
	// A sliding window lets the first one in when a twentieth of the next hour is over.
	if wait, err := strconv.Atoi(over.Header.Get("Retry-After")); err != nil || wait < 1 || wait > 3600+3600/20 {
		t.Errorf("Retry-After is %q", over.Header.Get("Retry-After"))
	}
	register(22, "2001:db8::ffff").Want(t, 200, `"RATE_LIMIT_EXCEEDED"`)
	register(23, "2001:db8:0:1::1").Want(t, 201)
	register(25, "198.51.100.1").Want(t, 201)
	s.Ask(t, "POST", "/api/v1/auth/login", `{"email":"n1@example.com","password":"correct horse 1"}`, "X-Forwarded-For", "2001:db8::1").Want(t, 200)
}

// A /48 has as many networks as a client likes, and ten networks' registrations.
func TestRegistrationsOfASiteAreBounded(t *testing.T) {
	eachCrowd(t, func(t *testing.T, crowd []*trial.Service) {
		register := func(n int, from string) trial.Reply {
			body := fmt.Sprintf(`{"name":"Ada","email":"s%d@example.com","password":"correct horse 1"}`, n)
			return crowd[0].Ask(t, "POST", fmt.Sprintf("/api/v%d/auth/register", 1+n%2), body, "X-Forwarded-For", from)
		}
		for n := range 20 {
			register(n, fmt.Sprintf("2001:db8:1:%x::1", n)).Want(t, 201)
		}
		over := register(20, "2001:db8:1:ffff::1").Want(t, 429, `"RATE_LIMIT_EXCEEDED"`, "20 in 1h0m0s are allowed")
		if wait, err := strconv.Atoi(over.Header.Get("Retry-After")); err != nil || wait < 1 {
			t.Errorf("Retry-After is %q", over.Header.Get("Retry-After"))
		}
		register(21, "2001:db8:2:1::1").Want(t, 201)
	}, "ENTWINE_REGISTRATION_LIMIT=2/1h")
}
