package account

import (
	"context"
	"log/slog"
	"time"

	"github.com/entwine-go/entwine/kit/idp"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/ratelimit"
	"github.com/entwine-go/entwine/kit/store"
)

// Accounts is every agent of this package, put together for the doors.
type Accounts struct {
	Registrar     *Registrar     // who signs up
	Authenticator *Authenticator // signs in by password
	Gate          *Gatekeeper    // begins, continues and ends sign-ins
	Factor        *SecondFactor  // one-time codes
	Resetter      *Resetter      // forgotten passwords
	Addresses     *Addresses     // verification and change of e-mail addresses
	// Federator is nil where no identity provider is configured: it says so.
	Federator *Federator
	Keyring   *Keyring  // API keys
	Verifier  *Verifier // proves the credentials of requests
	Seer      *Seer     // lets admins see as another
}

// Config has the dependencies and settings of accounts. DB, Users, Keys, Issuer
// and Vault are required.
type Config struct {
	// DB is the service's database.
	DB *store.DB
	// Log gets errors for which a request does not fail.
	Log *slog.Logger
	// Users and Keys are the service's entities of users and of API keys.
	Users, Keys *Table
	// Versions are those of REST that a key can be pinned to. Nil: any.
	Versions []string
	// Bus brings the ends of sign-ins from other processes. Nil: none.
	Bus pubsub.Bus
	// Limiter counts registrations. A network may have as many as Rate says.
	Limiter ratelimit.Limiter
	Rate    ratelimit.Rate
	// Pause has a sign-in wait, which comes from a network with many failures. Nil: a
	// timer does.
	Pause func(ctx context.Context, d time.Duration) error
	// Jobs accepts mail to be sent later, and Mail sends it.
	Jobs *jobs.Client
	Mail mail.Sender

	Issuer *Issuer
	Vault  *Vault
	// PasswordCost is bcrypt's.
	PasswordCost int
	// Verification says whether addresses are verified, and AskPassword whether
	// users show their password to change theirs.
	Verification Verification
	AskPassword  bool
	// ResetPage, VerifyPage and TakeBackPage are pages of the front end that take
	// the tokens of mails. Without one the mail has the token alone.
	ResetPage, VerifyPage, TakeBackPage string
	// Provider is the identity provider that people can sign in through. They end
	// at one of the FrontEnds, ByCode with a one-time code in place of a token.
	Provider  *idp.Provider
	FrontEnds []string
	ByCode    bool
}

// New puts accounts together.
func New(c Config) *Accounts {
	if c.Bus == nil {
		c.Bus = new(pubsub.Memory)
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	passwords := NewPasswords(c.PasswordCost)
	throttle := &Throttle{DB: c.DB, Vault: c.Vault, Pause: c.Pause}
	factor := &SecondFactor{DB: c.DB, Vault: c.Vault, Passwords: passwords, Throttle: throttle, Service: c.Issuer.Name}
	gate := &Gatekeeper{DB: c.DB, Issuer: c.Issuer, Vault: c.Vault, Verified: c.Verification == VerificationRequired}
	addresses := &Addresses{
		DB: c.DB, Users: c.Users, Vault: c.Vault, Factor: factor, Gate: gate, Verification: c.Verification, AskPassword: c.AskPassword,
		Tell: Notify(c.Jobs), Mail: c.Mail, VerifyPage: c.VerifyPage, TakeBackPage: c.TakeBackPage,
	}
	a := &Accounts{
		Registrar:     &Registrar{DB: c.DB, Users: c.Users, Passwords: passwords, Limiter: c.Limiter, Rate: c.Rate, Addresses: addresses},
		Authenticator: &Authenticator{DB: c.DB, Passwords: passwords, Throttle: throttle, Factor: factor, Gate: gate},
		Gate:          gate,
		Factor:        factor,
		Resetter:      &Resetter{DB: c.DB, Passwords: passwords, Throttle: throttle, Gate: gate, Ask: AskForReset(c.Jobs), Mail: c.Mail, Page: c.ResetPage},
		Addresses:     addresses,
		Keyring:       &Keyring{DB: c.DB, Keys: c.Keys, Versions: c.Versions},
		Verifier:      NewVerifier(c.DB, c.Issuer, c.Bus, c.Log),
		Seer:          &Seer{DB: c.DB, Users: c.Users, Issuer: c.Issuer, Gate: gate, Log: c.Log},
	}
	a.Verifier.tenants = c.Users.tenants()
	if c.Provider != nil {
		a.Federator = &Federator{
			DB: c.DB, Vault: c.Vault, Factor: factor, Gate: gate, Registrar: a.Registrar,
			Provider: c.Provider, FrontEnds: c.FrontEnds, ByCode: c.ByCode,
		}
	}
	return a
}
