package account

import (
	"errors"
	"fmt"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/entwine-go/entwine/kit/idp"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Issuer issues access tokens: short-lived JWTs of a user.
type Issuer struct {
	Keys *Keys // sign the tokens
	// Name is their issuer and their audience.
	Name string
	// Lifetime is how long a token is good for.
	Lifetime time.Duration
	// Now is the time, time.Now where it is nil.
	Now func() time.Time
}

// Claims are the claims of a token.
type Claims struct {
	UserID int64       `json:"userId"` // the id of the user
	Role   viewer.Role `json:"role"`   // the role of the user when it was issued
	// SessionID names the sign-in that the token belongs to.
	SessionID string `json:"sid,omitempty"`
	// Actor is the admin who sees as the user, nil in other tokens.
	Actor *Actor `json:"act,omitempty"`
	jwt.RegisteredClaims
}

// Token is an access token and the time when it expires.
type Token struct {
	Text    string    // what the client sends
	Expires time.Time // when it stops working, in UTC
}

// Issue returns a token for the user.
func (i *Issuer) Issue(userID int64, role viewer.Role, sessionID string) (Token, error) {
	now := i.now()
	return i.sign(Claims{
		UserID: userID, Role: role, SessionID: sessionID,
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer:    i.Name,
			Audience:  jwt.ClaimStrings{i.Name},
			IssuedAt:  jwt.NewNumericDate(now),
			ExpiresAt: jwt.NewNumericDate(now.Add(i.Lifetime)),
		},
	})
}

func (i *Issuer) sign(claims Claims) (Token, error) {
	token := jwt.NewWithClaims(jwt.SigningMethodEdDSA, claims)
	token.Header["kid"] = i.Keys.first.id
	text, err := token.SignedString(i.Keys.first.private)
	if err != nil {
		return Token{}, fmt.Errorf("sign token of user %d: %w", claims.UserID, err)
	}
	return Token{Text: text, Expires: claims.ExpiresAt.Time}, nil
}

// The answers to a token that is no good (doc/api/authentication.md).
var (
	errExpired = problem.New(problem.TokenExpired, "token expired")
	errInvalid = problem.New(problem.TokenInvalid, "token invalid")
	errEnded   = problem.Wrap(viewer.ErrEnded, problem.TokenInvalid, "token invalid")
)

// Verify returns the claims of a token, or 401: the client learns that the token
// has expired, or that it is not valid, and no more.
func (i *Issuer) Verify(text string) (*Claims, error) {
	claims := new(Claims)
	_, err := jwt.ParseWithClaims(text, claims, i.key,
		jwt.WithValidMethods([]string{jwt.SigningMethodEdDSA.Alg()}),
		jwt.WithIssuer(i.Name), jwt.WithAudience(i.Name, i.seeing()),
		jwt.WithExpirationRequired(), jwt.WithTimeFunc(i.now),
		jwt.WithStrictDecoding(), // one text for each token
	)
	switch {
	case err == nil && i.whole(claims):
		return claims, nil
	case errors.Is(err, jwt.ErrTokenInvalidIssuer), errors.Is(err, jwt.ErrTokenInvalidAudience):
		return nil, errInvalid
	case errors.Is(err, jwt.ErrTokenExpired): // found after the signature
		return nil, errExpired
	}
	return nil, errInvalid
}

// whole reports whether the claims are those of one of the two kinds of tokens: with an
// actor and the audience of these, or without both.
func (i *Issuer) whole(c *Claims) bool {
	if len(c.Audience) != 1 || (c.Actor != nil) != (c.Audience[0] == i.seeing()) {
		return false
	}
	return c.UserID > 0 || c.Actor != nil && c.UserID == viewer.NoUser
}

// key returns the key that a token says it was signed with, out of ours.
func (i *Issuer) key(t *jwt.Token) (any, error) {
	if err := idp.CheckCritical(t); err != nil {
		return nil, err
	}
	id, _ := t.Header["kid"].(string)
	if key, ok := i.Keys.byID[id]; ok {
		return key, nil
	}
	return nil, errors.New("unknown key")
}

func (i *Issuer) now() time.Time {
	if i.Now != nil {
		return i.Now()
	}
	return time.Now()
}
