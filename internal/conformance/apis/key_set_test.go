package apis_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/golang-jwt/jwt/v5"
)

// Another service verifies an access token with nothing but what is published.
func TestTheKeysArePublished(t *testing.T) {
	eachFront(t, func(f *front) {
		token := strings.TrimPrefix(f.signUp().header.Get("Authorization"), "Bearer ")
		answer := f.guest().ask("GET", "/.well-known/jwks.json", "", "Authorization", "Bearer nonsense").want(200)
		if h := answer.header; h.Get("Content-Type") != "application/jwk-set+json" || h.Get("Cache-Control") != "public, max-age=300" {
			t.Errorf("headers %v", h)
		}
		var set struct{ Keys []map[string]string }
		if err := json.Unmarshal([]byte(answer.text), &set); err != nil {
			t.Fatal(err)
		}
		claims := jwt.MapClaims{}
		_, err := jwt.ParseWithClaims(token, claims, func(token *jwt.Token) (any, error) {
			for _, key := range set.Keys {
				if key["kid"] == token.Header["kid"] && key["kty"] == "OKP" && key["crv"] == "Ed25519" && key["alg"] == token.Method.Alg() && key["use"] == "sig" {
					x, err := base64.RawURLEncoding.DecodeString(key["x"])
					return ed25519.PublicKey(x), err
				}
			}
			return nil, jwt.ErrTokenUnverifiable
		}, jwt.WithValidMethods([]string{"EdDSA"}), jwt.WithIssuer("https://api.example.com"), jwt.WithTimeFunc(f.now))
		if err != nil || claims["role"] != "user" {
			t.Errorf("claims %v, %v, by %s", claims, err, answer.text)
		}
		if strings.Contains(answer.text, `"d"`) {
			t.Errorf("a private key is published: %s", answer.text)
		}
		f.guest().ask("GET", "/.well-known/jwks.json", "", "If-None-Match", answer.header.Get("Etag")).want(304)
		f.guest().ask("POST", "/.well-known/jwks.json", "").want(405)
	})
}
