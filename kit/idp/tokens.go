package idp

import (
	"context"
	"errors"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/entwine-go/entwine/kit/problem"
)

// Tokens are access tokens that another issuer signs: JWTs (RFC 7519), verified by
// the keys that it publishes (RFC 7517). All fields but Now are required.
type Tokens struct {
	// Issuer and Audience are the claims iss and aud of tokens, to the letter.
	Issuer, Audience string
	// Keys are those that the issuer publishes.
	Keys *KeySet
	// Algorithms are those that tokens may be signed with: of those whose key the issuer alone has.
	Algorithms []string
	// Now is the time, time.Now where it is nil.
	Now func() time.Time
}

// leeway is how far the issuer's clock may be from this one.
const leeway = 30 * time.Second

// The answers to a token that is no good (doc/api/authentication.md).
var (
	errExpired = problem.New(problem.TokenExpired, "token expired")
	errInvalid = problem.New(problem.TokenInvalid, "token invalid")
)

// Names reports whether a token says that it is from the issuer, which nothing has
// proven yet.
func (t *Tokens) Names(text string) bool {
	var claims jwt.RegisteredClaims
	_, _, err := jwt.NewParser().ParseUnverified(text, &claims)
	return err == nil && claims.Issuer == t.Issuer
}

// Verify returns what a token says, and until when it is good. Numbers are
// [encoding/json.Number]. A token that is no good is 401, as is all that a client
// learns; where the issuer's keys can't be had, it is [problem.Unavailable].
func (t *Tokens) Verify(ctx context.Context, text string) (claims map[string]any, expires time.Time, err error) {
	said := jwt.MapClaims{}
	var failure error // of the keys
	_, err = jwt.ParseWithClaims(text, said, func(token *jwt.Token) (any, error) {
		if err := CheckCritical(token); err != nil {
			return nil, err
		}
		id, _ := token.Header["kid"].(string)
		key, err := t.Keys.Find(ctx, id, token.Method.Alg())
		failure = err
		return key, err
	},
		jwt.WithValidMethods(t.Algorithms), jwt.WithIssuer(t.Issuer), jwt.WithAudience(t.Audience),
		jwt.WithExpirationRequired(), jwt.WithTimeFunc(t.now), jwt.WithLeeway(leeway), jwt.WithJSONNumber(), jwt.WithStrictDecoding(),
	)
	switch {
	case failure != nil && !errors.Is(failure, errNoKey):
		return nil, time.Time{}, failure
	case errors.Is(err, jwt.ErrTokenInvalidIssuer), errors.Is(err, jwt.ErrTokenInvalidAudience):
		return nil, time.Time{}, errInvalid
	case errors.Is(err, jwt.ErrTokenExpired): // found after the signature
		return nil, time.Time{}, errExpired
	case err != nil:
		return nil, time.Time{}, errInvalid
	}
	end, err := said.GetExpirationTime()
	if err != nil || end == nil {
		return nil, time.Time{}, errInvalid
	}
	return said, end.Add(leeway), nil
}

func (t *Tokens) now() time.Time {
	if t.Now != nil {
		return t.Now()
	}
	return time.Now()
}
