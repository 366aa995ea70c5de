package idp_test

import (
	"crypto/rand"
	"crypto/rsa"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/entwine-go/entwine/kit/idp"
	"github.com/entwine-go/entwine/kit/idp/idptest"
	"github.com/entwine-go/entwine/kit/problem"
)

func tokens(i *idptest.Issuer, now func() time.Time) *idp.Tokens {
	return &idp.Tokens{
		Issuer: i.URL, Audience: idptest.Audience, Algorithms: []string{"RS256", "ES256", "EdDSA"},
		Keys: &idp.KeySet{URL: i.URL + "/keys", Now: now}, Now: now,
	}
}

func TestTokensOfAnotherIssuer(t *testing.T) {
	t.Parallel()
	i := idptest.NewIssuer(t)
	for _, algorithm := range []string{"RS256", "ES256", "EdDSA"} {
		i.Add(algorithm, algorithm)
	}
	v := tokens(i, time.Now)
	for _, algorithm := range []string{"RS256", "ES256", "EdDSA"} {
		if claims, _, err := v.Verify(t.Context(), i.Sign(algorithm, nil)); err != nil || claims["sub"] != "ada-1" {
			t.Errorf("%s: %v, %v", algorithm, claims, err)
		}
	}
	stranger, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	forged := func(method jwt.SigningMethod, key any) string {
		token := jwt.NewWithClaims(method, jwt.MapClaims{"iss": i.URL, "aud": idptest.Audience, "sub": "eve", "exp": time.Now().Add(time.Minute).Unix()})
		token.Header["kid"] = "RS256"
		text, err := token.SignedString(key)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	past := time.Now().Add(-time.Hour).Unix()
	for what, c := range map[string]struct {
		text string
		want problem.Kind
	}{
		"another audience":     {i.Sign("ES256", jwt.MapClaims{"aud": "others"}), problem.TokenInvalid},
		"another issuer":       {i.Sign("ES256", jwt.MapClaims{"iss": "https://evil.example"}), problem.TokenInvalid},
		"no end":               {i.Sign("ES256", jwt.MapClaims{"exp": nil}), problem.TokenInvalid},
		"not yet":              {i.Sign("ES256", jwt.MapClaims{"nbf": time.Now().Add(time.Hour).Unix()}), problem.TokenInvalid},
		"past its time":        {i.Sign("ES256", jwt.MapClaims{"exp": past}), problem.TokenExpired},
		"no signature":         {forged(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType), problem.TokenInvalid},
		"another key":          {forged(jwt.SigningMethodRS256, stranger), problem.TokenInvalid},
		"a shared secret":      {forged(jwt.SigningMethodHS256, []byte("secret")), problem.TokenInvalid},
		"an algorithm not set": {forged(jwt.SigningMethodPS256, stranger), problem.TokenInvalid},
		"no token at all":      {"a.b.c", problem.TokenInvalid},
		"an extension":         {i.SignWith("ES256", map[string]any{"crit": []string{"b64"}, "b64": true}, nil), problem.TokenInvalid},
		"no list of them":      {i.SignWith("ES256", map[string]any{"crit": nil}, nil), problem.TokenInvalid},
	} {
		if claims, _, err := v.Verify(t.Context(), c.text); problem.KindOf(err) != c.want {
			t.Errorf("%s: %v, %v, want kind %v", what, claims, err, c.want)
		}
	}
}

// Keys are fetched when they are needed, and are let go when the issuer withdraws
// them.
func TestKeysRotate(t *testing.T) {
	t.Parallel()
	i, now := idptest.NewIssuer(t), time.Now()
	i.Add("1", "ES256")
	v := tokens(i, func() time.Time { return now })
	long := jwt.MapClaims{"exp": now.Add(24 * time.Hour).Unix()}
	first := i.Sign("1", long)
	check := func(what, token string, want problem.Kind, fetched int) {
		t.Helper()
		_, _, err := v.Verify(t.Context(), token)
		if got := problem.KindOf(err); err != nil && got != want || err == nil && want != problem.Internal {
			t.Errorf("%s: %v, want kind %v", what, err, want)
		}
		if got := i.Fetched(); got != fetched {
			t.Errorf("%s: the keys were fetched %d times, want %d", what, got, fetched)
		}
	}
	const good = problem.Internal // no error
	check("the first", first, good, 1)
	check("the first again", first, good, 1)
	i.Add("2", "ES256")
	second := i.Sign("2", long)
	check("a new key at once", second, problem.TokenInvalid, 1)
	now = now.Add(10 * time.Second)
	check("a new key", second, good, 2)
	i.Add("3", "ES256")
	for range 3 { // whatever is sent
		check("unknown keys", i.Sign("3", long), problem.TokenInvalid, 2)
	}
	i.Withdraw(1)
	now = now.Add(5 * time.Minute)
	check("what is withdrawn, for a while", first, good, 2)
	now = now.Add(5 * time.Minute)
	check("what is withdrawn", first, problem.TokenInvalid, 3)
	i.Fail(true)
	now = now.Add(30 * time.Minute)
	check("while the issuer is down", second, good, 4)
	now = now.Add(30 * time.Minute)
	check("an hour later", second, problem.Unavailable, 5)
	i.Fail(false)
	now = now.Add(10 * time.Second)
	check("when it is back", second, good, 6)
}
