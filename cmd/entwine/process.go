package main

import (
	"context"
	"errors"

	"github.com/entwine-go/entwine/internal/writes"
	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/config"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/runtime/writing"
)

// process is one of this service, with what its accounts need of the settings.
type process struct{ *app.Process }

// act does to a row what is declared of it, as the APIs do.
func act(ctx context.Context, db *store.DB, with writes.Activities, of *writing.Entity, id int64, verb string) (writing.Result, error) {
	return writes.Engine(db, nil, with).Act(ctx, writing.Call{Entity: of, ID: id}, of.Action(verb))
}

// registrar returns what makes users.
func (p process) registrar(db *store.DB) *account.Registrar {
	return &account.Registrar{DB: db, Users: writes.Users(db), Passwords: account.NewPasswords(p.Config.Account.BcryptCost)}
}

// explain says what is wrong with an input, each detail on a line.
func explain(err error) error {
	e := problem.As(err)
	if e == nil || len(e.Details) == 0 {
		return err
	}
	text := e.Message
	for _, d := range e.Details {
		text += "\n  " + d.Field + " " + d.Message
	}
	return errors.New(text)
}

// keys returns the keys of access tokens: the settings', else those in the
// data directory, which are made at the first start.
func (p process) keys() (*account.Keys, error) {
	if seeds := p.Config.Account.TokenKeys; len(seeds) > 0 {
		return account.NewKeys(seeds)
	}
	file, err := p.DataFile(config.TokenKeyFile)
	if err != nil {
		return nil, err
	}
	return account.OpenKeys(file)
}

// vault returns what keeps secrets, whose keys are where those of tokens are.
func (p process) vault() (*account.Vault, error) {
	if keys := p.Config.Account.SecretKeys; len(keys) > 0 {
		return account.NewVault(keys)
	}
	file, err := p.DataFile(config.SecretKeyFile)
	if err != nil {
		return nil, err
	}
	return account.OpenVault(file)
}

// issuer returns what issues and verifies access tokens.
func (p process) issuer() (*account.Issuer, error) {
	keys, err := p.keys()
	if err != nil {
		return nil, err
	}
	name := p.Config.PublicURL
	if name == "" {
		name = "entwine"
	}
	return &account.Issuer{Keys: keys, Name: name, Lifetime: p.Config.Account.AccessTime}, nil
}

// authenticator returns what signs users in.
func (p process) authenticator(db *store.DB) (*account.Authenticator, error) {
	issuer, err := p.issuer()
	if err != nil {
		return nil, err
	}
	vault, err := p.vault()
	if err != nil {
		return nil, err
	}
	throttle := &account.Throttle{DB: db, Vault: vault}
	passwords := account.NewPasswords(p.Config.Account.BcryptCost)
	return &account.Authenticator{
		DB:        db,
		Passwords: passwords,
		Throttle:  throttle,
		Factor:    &account.SecondFactor{DB: db, Vault: vault, Passwords: passwords, Throttle: throttle, Service: issuer.Name},
		Gate: &account.Gatekeeper{
			DB: db, Issuer: issuer, Vault: vault, Verified: p.Config.Account.Verification == config.VerificationRequired,
		},
	}, nil
}
