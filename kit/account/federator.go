package account

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/idp"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Federator signs users in through an identity provider.
//
//	Begin  -> the browser goes to the provider, and comes back
//	Return -> the user is found, or made, by what the provider calls them
//	          and has a grant, or a one-time code for [Federator.Exchange]
type Federator struct {
	DB       *store.DB        // where users and sign-ins under way are
	Vault    *Vault           // makes the secrets of browsers and codes
	Factor   *SecondFactor    // asks for a one-time code where the user has one
	Gate     *Gatekeeper      // begins the sign-in
	Provider IdentityProvider // package idp has one for OpenID Connect
	// Registrar counts those who come for the first time as it counts those who
	// register, and asks them to verify their address if the provider has not.
	Registrar *Registrar
	// FrontEnds are the addresses that browsers may be sent to at the end, to
	// the letter. The first is where they go if they don't say.
	FrontEnds []string
	// ByCode hands the front end a one-time code instead of a token.
	ByCode bool
	// Now is the time, time.Now where it is nil.
	Now func() time.Time
}

// IdentityProvider is the part of package idp that a Federator uses.
type IdentityProvider interface {
	// AuthURL returns the address that a browser begins at: see [idp.Provider.AuthURL].
	AuthURL(ctx context.Context, state, nonce, verifier string) (string, error)
	// Exchange returns the person who came back. Clients may read its errors: see
	// [idp.Provider.Exchange].
	Exchange(ctx context.Context, back idp.Callback, verifier string, matches func(nonce string) bool) (*idp.Identity, error)
}

// errNoProvider is the answer where there is none.
var errNoProvider = problem.New(problem.NotFound, "no identity provider is configured")

// externalLoginLife is how long a user may take at the provider.
const externalLoginLife = 10 * time.Minute

// Departure is a browser that leaves for the provider.
type Departure struct {
	// URL is where it goes.
	URL string
	// Browser is a secret that it keeps in a cookie, so that a sign-in
	// is completed by the browser that began it (login CSRF).
	Browser Token
}

var beginLoginText = statement.Of(`
	INSERT INTO external_logins (created_at, state_hash, browser_hash, nonce, verifier, return_to, expires_at)
	VALUES (now(), $1, $2, $3, $4, $5, $6)`)

// Begin begins a sign-in that is to end at the front end's address.
func (f *Federator) Begin(ctx context.Context, returnTo string) (*Departure, error) {
	if f == nil || f.Provider == nil {
		return nil, errNoProvider
	}
	if returnTo == "" {
		returnTo = f.FrontEnds[0]
	}
	if !slices.Contains(f.FrontEnds, returnTo) {
		return nil, problem.Inputs(problem.Invalidf("return_to", returnTo, "is not one of the front end's addresses"))
	}
	state, nonce, verifier := newSecret(), newSecret(), newSecret()
	address, err := f.Provider.AuthURL(ctx, state, nonce, verifier)
	if err != nil {
		return nil, err
	}
	out := &Departure{URL: address, Browser: Token{Text: newSecret(), Expires: f.now().Add(externalLoginLife)}}
	_, err = beginLoginText.Exec(ctx, f.DB, hashSecret(state), hashSecret(out.Browser.Text), nonceHash(nonce),
		f.Vault.seal(forVerifier, 0, []byte(verifier)), returnTo, out.Browser.Expires)
	if err != nil {
		return nil, store.Problem(fmt.Errorf("begin external login: %w", err))
	}
	return out, nil
}

// nonceHash is the stored hash of a nonce.
func nonceHash(nonce string) string {
	sum := sha256.Sum256([]byte(nonce))
	return hex.EncodeToString(sum[:])
}

// Callback has the parameters that a browser brings back from the provider.
type Callback struct {
	State  string // the parameter state, which [Federator.Begin] chose
	Code   string // the provider's authorization code
	Issuer string // the parameter iss, empty where there was none
	// Error is the provider's code for a refusal, empty for none.
	Error string
	// Browser is the secret of its cookie.
	Browser string
}

func (c Callback) check() error {
	var bad []problem.Detail
	if c.State == "" {
		bad = append(bad, problem.Invalidf("state", nil, "is required"))
	}
	if c.Code == "" && c.Error == "" {
		bad = append(bad, problem.Invalidf("code", nil, "is required"))
	}
	return problem.Inputs(bad...)
}

// Arrival is a browser that comes back from the provider.
type Arrival struct {
	// ReturnTo is the front end's address where it goes, signed in or not.
	ReturnTo string
	// Grant has the tokens of the user who has signed in, nil where the front end gets
	// a code.
	Grant *Grant
	// Code is a one-time code for [Federator.Exchange].
	Code string
}

// errState is the answer to a browser that completes what it did not begin.
var errState = problem.New(problem.InvalidCredentials, "this sign-in was not begun here, or has expired: sign in again")

// Return completes a sign-in, once. The kind of the error is InvalidCredentials where the identity
// is not proven, Duplicate where another user has the e-mail address, and RateLimited where too
// many people have come from the network for the first time. It is Forbidden where they have to
// verify their address, and BadGateway or GatewayTimeout where the provider fails. With an error,
// too, the arrival says where the browser goes, which is nil only where there is no provider.
func (f *Federator) Return(ctx context.Context, back Callback, from Origin) (*Arrival, error) {
	if f == nil || f.Provider == nil {
		return nil, errNoProvider
	}
	in := &Arrival{ReturnTo: f.FrontEnds[0]}
	if err := back.check(); err != nil {
		return in, err
	}
	ctx = viewer.With(ctx, viewer.AcrossTenants())
	begun, err := f.consume(ctx, back)
	if err != nil {
		return in, err
	}
	in.ReturnTo = begun.returnTo
	who, err := f.identify(ctx, begun, back, from)
	if err != nil {
		return in, err
	}
	return in, f.arrive(ctx, in, who, from)
}

// identify returns whom the provider says that the browser is.
func (f *Federator) identify(ctx context.Context, begun *begunLogin, back Callback, from Origin) (*User, error) {
	if back.Error != "" {
		return nil, problem.Wrap(fmt.Errorf("the provider says %q", shortened(back.Error)), problem.InvalidCredentials, "the identity provider did not sign you in")
	}
	verifier, err := f.Vault.open(forVerifier, 0, begun.verifier)
	if err != nil {
		return nil, fmt.Errorf("complete external login: %w", err)
	}
	identity, err := f.Provider.Exchange(ctx, idp.Callback{Code: back.Code, Issuer: back.Issuer}, string(verifier), func(nonce string) bool {
		return subtle.ConstantTimeCompare([]byte(nonceHash(nonce)), []byte(begun.nonce)) == 1
	})
	if err != nil {
		return nil, err
	}
	return f.user(ctx, identity, from)
}

// begunLogin is a sign-in that a browser has begun.
type begunLogin struct {
	verifier        []byte // sealed
	nonce, returnTo string
}

var consumeText = statement.Of(`
	DELETE FROM external_logins WHERE state_hash = $1 AND browser_hash = $2 AND expires_at > $3
	RETURNING verifier, nonce, return_to`)

// consume returns the sign-in that the browser began. It is not there again.
func (f *Federator) consume(ctx context.Context, back Callback) (*begunLogin, error) {
	begun := new(begunLogin)
	found, err := consumeText.Row(ctx, f.DB, []any{&begun.verifier, &begun.nonce, &begun.returnTo},
		hashSecret(back.State), hashSecret(back.Browser), f.now())
	if err != nil {
		return nil, store.Problem(fmt.Errorf("consume external login: %w", err))
	}
	if !found { // or a request beside this one was first
		return nil, errState
	}
	return begun, nil
}

// arrive lets the user in, or hands the front end a code where it asked for
// one or where a second factor is missing.
func (f *Federator) arrive(ctx context.Context, in *Arrival, who *User, from Origin) error {
	has, err := credentialOf(ctx, f.DB, who.ID)
	if err != nil {
		return err
	}
	if f.ByCode || has.enabled {
		in.Code, err = f.handOff(ctx, who)
	} else {
		in.Grant, err = f.Gate.Admit(ctx, who, ModeBearer, from)
	}
	return err
}

// shortened is a text from outside as the log gets it.
func shortened(text string) string { return strings.ToValidUTF8(text[:min(len(text), 100)], "") }

func (f *Federator) now() time.Time {
	if f.Now != nil {
		return store.Time(f.Now())
	}
	return store.Time(time.Now())
}
