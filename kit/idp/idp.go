// Package idp signs people in through an OpenID Connect identity provider:
// where to send a browser, and what the provider says about who came back.
//
// It owns the protocol (discovery, authorization code with PKCE, nonce, the checks
// of the identity token) and what the provider may cost: 5 s and 1 MiB for a call,
// and no redirects. It keeps no state; package account finds the user of the
// person, and checks that one browser begins and completes the sign-in. Its errors
// are what a client may read: see [Provider.Exchange].
package idp

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/entwine-go/entwine/kit/problem"
)

// Provider is an identity provider and this service's registration there.
type Provider struct {
	// Issuer is the provider's name, from which everything else is discovered.
	Issuer string
	// ClientID and ClientSecret are this service's registration.
	ClientID, ClientSecret string
	// RedirectURL is the address of this service that browsers come back to,
	// as it was registered.
	RedirectURL string
	// Timeout bounds each call: 5 s if 0.
	Timeout time.Duration
	// Now is the time, time.Now where it is nil.
	Now func() time.Time

	mu      sync.Mutex
	known   *metadata // nil until it was discovered
	failure error     // why it was not
	until   time.Time // when to ask again
}

// Identity has the provider's claims about a person.
type Identity struct {
	// Issuer and Subject name the person, for good and among all providers.
	Issuer, Subject string
	Name            string // empty where the provider does not tell
	Email           string // empty where the provider does not tell
	EmailVerified   bool   // whether the provider has seen that they read its mail
}

// AuthURL returns the address that a browser begins at. The state and the
// nonce come back; the verifier stays here and proves the exchange.
func (p *Provider) AuthURL(ctx context.Context, state, nonce, verifier string) (string, error) {
	m, err := p.discover(ctx)
	if err != nil {
		return "", err
	}
	return p.oauth(m).AuthCodeURL(state, oidc.Nonce(nonce), oauth2.S256ChallengeOption(verifier)), nil
}

// Callback has the parameters that a browser brings back.
type Callback struct {
	Code string // the authorization code
	// Issuer is the iss parameter, empty where there was none.
	Issuer string
}

// Exchange returns who came back. Where the code, the identity token or the
// callback is not what it should be, the error is of kind InvalidCredentials;
// where the provider does not answer, BadGateway or GatewayTimeout. matches
// reports whether the token's nonce is the one that was sent.
func (p *Provider) Exchange(ctx context.Context, back Callback, verifier string, matches func(nonce string) bool) (*Identity, error) {
	m, err := p.discover(ctx)
	if err != nil {
		return nil, err
	}
	if back.Issuer != "" || m.namesItself {
		if subtle.ConstantTimeCompare([]byte(back.Issuer), []byte(p.Issuer)) == 0 {
			return nil, refuse(errors.New("the callback is from another issuer"))
		}
	}
	ctx = oidc.ClientContext(ctx, p.client())
	token, err := p.oauth(m).Exchange(ctx, back.Code, oauth2.VerifierOption(verifier))
	if err != nil {
		return nil, exchangeError(err)
	}
	raw, ok := token.Extra("id_token").(string)
	if !ok {
		return nil, refuse(errors.New("the provider sent no identity token"))
	}
	claims, err := p.verify(ctx, m, raw, matches)
	if err != nil {
		return nil, err
	}
	return p.complete(ctx, m, token, claims)
}

// claims are the claims of an identity token or of the userinfo endpoint.
type claims struct {
	Subject       string `json:"sub"`
	Name          string `json:"name"`
	Email         string `json:"email"`
	EmailVerified bool   `json:"email_verified"`
	// AuthorizedParty is the client that the token was issued to, where it has several
	// audiences.
	AuthorizedParty string `json:"azp"`
}

// verify checks the identity token.
func (p *Provider) verify(ctx context.Context, m *metadata, raw string, matches func(string) bool) (*claims, error) {
	if err := checkRawCritical(raw); err != nil {
		return nil, refuse(err)
	}
	token, err := m.Verifier(&oidc.Config{
		ClientID: p.ClientID, SupportedSigningAlgs: m.algorithms, Now: p.now,
	}).Verify(ctx, raw)
	if err != nil {
		return nil, verifyError(err)
	}
	c := new(claims)
	if err := token.Claims(c); err != nil {
		return nil, refuse(err)
	}
	switch {
	case !matches(token.Nonce):
		return nil, refuse(errors.New("the nonce is another one"))
	case len(token.Audience) > 1 && c.AuthorizedParty == "", c.AuthorizedParty != "" && c.AuthorizedParty != p.ClientID:
		return nil, refuse(errors.New("the token was issued to another client"))
	case c.Subject == "":
		return nil, refuse(errors.New("the token has no subject"))
	}
	return c, nil
}

// complete asks the provider for what the identity token leaves out.
func (p *Provider) complete(ctx context.Context, m *metadata, token *oauth2.Token, c *claims) (*Identity, error) {
	if c.Email == "" && m.UserInfoEndpoint() != "" {
		info, err := m.UserInfo(ctx, oauth2.StaticTokenSource(token))
		if err != nil {
			return nil, unreachable(fmt.Errorf("ask for user info: %w", err))
		}
		subject := c.Subject
		if err := info.Claims(c); err != nil {
			return nil, refuse(err)
		}
		if c.Subject != subject {
			return nil, refuse(errors.New("the user info is about somebody else"))
		}
	}
	return &Identity{Issuer: p.Issuer, Subject: c.Subject, Name: c.Name, Email: c.Email, EmailVerified: c.EmailVerified}, nil
}

func (p *Provider) oauth(m *metadata) *oauth2.Config {
	return &oauth2.Config{
		ClientID: p.ClientID, ClientSecret: p.ClientSecret, RedirectURL: p.RedirectURL,
		Endpoint: m.Endpoint(), Scopes: []string{oidc.ScopeOpenID, "profile", "email"},
	}
}

func (p *Provider) client() *http.Client { return newClient(p.timeout()) }

func (p *Provider) timeout() time.Duration {
	if p.Timeout > 0 {
		return p.Timeout
	}
	return 5 * time.Second
}

func (p *Provider) now() time.Time {
	if p.Now != nil {
		return p.Now()
	}
	return time.Now()
}

// refuse is a sign-in that was not proven. The cause is for the log: an
// attacker learns nothing from the message.
func refuse(err error) error {
	return problem.Wrap(err, problem.InvalidCredentials, "the identity provider's answer was not accepted: sign in again")
}
