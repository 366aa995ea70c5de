package accounts_test

import (
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/nodetest"
)

// person is a user with a browser.
type person struct {
	*testing.T
	browser http.Client
}

// goTo follows the address until it is at the front end, or at a page, and
// returns where it is and what is there.
func (p *person) goTo(address string) (*url.URL, string) {
	p.Helper()
	r, err := http.NewRequestWithContext(p.Context(), http.MethodGet, address, nil)
	if err != nil {
		p.Fatal(err)
	}
	return p.follow(r)
}

func (p *person) follow(r *http.Request) (*url.URL, string) {
	p.Helper()
	res, err := p.browser.Do(r)
	if err != nil {
		p.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		p.Fatal(err)
	}
	if to, err := res.Location(); err == nil { // the front end, which is not served
		return to, ""
	}
	if res.StatusCode != http.StatusOK {
		p.Fatalf("%s %s: %d %s", r.Method, r.URL, res.StatusCode, text)
	}
	return res.Request.URL, string(text)
}

var action = regexp.MustCompile(`<form[^>]* action="([^"]+)"`)

// submit fills in the page's form.
func (p *person) submit(at *url.URL, page string, values url.Values) (*url.URL, string) {
	p.Helper()
	found := action.FindStringSubmatch(page)
	if found == nil {
		p.Fatalf("there is no form at %s: %s", at, page)
	}
	to, err := at.Parse(found[1])
	if err != nil {
		p.Fatal(err)
	}
	r, err := http.NewRequestWithContext(p.Context(), http.MethodPost, to.String(), strings.NewReader(values.Encode()))
	if err != nil {
		p.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return p.follow(r)
}

// sit returns a user whose browser stops at the front end.
func sit(t *testing.T) *person {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &person{T: t, browser: http.Client{Jar: jar, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if r.URL.Host == "app.example.com" {
			return http.ErrUseLastResponse
		}
		return nil
	}}}
}

// federated starts the provider, and a service on a known port that is its client.
func federated(t *testing.T, settings ...string) *trial.Service {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	callback := "http://" + address + "/api/v1/auth/idp/callback"
	issuer := nodetest.Start(t, "testdata/oidc", "provider.mjs", "entwine", "the client's secret", callback)
	_ = l.Close()
	return trial.Start(t, append([]string{
		"ENTWINE_ADDR=" + address, "ENTWINE_OIDC_ISSUER=" + issuer, "ENTWINE_OIDC_CLIENT_ID=entwine", "ENTWINE_OIDC_CLIENT_SECRET=the client's secret",
		"ENTWINE_OIDC_REDIRECT_URL=" + callback, "ENTWINE_FRONTEND_URL=https://app.example.com/in",
	}, settings...)...)
}

// signIn goes through the provider's forms.
func (p *person) signIn(s *trial.Service, name string) url.Values {
	p.Helper()
	at, page := p.goTo(s.URL + "/api/v1/auth/idp")
	at, page = p.submit(at, page, url.Values{"prompt": {"login"}, "login": {name}, "password": {"any"}})
	at, _ = p.submit(at, page, url.Values{"prompt": {"consent"}})
	if at.Host != "app.example.com" || at.Path != "/in" {
		p.Fatalf("it ends at %s", at)
	}
	return at.Query()
}

func TestSigningInThroughARealProvider(t *testing.T) {
	t.Parallel()
	s := federated(t)
	me := func(token string) string {
		t.Helper()
		a := s.Ask(t, "GET", "/api/v1/auth/me", "", "Authorization", "Bearer "+token).Want(t, 200, `"email":"ada@example.com"`, `"name":"Ada Lovelace"`)
		return a.Text
	}
	ada := sit(t)
	first := me(ada.signIn(s, "ada").Get("token"))
	// The provider knows the browser, and asks nothing again.
	at, _ := ada.goTo(s.URL + "/api/v1/auth/idp")
	if again := me(at.Query().Get("token")); again != first {
		t.Errorf("the second time she is\n%s\nafter\n%s", again, first)
	}
	elsewhere := sit(t)
	at, page := elsewhere.goTo(s.URL + "/api/v1/auth/idp")
	at, _ = elsewhere.goTo(at.Scheme + "://" + at.Host + regexp.MustCompile(`href="[^"]*(/interaction/[^"]+/abort)"`).FindStringSubmatch(page)[1])
	if got := at.Query(); got.Get("error") != "access_denied" || got.Get("token") != "" {
		t.Errorf("who cancels ends at %s", at)
	}
}

func TestARealProviderAndAOneTimeCode(t *testing.T) {
	t.Parallel()
	s := federated(t, "ENTWINE_OIDC_HANDOFF=code")
	got := sit(t).signIn(s, "ada")
	if got.Has("token") || got.Get("code") == "" {
		t.Fatalf("the front end gets %v", got)
	}
	exchange := `{"code":"` + got.Get("code") + `"}`
	in := s.Ask(t, "POST", "/api/v1/auth/idp/exchange", exchange).Want(t, 200, `"expiresIn":900`)
	s.Ask(t, "GET", "/api/v1/auth/me", "", "Authorization", "Bearer "+in.Body["token"].(string)).Want(t, 200, `"email":"ada@example.com"`)
	s.Ask(t, "POST", "/api/v1/auth/idp/exchange", exchange).Want(t, 400)

	eve := sit(t).signIn(s, "eve")
	query := `{"query":"mutation { exchangeExternalLogin(code: \"` + eve.Get("code") + `\", withRefreshToken: true) { refreshToken user { email } } }"}`
	s.Ask(t, "POST", "/graphql", query).Want(t, 200, `"user":{"email":"eve@example.com"}`)
	s.Ask(t, "POST", "/graphql", query).Want(t, 200, `"code":"BAD_USER_INPUT"`)
}
