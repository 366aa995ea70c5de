// Package idptest is an identity provider for tests, which can be made to misbehave
// in one way at a time.
package idptest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// The registration of the service under test.
const (
	ClientID     = "entwine"
	ClientSecret = "client secret"
)

// Provider is an identity provider in which one person is signed in: every
// browser is redirected back at once.
type Provider struct {
	*httptest.Server

	// Claims changes what the identity token says.
	Claims func(jwt.MapClaims)
	// Sign signs the identity token in place of the provider's own key.
	Sign func(jwt.MapClaims) string
	// Metadata changes what the provider publishes about itself.
	Metadata func(map[string]any)
	// UserInfo changes what the provider says when it is asked about the person.
	UserInfo func(map[string]any)
	// Serve answers in place of the provider, if it returns true.
	Serve func(w http.ResponseWriter, r *http.Request) bool

	key   *ecdsa.PrivateKey
	mu    sync.Mutex
	codes map[string]url.Values // what each code was issued for
}

// New starts a provider that stops with the test.
func New(t *testing.T) *Provider {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	p := &Provider{key: key, codes: make(map[string]url.Values)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", p.configuration)
	mux.HandleFunc("GET /keys", p.keys)
	mux.HandleFunc("GET /authorize", p.authorize)
	mux.HandleFunc("POST /token", p.token)
	mux.HandleFunc("GET /userinfo", p.userInfo)
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.Serve == nil || !p.Serve(w, r) {
			mux.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(p.Close)
	return p
}

// PublicKey is the provider's key as the HMAC secret of an algorithm-confusion attack.
func (p *Provider) PublicKey() []byte {
	bytes, _ := p.key.PublicKey.Bytes() // of P-256, which has them
	return bytes
}

func (p *Provider) configuration(w http.ResponseWriter, _ *http.Request) {
	m := map[string]any{
		"issuer":                                p.URL,
		"authorization_endpoint":                p.URL + "/authorize",
		"token_endpoint":                        p.URL + "/token",
		"jwks_uri":                              p.URL + "/keys",
		"userinfo_endpoint":                     p.URL + "/userinfo",
		"id_token_signing_alg_values_supported": []string{"ES256", "HS256", "none"},
		"authorization_response_iss_parameter_supported": true,
	}
	if p.Metadata != nil {
		p.Metadata(m)
	}
	answer(w, m)
}

func (p *Provider) keys(w http.ResponseWriter, _ *http.Request) {
	point := p.PublicKey()
	answer(w, map[string]any{"keys": []any{map[string]any{
		"kty": "EC", "crv": "P-256", "kid": "1", "use": "sig", "alg": "ES256",
		"x": base64.RawURLEncoding.EncodeToString(point[1:33]), "y": base64.RawURLEncoding.EncodeToString(point[33:]),
	}}})
}

// authorize sends the browser back with a code.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	code := rand.Text()
	p.mu.Lock()
	p.codes[code] = q
	p.mu.Unlock()
	back := url.Values{"code": {code}, "state": {q.Get("state")}, "iss": {p.URL}}
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

// token exchanges a code, once, if the PKCE verifier is right.
func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	begun, ok := p.codes[r.FormValue("code")]
	delete(p.codes, r.FormValue("code"))
	p.mu.Unlock()
	sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	id, secret, _ := r.BasicAuth()
	secret, _ = url.QueryUnescape(secret)
	if !ok || id != ClientID || secret != ClientSecret ||
		begun.Get("code_challenge") != base64.RawURLEncoding.EncodeToString(sum[:]) || begun.Get("code_challenge_method") != "S256" {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		answer(w, map[string]any{"error": "invalid_grant"})
		return
	}
	claims := jwt.MapClaims{
		"iss": p.URL, "aud": ClientID, "sub": "ada-1", "nonce": begun.Get("nonce"),
		"iat": time.Now().Unix(), "exp": time.Now().Add(time.Minute).Unix(),
	}
	if p.Claims != nil {
		p.Claims(claims)
	}
	sign := p.SignWithItsKey
	if p.Sign != nil {
		sign = p.Sign
	}
	answer(w, map[string]any{"access_token": "access", "token_type": "Bearer", "id_token": sign(claims)})
}

// SignWithItsKey signs an identity token as the provider does.
func (p *Provider) SignWithItsKey(claims jwt.MapClaims) string { return p.SignWith(nil, claims) }

// SignWith signs an identity token as the provider does, with more in its header.
func (p *Provider) SignWith(header map[string]any, claims jwt.MapClaims) string {
	token := jwt.NewWithClaims(jwt.SigningMethodES256, claims)
	token.Header["kid"] = "1"
	maps.Copy(token.Header, header)
	text, err := token.SignedString(p.key)
	if err != nil {
		panic(err)
	}
	return text
}

func (p *Provider) userInfo(w http.ResponseWriter, _ *http.Request) {
	info := map[string]any{"sub": "ada-1", "name": "Ada Lovelace", "email": "ada@example.com", "email_verified": true}
	if p.UserInfo != nil {
		p.UserInfo(info)
	}
	answer(w, info)
}

func answer(w http.ResponseWriter, body any) {
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "application/json")
	}
	_ = json.NewEncoder(w).Encode(body)
}
