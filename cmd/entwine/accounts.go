package main

import (
	"github.com/entwine-go/entwine/internal/writes"
	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/idp"
	"github.com/entwine-go/entwine/kit/runtime/pubsub"
	"github.com/entwine-go/entwine/kit/runtime/ratelimit"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/worker"
)

// accountsOf returns all that signing up and in takes in a process.
func (p process) accountsOf(h *app.Host) (*account.Accounts, error) {
	a, err := p.authenticator(h.DB)
	if err != nil {
		return nil, err
	}
	resetter := &account.Resetter{
		DB: h.DB, Passwords: a.Passwords, Throttle: a.Throttle, Gate: a.Gate,
		Ask: worker.AskForReset(h.Jobs), Mail: h.Mail, Page: h.Config.Mail.ResetURL,
	}
	addresses := p.addresses(h.DB, a)
	addresses.Tell, addresses.Mail = worker.Notify(h.Jobs), h.Mail
	return p.accounts(h.DB, h.Bus, a, resetter, addresses, h.Limiter), nil
}

// accounts returns all that signing up and in takes.
func (p process) accounts(db *store.DB, bus pubsub.Bus, a *account.Authenticator, r *account.Resetter, addresses *account.Addresses, limiter ratelimit.Limiter) *account.Accounts {
	registrar := &account.Registrar{
		DB: db, Users: writes.Users(db), Passwords: a.Passwords, Limiter: limiter, Rate: ratelimit.Rate(p.Config.Account.Registrations), Addresses: addresses,
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
		Verifier:      account.NewVerifier(db, a.Gate.Issuer, bus, p.Log),
	}
}

// addresses returns what looks after users' e-mail addresses. What it tells them
// is up to the caller.
func (p process) addresses(db *store.DB, a *account.Authenticator) *account.Addresses {
	return &account.Addresses{
		DB: db, Users: writes.Users(db), Vault: a.Gate.Vault, Factor: a.Factor, Gate: a.Gate,
		Verification: account.Verification(p.Config.Account.Verification), AskPassword: p.Config.Account.EmailPassword,
		VerifyPage: p.Config.Mail.VerifyURL, TakeBackPage: p.Config.Mail.TakeBackURL,
	}
}

// federator returns what signs users in elsewhere, nil where that is not set.
func (p process) federator(db *store.DB, a *account.Authenticator, r *account.Registrar) *account.Federator {
	c := p.Config.OIDC
	if c.Issuer == "" {
		return nil
	}
	return &account.Federator{
		DB: db, Vault: a.Gate.Vault, Factor: a.Factor, Gate: a.Gate, Registrar: r,
		Provider:  &idp.Provider{Issuer: c.Issuer, ClientID: c.ClientID, ClientSecret: c.ClientSecret, RedirectURL: c.RedirectURL},
		FrontEnds: c.FrontEnds, ByCode: c.ByCode,
	}
}
