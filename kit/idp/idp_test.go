package idp_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/entwine-go/entwine/kit/idp"
	"github.com/entwine-go/entwine/kit/idp/idptest"
	"github.com/entwine-go/entwine/kit/problem"
)

const redirectURL = "https://api.example.com/api/v1/auth/idp/callback"

func client(p *idptest.Provider) *idp.Provider {
	return &idp.Provider{
		Issuer: p.URL, ClientID: idptest.ClientID, ClientSecret: idptest.ClientSecret,
		RedirectURL: redirectURL, Timeout: 300 * time.Millisecond,
	}
}

func TestThePersonWhoSignedInIsNamed(t *testing.T) {
	p := idptest.New(t)
	got, err := signIn(t, client(p), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := idp.Identity{Issuer: p.URL, Subject: "ada-1", Name: "Ada Lovelace", Email: "ada@example.com", EmailVerified: true}
	if *got != want {
		t.Errorf("Exchange = %+v, want %+v", *got, want)
	}
}

func TestWhatIsNotProvenIsRefused(t *testing.T) {
	foreign := idptest.New(t)
	for _, c := range []struct {
		name   string
		spoil  func(p *idptest.Provider)
		change func(s *step)
		want   problem.Kind
	}{
		{name: "the nonce is another one", spoil: func(p *idptest.Provider) {
			p.Claims = func(c jwt.MapClaims) { c["nonce"] = "another" }
		}},
		{name: "the nonce is missing", spoil: func(p *idptest.Provider) {
			p.Claims = func(c jwt.MapClaims) { delete(c, "nonce") }
		}},
		{name: "the verifier is another one", change: func(s *step) { s.verifier = strings.Repeat("x", 43) }},
		{name: "the code is used twice", change: func(s *step) { s.twice = true }},
		{name: "the code is made up", change: func(s *step) { s.back.Code = "made-up" }},
		{name: "the token is from another issuer", spoil: func(p *idptest.Provider) {
			p.Claims = func(c jwt.MapClaims) { c["iss"] = foreign.URL }
		}},
		{name: "the callback is from another issuer", change: func(s *step) { s.back.Issuer = foreign.URL }},
		{name: "the callback does not name its issuer though this one does", change: func(s *step) { s.back.Issuer = "" }},
		{name: "the token is for another audience", spoil: func(p *idptest.Provider) {
			p.Claims = func(c jwt.MapClaims) { c["aud"] = "another" }
		}},
		{name: "the token was issued to another party", spoil: func(p *idptest.Provider) {
			p.Claims = func(c jwt.MapClaims) {
				c["aud"] = []string{"another", idptest.ClientID}
				c["azp"] = "another"
			}
		}},
		{name: "the token has several audiences and names no party", spoil: func(p *idptest.Provider) {
			p.Claims = func(c jwt.MapClaims) { c["aud"] = []string{"another", idptest.ClientID} }
		}},
		{name: "the token has expired", spoil: func(p *idptest.Provider) {
			p.Claims = func(c jwt.MapClaims) { c["exp"] = time.Now().Add(-time.Minute).Unix() }
		}},
		{name: "the token never expires", spoil: func(p *idptest.Provider) {
			p.Claims = func(c jwt.MapClaims) { delete(c, "exp") }
		}},
		{name: "the token has no subject", spoil: func(p *idptest.Provider) {
			p.Claims = func(c jwt.MapClaims) { delete(c, "sub") }
		}},
		{name: "the algorithm is none", spoil: func(p *idptest.Provider) {
			p.Sign = sign(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType)
		}},
		{name: "the algorithm is HS256 with the client's secret", spoil: func(p *idptest.Provider) {
			p.Sign = sign(jwt.SigningMethodHS256, []byte(idptest.ClientSecret))
		}},
		{name: "the algorithm is HS256 with the public key", spoil: func(p *idptest.Provider) {
			p.Sign = sign(jwt.SigningMethodHS256, p.PublicKey())
		}},
		{name: "the token needs an extension that is known", spoil: func(p *idptest.Provider) {
			p.Sign = func(c jwt.MapClaims) string {
				return p.SignWith(map[string]any{"crit": []string{"b64"}, "b64": true}, c)
			}
		}},
		{name: "the token's list of extensions is empty", spoil: func(p *idptest.Provider) {
			p.Sign = func(c jwt.MapClaims) string { return p.SignWith(map[string]any{"crit": []string{}}, c) }
		}},
		{name: "the signature is another provider's", spoil: func(p *idptest.Provider) {
			p.Sign = foreign.SignWithItsKey
		}},
		{name: "the user info is about somebody else", spoil: func(p *idptest.Provider) {
			p.UserInfo = func(info map[string]any) { info["sub"] = "eve-1" }
		}},
		{name: "the provider is another one than its address says", want: problem.BadGateway, spoil: func(p *idptest.Provider) {
			p.Metadata = func(m map[string]any) { m["issuer"] = foreign.URL }
		}},
		{name: "the provider is slow", want: problem.GatewayTimeout, spoil: func(p *idptest.Provider) {
			p.Serve = func(_ http.ResponseWriter, r *http.Request) bool { <-r.Context().Done(); return true }
		}},
		{name: "the provider is slow to exchange", want: problem.GatewayTimeout, spoil: func(p *idptest.Provider) {
			p.Serve = at("/token", func(_ http.ResponseWriter, r *http.Request) { _ = r.ParseForm(); <-r.Context().Done() })
		}},
		{name: "the provider is slow to show its keys", want: problem.GatewayTimeout, spoil: func(p *idptest.Provider) {
			p.Serve = at("/keys", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		}},
		{name: "the provider's answer is huge", want: problem.BadGateway, spoil: func(p *idptest.Provider) {
			p.Serve = at("/token", func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write([]byte(`{"access_token":"`))
				for range 64 {
					_, _ = w.Write(make([]byte, 1<<16))
				}
			})
		}},
		{name: "the provider redirects", want: problem.BadGateway, spoil: func(p *idptest.Provider) {
			p.Serve = at("/.well-known/openid-configuration", func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, foreign.URL+r.URL.Path, http.StatusFound)
			})
		}},
		{name: "the provider redirects the exchange", want: problem.BadGateway, spoil: func(p *idptest.Provider) {
			p.Serve = at("/token", func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, foreign.URL+"/token", http.StatusTemporaryRedirect)
			})
		}},
		{name: "the provider fails", want: problem.BadGateway, spoil: func(p *idptest.Provider) {
			p.Serve = at("/token", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := idptest.New(t)
			if c.spoil != nil {
				c.spoil(p)
			}
			want := c.want
			if want == problem.Internal {
				want = problem.InvalidCredentials
			}
			got, err := signIn(t, client(p), c.change)
			if err == nil || problem.KindOf(err) != want {
				t.Fatalf("Exchange = %+v, %v (kind %v), want kind %v", got, err, problem.KindOf(err), want)
			}
			if len(err.Error()) > 1000 {
				t.Errorf("the error has %d characters", len(err.Error()))
			}
		})
	}
}

func TestAProviderThatWasAwayIsAskedAgain(t *testing.T) {
	p := idptest.New(t)
	away := true
	p.Serve = func(w http.ResponseWriter, _ *http.Request) bool {
		if away {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		return away
	}
	now := time.Now()
	c := client(p)
	c.Now = func() time.Time { return now }
	if _, err := c.AuthURL(t.Context(), "s", "n", "v"); problem.KindOf(err) != problem.BadGateway {
		t.Fatalf("AuthURL: %v", err)
	}
	away = false
	now = now.Add(time.Second)
	if _, err := c.AuthURL(t.Context(), "s", "n", "v"); err != nil {
		t.Fatal(err)
	}
	away = true
	now = now.Add(2 * time.Hour)
	if _, err := c.AuthURL(t.Context(), "s", "n", "v"); err != nil {
		t.Fatalf("what was known is forgotten: %v", err)
	}
	if err := c.Ready(t.Context()); err == nil {
		t.Error("a provider that is away is ready")
	}
	away = false
	if err := c.Ready(t.Context()); err != nil {
		t.Errorf("a provider that answers is not ready: %v", err)
	}
}

// step is an exchange that is tried.
type step struct {
	back     idp.Callback
	verifier string
	twice    bool
}

// signIn goes to the provider and comes back, with something changed on the way.
func signIn(t *testing.T, c *idp.Provider, change func(*step)) (*idp.Identity, error) {
	t.Helper()
	s := step{verifier: strings.Repeat("v", 43)}
	address, err := c.AuthURL(t.Context(), "the state", "the nonce", s.verifier)
	if err != nil {
		return nil, err
	}
	back := visit(t, address)
	if back.Get("state") != "the state" {
		t.Errorf("the state comes back as %q", back.Get("state"))
	}
	s.back = idp.Callback{Code: back.Get("code"), Issuer: back.Get("iss")}
	if change != nil {
		change(&s)
	}
	exchange := func(ctx context.Context) (*idp.Identity, error) {
		return c.Exchange(ctx, s.back, s.verifier, func(nonce string) bool { return nonce == "the nonce" })
	}
	if s.twice {
		if _, err := exchange(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return exchange(t.Context())
}

// visit returns the parameters with which the provider sends a browser back.
func visit(t *testing.T, address string) url.Values {
	t.Helper()
	browser := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := browser.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	to, err := response.Location()
	if err != nil || !strings.HasPrefix(to.String(), redirectURL+"?") {
		t.Fatalf("the provider sends to %v, %v", to, err)
	}
	return to.Query()
}

func at(path string, serve http.HandlerFunc) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != path {
			return false
		}
		serve(w, r)
		return true
	}
}

func sign(method jwt.SigningMethod, key any) func(jwt.MapClaims) string {
	return func(claims jwt.MapClaims) string {
		text, err := jwt.NewWithClaims(method, claims).SignedString(key)
		if err != nil {
			panic(err)
		}
		return text
	}
}
