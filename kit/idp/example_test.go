package idp_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"

	"github.com/entwine-go/entwine/kit/idp"
	"github.com/entwine-go/entwine/kit/problem"
)

// A provider of OpenID Connect is its issuer and what it knows this service by:
// all else is discovered there.
func ExampleProvider_AuthURL() {
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	defer server.Close()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"issuer":%q,"authorization_endpoint":%q,"token_endpoint":%q,"jwks_uri":%q,"id_token_signing_alg_values_supported":["RS256"]}`,
			server.URL, server.URL+"/authorize", server.URL+"/token", server.URL+"/keys")
	})
	p := &idp.Provider{Issuer: server.URL, ClientID: "notes", ClientSecret: "secret", RedirectURL: "https://notes.example.com/callback"}
	text, err := p.AuthURL(context.Background(), "state", "nonce", "a-verifier-of-at-least-forty-three-characters")
	if err != nil {
		panic(err)
	}
	u, err := url.Parse(text)
	fmt.Println(u.Path, u.Query().Get("client_id"), u.Query().Get("code_challenge_method"), err)
	// Output: /authorize notes S256 <nil>
}

// A provider that does not answer is an error that clients may read.
func ExampleProvider_Exchange() {
	p := &idp.Provider{Issuer: "http://127.0.0.1:1", ClientID: "notes", ClientSecret: "secret"}
	_, err := p.Exchange(context.Background(), idp.Callback{Code: "code"}, "verifier", func(string) bool { return true })
	fmt.Println(problem.KindOf(err) == problem.BadGateway)
	// Output: true
}
