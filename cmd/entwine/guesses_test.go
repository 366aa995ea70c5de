package main_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// A caller with a network of IPv6 has as many addresses as they like.
func TestGuessesFromANetwork(t *testing.T) {
	t.Parallel()
	for name, database := range map[string]string{
		"sqlite": storetest.Schema{}.SQLiteURL(t), "postgres": storetest.Schema{}.PostgresURL(t),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, "ENTWINE_DATABASE_URL="+database, "ENTWINE_TRUSTED_PROXIES=127.0.0.0/8")
			s.signUp(t)
			for _, c := range []struct {
				name           string
				guesses, want  int
				email, address func(i int) string
			}{
				{
					"of one account from a /64", 60, 5,
					func(int) string { return "ada@example.com" }, func(i int) string { return fmt.Sprintf("2001:db8::%x", i+1) },
				},
				{
					"of many accounts from an address", 60, 50,
					func(i int) string { return fmt.Sprintf("user%d@example.com", i) }, func(int) string { return "192.0.2.1" },
				},
			} {
				judged := 0
				for i := range c.guesses {
					var a reply
					var status int
					from := []string{"X-Forwarded-For", c.address(i)}
					if i%2 == 0 {
						a = s.ask(t, "POST", "/api/v1/auth/login", `{"email":"`+c.email(i)+`","password":"wrong horse 1"}`, from...)
						status = a.status
					} else {
						a = s.ask(t, "POST", "/graphql", `{"query":"mutation { login(email: \"`+c.email(i)+`\", password: \"wrong horse 1\") { accessToken } }"}`, from...)
						status = int(a.body["errors"].([]any)[0].(map[string]any)["extensions"].(map[string]any)["status"].(float64))
					}
					switch {
					case status == 401:
						judged++
					case status != 429:
						t.Errorf("guess %d %s: %d %s", i, c.name, status, a.text)
					case a.status == 429:
						if after, err := strconv.Atoi(a.header.Get("Retry-After")); err != nil || after < 1 {
							t.Errorf("guess %d %s: Retry-After %q", i, c.name, a.header.Get("Retry-After"))
						}
					}
				}
				if judged != c.want {
					t.Errorf("%d guesses %s were judged, want %d", judged, c.name, c.want)
				}
			}
			s.ask(t, "POST", "/api/v1/auth/login", adaLogin, "X-Forwarded-For", "198.51.100.1").want(t, 200)
		})
	}
}
