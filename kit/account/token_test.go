package account_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

const seed1, seed2 = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", "ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA="

func newIssuer(t *testing.T, seeds ...string) *account.Issuer {
	t.Helper()
	keys, err := account.NewKeys(seeds)
	if err != nil {
		t.Fatal(err)
	}
	return &account.Issuer{Keys: keys, Name: "https://api.example.com", Lifetime: 15 * time.Minute}
}

func TestATokenSaysWhoForAWhile(t *testing.T) {
	issuer := newIssuer(t, seed1)
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	issuer.Now = func() time.Time { return now }
	token, err := issuer.Issue(5, "editor", "s1")
	if err != nil {
		t.Fatal(err)
	}
	if want := now.Add(15 * time.Minute); !token.Expires.Equal(want) {
		t.Errorf("expires %v, want %v", token.Expires, want)
	}
	claims, err := issuer.Verify(token.Text)
	if err != nil {
		t.Fatal(err)
	}
	if claims.UserID != 5 || claims.Role != "editor" || claims.SessionID != "s1" {
		t.Errorf("claims %+v", claims)
	}
	now = token.Expires
	if _, err := issuer.Verify(token.Text); problem.KindOf(err) != problem.TokenExpired || err.Error() != "token expired" {
		t.Errorf("at its end: %v", err)
	}
}

func TestTheClaimsAreTheSpecifications(t *testing.T) {
	token, err := newIssuer(t, seed1).Issue(5, "user", "")
	if err != nil {
		t.Fatal(err)
	}
	payload, err := base64.RawURLEncoding.DecodeString(strings.Split(token.Text, ".")[1])
	if err != nil {
		t.Fatal(err)
	}
	var claims map[string]any
	if err := json.Unmarshal(payload, &claims); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"userId", "role", "iat", "exp", "iss", "aud"} {
		if claims[name] == nil {
			t.Errorf("the claim %s is missing in %s", name, payload)
		}
	}
	if claims["userId"] != 5.0 || claims["role"] != "user" {
		t.Errorf("claims %s", payload)
	}
}

func TestKeysRotate(t *testing.T) {
	before, err := newIssuer(t, seed1).Issue(5, "user", "")
	if err != nil {
		t.Fatal(err)
	}
	rotated := newIssuer(t, seed2, seed1)
	if _, err := rotated.Verify(before.Text); err != nil {
		t.Errorf("a token of the key before: %v", err)
	}
	after, err := rotated.Issue(5, "user", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newIssuer(t, seed1).Verify(after.Text); problem.KindOf(err) != problem.TokenInvalid {
		t.Errorf("the new key's token, by the old key: %v", err)
	}
}

func TestEveryKeyIsPublished(t *testing.T) {
	var set struct{ Keys []map[string]string }
	if err := json.Unmarshal(newIssuer(t, seed2, seed1, seed2).Keys.Published(), &set); err != nil {
		t.Fatal(err)
	}
	if len(set.Keys) != 2 {
		t.Fatalf("published %v", set.Keys)
	}
	for i, seed := range []string{seed2, seed1} { // the one that signs first
		token, err := newIssuer(t, seed).Issue(5, "user", "")
		if err != nil {
			t.Fatal(err)
		}
		parsed, _, err := jwt.NewParser().ParseUnverified(token.Text, jwt.MapClaims{})
		if err != nil {
			t.Fatal(err)
		}
		if got := set.Keys[i]; len(got) != 6 || got["kid"] != parsed.Header["kid"] || got["kty"] != "OKP" {
			t.Errorf("key %d is %v, want %v", i, got, parsed.Header["kid"])
		}
	}
}

// forged returns a token that claims what a good one does, changed by edit
// and signed by the method and key.
func forged(t *testing.T, method jwt.SigningMethod, key any, edit func(jwt.MapClaims, map[string]any)) string {
	t.Helper()
	good, err := newIssuer(t, seed1).Issue(5, viewer.Admin, "")
	if err != nil {
		t.Fatal(err)
	}
	claims := jwt.MapClaims{}
	parsed, _, err := jwt.NewParser().ParseUnverified(good.Text, claims)
	if err != nil {
		t.Fatal(err)
	}
	token := jwt.NewWithClaims(method, claims)
	token.Header["kid"] = parsed.Header["kid"]
	if edit != nil {
		edit(claims, token.Header)
	}
	text, err := token.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestOtherTokensAreRefused(t *testing.T) {
	seed, err := base64.StdEncoding.DecodeString(seed1)
	if err != nil {
		t.Fatal(err)
	}
	ours := ed25519.NewKeyFromSeed(seed)
	_, theirs, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	without := func(name string) func(jwt.MapClaims, map[string]any) {
		return func(c jwt.MapClaims, _ map[string]any) { delete(c, name) }
	}
	set := func(name string, value any) func(jwt.MapClaims, map[string]any) {
		return func(c jwt.MapClaims, _ map[string]any) { c[name] = value }
	}
	good := forged(t, jwt.SigningMethodEdDSA, ours, nil)
	issuer := newIssuer(t, seed1)
	if _, err := issuer.Verify(good); err != nil {
		t.Fatalf("the pattern of the others is refused: %v", err)
	}
	past := time.Now().Add(-time.Hour).Unix()
	for name, text := range map[string]string{
		"nothing":                 "",
		"no token":                "a.b.c",
		"algorithm none":          forged(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, nil),
		"HS256 by the public key": forged(t, jwt.SigningMethodHS256, []byte(ours.Public().(ed25519.PublicKey)), nil),
		"another key":             forged(t, jwt.SigningMethodEdDSA, theirs, nil),
		"another key's id":        forged(t, jwt.SigningMethodEdDSA, ours, func(_ jwt.MapClaims, h map[string]any) { h["kid"] = "x" }),
		"no key's id":             forged(t, jwt.SigningMethodEdDSA, ours, func(_ jwt.MapClaims, h map[string]any) { delete(h, "kid") }),
		"an unknown extension":    forged(t, jwt.SigningMethodEdDSA, ours, func(_ jwt.MapClaims, h map[string]any) { h["crit"], h["x"] = []string{"x"}, 1 }),
		"an empty crit":           forged(t, jwt.SigningMethodEdDSA, ours, func(_ jwt.MapClaims, h map[string]any) { h["crit"] = []string{} }),
		"no expiry":               forged(t, jwt.SigningMethodEdDSA, ours, without("exp")),
		"no issuer":               forged(t, jwt.SigningMethodEdDSA, ours, without("iss")),
		"no audience":             forged(t, jwt.SigningMethodEdDSA, ours, without("aud")),
		"another issuer":          forged(t, jwt.SigningMethodEdDSA, ours, set("iss", "https://evil.example")),
		"another audience":        forged(t, jwt.SigningMethodEdDSA, ours, set("aud", "https://evil.example")),
		"no user":                 forged(t, jwt.SigningMethodEdDSA, ours, without("userId")),
		"the user 0":              forged(t, jwt.SigningMethodEdDSA, ours, set("userId", 0)),
		"a user by name":          forged(t, jwt.SigningMethodEdDSA, ours, set("userId", "admin")),
		"a changed payload":       swapPayload(good, forged(t, jwt.SigningMethodEdDSA, theirs, set("userId", 1))),
		"an old one of another":   forged(t, jwt.SigningMethodEdDSA, theirs, set("exp", past)),
		"an old one for another": forged(t, jwt.SigningMethodEdDSA, ours, func(c jwt.MapClaims, _ map[string]any) {
			c["exp"], c["aud"] = past, "https://evil.example"
		}),
	} {
		claims, err := issuer.Verify(text)
		if problem.KindOf(err) != problem.TokenInvalid || claims != nil || err.Error() != "token invalid" {
			t.Errorf("%s: %+v, %v", name, claims, err)
		}
	}
}

// swapPayload returns a with the payload of b.
func swapPayload(a, b string) string {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	return x[0] + "." + y[1] + "." + x[2]
}

func TestKeysAreMadeOnceAndPrivate(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token-keys")
	made := make(chan *account.Keys)
	for range 4 { // processes that start at once
		go func() {
			keys, err := account.OpenKeys(file)
			if err != nil {
				t.Error(err)
			}
			made <- keys
		}()
	}
	first := <-made
	for range 3 {
		other := <-made
		token, err := (&account.Issuer{Keys: other, Lifetime: time.Minute, Name: "x"}).Issue(1, "user", "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := (&account.Issuer{Keys: first, Name: "x"}).Verify(token.Text); err != nil {
			t.Errorf("two processes have different keys: %v", err)
		}
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the keys can be read by others: %v", info.Mode())
	}
	entries, err := os.ReadDir(filepath.Dir(file))
	if err != nil || len(entries) != 1 {
		t.Errorf("drafts were left: %v, %v", entries, err)
	}
}

func TestDamagedKeysAreNotReplaced(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token-keys")
	if err := os.WriteFile(file, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := account.OpenKeys(file); err == nil || errors.Is(err, os.ErrNotExist) {
		t.Errorf("OpenKeys(a damaged file) = %v", err)
	}
}
