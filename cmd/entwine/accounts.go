package main

import (
	"net/url"
	"slices"

	"github.com/entwine-go/entwine/internal/account"
	"github.com/entwine-go/entwine/internal/writes"
	"github.com/entwine-go/entwine/kit/idp"
	"github.com/entwine-go/entwine/kit/runtime/config"
	"github.com/entwine-go/entwine/kit/runtime/pubsub"
	"github.com/entwine-go/entwine/kit/runtime/ratelimit"
	"github.com/entwine-go/entwine/kit/runtime/store"
)

// accounts returns all that signing up and in takes.
func (p *process) accounts(db *store.DB, bus pubsub.Bus, a *account.Authenticator, r *account.Resetter, addresses *account.Addresses, limiter ratelimit.Limiter) *account.Accounts {
	registrar := &account.Registrar{
		DB: db, Users: writes.Users(db), Passwords: a.Passwords, Limiter: limiter, Rate: ratelimit.Rate(p.config.Account.Registrations), Addresses: addresses,
	}
	return &account.Accounts{
		Registrar:     registrar,
		Authenticator: a,
		Gate:          a.Gate,
		Factor:        a.Factor,
		Resetter:      r,
		Addresses:     addresses,
		Federator:     p.federator(db, a, registrar),
		Keyring:       writes.Keyring(db),
		Verifier:      account.NewVerifier(db, a.Gate.Issuer, bus, p.log),
	}
}

// addresses returns what looks after users' e-mail addresses. What it tells them
// is up to the caller.
func (p *process) addresses(db *store.DB, a *account.Authenticator) *account.Addresses {
	return &account.Addresses{
		DB: db, Users: writes.Users(db), Vault: a.Gate.Vault, Factor: a.Factor, Gate: a.Gate,
		Verification: account.Verification(p.config.Account.Verification), AskPassword: p.config.Account.EmailPassword,
		VerifyPage: p.config.Mail.VerifyURL, TakeBackPage: p.config.Mail.TakeBackURL,
	}
}

// federator returns what signs users in elsewhere, nil where that is not set.
func (p *process) federator(db *store.DB, a *account.Authenticator, r *account.Registrar) *account.Federator {
	c := p.config.OIDC
	if c.Issuer == "" {
		return nil
	}
	return &account.Federator{
		DB: db, Vault: a.Gate.Vault, Factor: a.Factor, Gate: a.Gate, Registrar: r,
		Provider:  &idp.Provider{Issuer: c.Issuer, ClientID: c.ClientID, ClientSecret: c.ClientSecret, RedirectURL: c.RedirectURL},
		FrontEnds: c.FrontEnds, ByCode: c.ByCode,
	}
}

// origins are those whose pages may call the APIs: the front end's, too.
func origins(c *config.Config) []string {
	all := slices.Clone(c.Origins)
	for _, address := range c.OIDC.FrontEnds {
		if u, err := url.Parse(address); err == nil { // the settings have been checked
			all = append(all, u.Scheme+"://"+u.Host)
		}
	}
	return all
}
