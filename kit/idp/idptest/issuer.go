package idptest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/golang-jwt/jwt/v5"
)

// Audience is the audience of an [Issuer]'s tokens.
const Audience = "notes"

// Issuer issues access tokens, and publishes its keys over HTTP at /keys.
type Issuer struct {
	*httptest.Server

	t       testing.TB
	mu      sync.Mutex
	keys    []key
	down    bool
	fetched int
}

type key struct {
	id      string
	method  jwt.SigningMethod
	private crypto.Signer
}

// NewIssuer starts an issuer without keys that stops with the test.
func NewIssuer(t testing.TB) *Issuer {
	t.Helper()
	i := &Issuer{t: t}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /keys", i.publish)
	i.Server = httptest.NewServer(mux)
	t.Cleanup(i.Close)
	return i
}

// Add has the issuer publish a new key with the id: for RS256, ES256 or EdDSA.
func (i *Issuer) Add(id, algorithm string) {
	i.t.Helper()
	k := key{id: id, method: jwt.GetSigningMethod(algorithm)}
	var err error
	switch algorithm {
	case "RS256":
		k.private, err = rsa.GenerateKey(rand.Reader, 2048)
	case "ES256":
		k.private, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	default:
		_, k.private, err = ed25519.GenerateKey(rand.Reader)
	}
	if err != nil {
		i.t.Fatal(err)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys = append(i.keys, k)
}

// Withdraw has the issuer publish only the keys after the first n.
func (i *Issuer) Withdraw(n int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys = i.keys[n:]
}

// Fail has the issuer answer nothing but errors from now on, or no longer.
func (i *Issuer) Fail(down bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.down = down
}

// Fetched is how often the keys were asked for.
func (i *Issuer) Fetched() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.fetched
}

func (i *Issuer) publish(w http.ResponseWriter, _ *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.fetched++
	if i.down {
		http.Error(w, "down", http.StatusBadGateway)
		return
	}
	all := []any{map[string]any{"kty": "of tomorrow", "kid": "x"}}
	for _, k := range i.keys {
		all = append(all, jose.JSONWebKey{Key: k.private.Public(), KeyID: k.id, Algorithm: k.method.Alg(), Use: "sig"})
	}
	answer(w, map[string]any{"keys": all})
}

// Sign returns a token that the key with the id has signed: from the issuer, for
// [Audience], good for a minute, unless the claims say something else.
func (i *Issuer) Sign(id string, claims jwt.MapClaims) string {
	i.t.Helper()
	return i.SignWith(id, nil, claims)
}

// SignWith is Sign with more in the token's header.
func (i *Issuer) SignWith(id string, header map[string]any, claims jwt.MapClaims) string {
	i.t.Helper()
	all := jwt.MapClaims{"iss": i.URL, "aud": Audience, "sub": "ada-1", "exp": time.Now().Add(time.Minute).Unix()}
	maps.Copy(all, claims)
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, k := range i.keys {
		if k.id == id {
			token := jwt.NewWithClaims(k.method, all)
			token.Header["kid"] = id
			maps.Copy(token.Header, header)
			text, err := token.SignedString(k.private)
			if err != nil {
				i.t.Fatal(err)
			}
			return text
		}
	}
	i.t.Fatalf("the issuer has no key %s", id)
	return ""
}
