package app

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/idp"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/ratelimit"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/web"
	"github.com/entwine-go/entwine/kit/write"
)

// Accounts are the entities of a service that has accounts: its users, and the
// API keys of programs.
type Accounts struct {
	// Users and Keys are the entities User and APIKey, as the generated engine has them.
	Users, Keys *write.Entity
}

// openAccounts puts the accounts of the service together, if it has any.
func (h *Host) openAccounts() error {
	if h.service.Accounts == nil {
		return nil
	}
	c, err := h.accountsOf(h.DB)
	if err != nil {
		return err
	}
	c.Bus, c.Limiter, c.Jobs, c.Mail, c.Pause = h.Bus, h.Limiter, h.Jobs, h.Mail, web.Pause
	if c.Provider != nil {
		h.without("identity_provider", c.Provider)
	}
	h.Accounts = account.New(c)
	return nil
}

// accountsOf returns the settings of accounts.
func (p *Process) accountsOf(db *store.DB) (c account.Config, err error) {
	set := p.Config.Account
	c = account.Config{
		DB: db, Log: p.Log, Users: p.users(db), Keys: p.keyring(db).Keys,
		Rate: ratelimit.Rate(set.Registrations), PasswordCost: set.BcryptCost,
		Verification: account.Verification(set.Verification), AskPassword: set.EmailPassword,
		ResetPage: p.Config.Mail.ResetURL, VerifyPage: p.Config.Mail.VerifyURL, TakeBackPage: p.Config.Mail.TakeBackURL,
		FrontEnds: p.Config.OIDC.FrontEnds, ByCode: p.Config.OIDC.ByCode,
	}
	versions, err := p.service.offered(p.Config.API)
	if err != nil {
		return c, err
	}
	if o := p.Config.OIDC; o.Issuer != "" {
		back := cmp.Or(o.RedirectURL, p.Config.PublicURL+versions.Linked(&p.Config.Lifecycle).Base+"/auth/idp/callback")
		c.Provider = &idp.Provider{Issuer: o.Issuer, ClientID: o.ClientID, ClientSecret: o.ClientSecret, RedirectURL: back}
	}
	c.Versions = versions.Names()
	if c.Issuer, err = p.issuer(); err != nil {
		return c, err
	}
	c.Vault, err = p.vault()
	return c, err
}

// users are those of the service, as accounts make and change them.
func (p *Process) users(db *store.DB) *account.Table {
	return &account.Table{Entity: p.service.Accounts.Users, DB: db}
}

// keyring makes and ends API keys.
func (p *Process) keyring(db *store.DB) *account.Keyring {
	return &account.Keyring{DB: db, Keys: &account.Table{Entity: p.service.Accounts.Keys, DB: db}}
}

// registrar makes users, for an operator.
func (p *Process) registrar(db *store.DB) *account.Registrar {
	return &account.Registrar{DB: db, Users: p.users(db), Passwords: account.NewPasswords(p.Config.Account.BcryptCost)}
}

// keys are those of access tokens: the settings', else those in the data
// directory, which are made at the first start.
func (p *Process) keys() (*account.Keys, error) {
	if seeds := p.Config.Account.TokenKeys; len(seeds) > 0 {
		return account.NewKeys(seeds)
	}
	file, err := p.DataFile(config.TokenKeyFile)
	if err != nil {
		return nil, err
	}
	return account.OpenKeys(file)
}

// vault keeps secrets. Its keys are where those of tokens are.
func (p *Process) vault() (*account.Vault, error) {
	if keys := p.Config.Account.SecretKeys; len(keys) > 0 {
		return account.NewVault(keys)
	}
	file, err := p.DataFile(config.SecretKeyFile)
	if err != nil {
		return nil, err
	}
	return account.OpenVault(file)
}

// issuer issues and verifies access tokens.
func (p *Process) issuer() (*account.Issuer, error) {
	keys, err := p.keys()
	if err != nil {
		return nil, err
	}
	name := p.Config.PublicURL
	if name == "" {
		name = p.service.about().Name
	}
	return &account.Issuer{Keys: keys, Name: name, Lifetime: p.Config.Account.AccessTime}, nil
}

// admit adds what the kit does for the service to its own parts: those of
// accounts, where it has any, and what is done every hour.
func (h *Host) admit() {
	parts := h.parts
	if parts.Methods == nil && h.service.Generated.Methods != nil {
		parts.Methods = h.service.Generated.Methods(h)
	}
	if h.hasJobs() {
		parts.Kinds = append(slices.Clip(parts.Kinds), jobs.NewPurge(h.DB, h.Log, append(parts.Rests, Rests()...)...), jobs.NewRecount(h.DB), jobs.NewKeyedRecount(h.DB))
		parts.Schedule = append(slices.Clip(parts.Schedule), jobs.PurgeEntry())
	}
	if h.Accounts != nil {
		h.admitAccounts(h.Accounts)
	}
	parts.Auth = h.taking(h.auth())
}

// admitAccounts adds what accounts take part in.
func (h *Host) admitAccounts(a *account.Accounts) {
	parts := h.parts
	parts.Kinds = append(parts.Kinds, a.Kinds()...)
	users, keys := h.service.Accounts.Users.Name, h.service.Accounts.Keys.Name
	around := map[string]*write.Around{}
	maps.Copy(around, parts.Around)
	around[users] = write.Both(around[users], a.Around(origin))
	judges, create, pin := map[string]write.Judge{}, keys+"."+policy.Create, keys+".pin"
	maps.Copy(judges, parts.Judges)
	judges[create] = write.BothJudge(a.Keyring.Check, judges[create])
	judges[pin] = write.BothJudge(a.Keyring.CheckPin, judges[pin])
	parts.Around, parts.Judges = around, judges
	if parts.Caller == nil {
		parts.Caller = a.Verifier.Caller
	}
	if parts.Auth == nil {
		parts.Auth, parts.KeySet = a.Verifier, a.Gate.Issuer.Keys.Published()
	}
}

// hasJobs reports whether the schema has the table of jobs.
func (h *Host) hasJobs() bool {
	return slices.ContainsFunc(h.service.Entities, func(e *entity.Entity) bool { return e.Table == "jobs" })
}

// origin is where a request comes from.
func origin(ctx context.Context) account.Origin {
	c := web.ClientOf(ctx)
	return account.Origin{Agent: c.Agent, Address: c.Address, Device: c.Device}
}

// explained says what is wrong with an input, each detail on a line.
func explained(err error) error {
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
