package apis_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/idp"
	"github.com/entwine-go/entwine/kit/idp/idptest"
)

// atOnce has fifty guests do the same at the same moment, and returns how
// often each word was the outcome.
func (f *front) atOnce(do func(g *guest, i int) string) map[string]int {
	const many = 50
	begin, done := make(chan struct{}), make(chan string, many)
	for i := range many {
		g := f.guest()
		go func() {
			<-begin
			done <- do(g, i)
		}()
	}
	close(begin)
	outcomes := map[string]int{}
	for range many {
		outcomes[<-done]++
	}
	return outcomes
}

// once fails the test unless one was let in, and the others were refused with
// one of the words.
func (f *front) once(what string, outcomes map[string]int, others ...string) {
	f.Helper()
	for word, n := range outcomes {
		if word == "in" && n != 1 || word != "in" && !slices.Contains(others, word) {
			f.Errorf("%s, fifty at once: %v, want one in and the others %v", what, outcomes, others)
			return
		}
	}
	if outcomes["in"] == 0 {
		f.Errorf("%s, fifty at once: %v", what, outcomes)
	}
}

// outcome is "in" for an answer with the text, else its status or code.
func (a *answered) outcome(text string) string {
	if strings.Contains(a.text, text) {
		return "in"
	}
	if errors, ok := a.body["errors"].([]any); ok {
		return fmt.Sprint(errors[0].(map[string]any)["extensions"].(map[string]any)["status"])
	}
	return fmt.Sprint(a.status)
}

// Half of the guests of each race come through REST, half through GraphQL.

func TestOneOfFiftyHasTheCode(t *testing.T) {
	eachFront(t, func(f *front) {
		code, recovery := f.signUp().secondFactor()
		for _, proves := range []struct {
			what string
			code func() string
		}{
			{"a one-time code", code}, {"a recovery code", func() string { return recovery[0] }},
		} {
			proof := proves.code() // of now: time passes between the races
			f.once(proves.what, f.atOnce(func(g *guest, i int) string {
				if i%2 == 0 {
					return g.login("totpToken", proof).outcome(`"accessToken":"`)
				}
				return g.graphqlLogin("mode: bearer", "totpToken", proof).outcome(`"accessToken":"`)
			}), "401", "429", "503")
			f.pass(account.SessionLife) // the failures are forgotten
		}
	})
}

func TestOneOfFiftySetsThePassword(t *testing.T) {
	eachFront(t, func(f *front) {
		f.signUp()
		token := f.resetToken()
		f.once("a reset token", f.atOnce(func(g *guest, i int) string {
			password := fmt.Sprintf("battery staple %d", i)
			if i%2 == 0 {
				return g.post("reset-password", "token", token, "newPassword", password).outcome(`"status":"success"`)
			}
			return g.graphql(`mutation($t: String!, $p: String!) { resetPassword(token: $t, newPassword: $p) }`, "t", token, "p", password).outcome(`{"resetPassword":true}`)
		}), "400", "503")
	})
}

func TestOneOfFiftyHasTheAddress(t *testing.T) {
	eachFront(t, func(f *front) {
		f.once("an e-mail address", f.atOnce(func(g *guest, i int) string {
			email := []string{"ada@example.com", "Ada@Example.com"}[i%2]
			if i%4 < 2 {
				return g.post("register", "name", "Ada Lovelace", "email", email, "password", adasPassword).outcome(`"token":"`)
			}
			return g.graphql(`mutation($e: String!, $p: String!) { register(name: "Ada Lovelace", email: $e, password: $p) { accessToken } }`, "e", email, "p", adasPassword).outcome(`"accessToken":"`)
		}), "409", "503")
	})
}

func TestOneHeadForFiftyRefreshes(t *testing.T) {
	eachFront(t, func(f *front) {
		f.signUp()
		g := f.guest()
		token := g.graphqlLogin("withRefreshToken: true").at("data", "login", "refreshToken")
		heads := f.atOnce(func(g *guest, i int) string {
			if i%2 == 0 {
				g.ask("POST", "/api/v1/auth/refresh", "", "Cookie", "refreshToken="+token)
				return g.cookie("/api", "refreshToken")
			}
			return g.graphql(refreshOperation, "refreshToken", token).at("data", "refresh", "refreshToken")
		})
		if len(heads) != 1 || heads[""] > 0 {
			t.Fatalf("%d heads: %v", len(heads), slices.Collect(maps.Values(heads)))
		}
		for head := range heads {
			g.graphql(refreshOperation, "refreshToken", head).want(200, `"accessToken":"`)
		}
		g.graphql(refreshOperation, "refreshToken", token).want(200, `"UNAUTHENTICATED"`) // which ends the family
	})
}

func TestOneOfFiftyUsesAStateAndAHandoff(t *testing.T) {
	eachFront(t, func(f *front) {
		provider := idptest.New(t)
		f.accounts.Federator = &account.Federator{
			DB: f.db, Vault: f.accounts.Gate.Vault, Factor: f.accounts.Factor, Gate: f.accounts.Gate, Registrar: f.accounts.Registrar, Now: f.now, FrontEnds: []string{frontEnd}, ByCode: true,
			Provider: &idp.Provider{
				Issuer: provider.URL, ClientID: idptest.ClientID, ClientSecret: idptest.ClientSecret, RedirectURL: "https://api.example.com/api/v1/auth/idp/callback",
			},
		}
		out := f.guest()
		leave := out.ask("GET", "/api/v1/auth/idp", "").want(302).header.Get("Location")
		browser := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, leave, nil)
		if err != nil {
			t.Fatal(err)
		}
		back, err := browser.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer back.Body.Close()
		callback := strings.TrimPrefix(back.Header.Get("Location"), "https://api.example.com")
		codes := make(chan string, 50)
		f.once("a state", f.atOnce(func(g *guest, _ int) string {
			to := g.ask("GET", callback, "", "Cookie", "idp="+out.cookie("/api", "idp")).header.Get("Location")
			if _, code, ok := strings.Cut(to, "?code="); ok {
				codes <- code
				return "in"
			}
			_, word, _ := strings.Cut(to, "?error=")
			word, _, _ = strings.Cut(word, "&")
			return word
		}), "access_denied")
		code := <-codes
		f.once("a handoff", f.atOnce(func(g *guest, i int) string {
			if i%2 == 0 {
				return g.post("idp/exchange", "code", code).outcome(`"accessToken":"`)
			}
			return g.graphql(`mutation($c: String!) { exchangeExternalLogin(code: $c) { accessToken } }`, "c", code).outcome(`"accessToken":"`)
		}), "400")
	})
}
