package account

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/fold"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// Authenticator signs users in by their password and, where they have set one up,
// a second factor.
type Authenticator struct {
	DB        *store.DB     // where users are
	Passwords *Passwords    // compares passwords
	Throttle  *Throttle     // limits failures
	Factor    *SecondFactor // asks for a one-time code where the user has one
	Gate      *Gatekeeper   // begins the sign-in
}

// Login has the credentials of a sign-in.
type Login struct {
	Email    string // case does not matter
	Password string // in the clear: it is neither stored nor logged
	// Code is a one-time code or a recovery code, empty where none was asked for.
	Code string
	Mode Mode   // how the client will carry its proof
	From Origin // where it comes from
}

// errCredentials is the one answer to failed sign-ins, whether the
// address is unknown, the password or the code wrong, or the user deactivated.
var errCredentials = problem.New(problem.InvalidCredentials, "the e-mail address or the password is wrong")

// ErrCodeNeeded says that the password is right and a one-time code is
// needed: for the doors, which ask for it.
var ErrCodeNeeded = errors.New("a one-time code is needed")

// Login signs a user in. To refuse an address that no user has takes as long
// as to refuse a wrong password. Errors are of kind InvalidCredentials,
// RateLimited after too many of those, and Unavailable where too many sign in
// at once; or [ErrCodeNeeded].
func (a *Authenticator) Login(ctx context.Context, in Login) (*Grant, error) {
	var who *User
	err := a.Throttle.try(ctx, in.Email, in.From, func() (err error) {
		who, err = a.prove(ctx, in)
		return err
	})
	if err != nil {
		return nil, err
	}
	return a.Gate.Admit(ctx, who, in.Mode, in.From)
}

// prove returns the user who signs in.
func (a *Authenticator) prove(ctx context.Context, in Login) (*User, error) {
	who, has, err := a.find(ctx, in.Email)
	if err != nil {
		return nil, err
	}
	hash := ""
	if has.password != nil {
		hash = *has.password
	}
	matches, err := a.Passwords.Matches(ctx, hash, in.Password)
	if err != nil {
		return nil, err
	}
	if !matches || !who.Active {
		return nil, errCredentials
	}
	if has.enabled {
		if err := a.demandCode(ctx, has, in.Code); err != nil {
			return nil, err
		}
	}
	if a.Passwords.Outdated(hash) {
		return who, a.rehash(ctx, who, in.Password)
	}
	return who, nil
}

func (a *Authenticator) demandCode(ctx context.Context, has *credential, code string) error {
	if code == "" {
		return ErrCodeNeeded
	}
	accepted, err := a.Factor.accept(ctx, has, code)
	if err == nil && !accepted {
		return errCredentials
	}
	return err
}

// checkAddress returns an error for a text that is no e-mail address. Whether a
// user has the address is not asked.
func checkAddress(email string) error {
	if err := expose.ValidEmail(email); err != nil {
		return problem.Inputs(problem.Rulef("email", email, "%v", err))
	}
	return nil
}

// addressOf is the folded address to look a user up by, empty where a database
// could not hold it.
func addressOf(email string) string {
	if !storable(email) {
		return ""
	}
	return fold.String(email)
}

// storable reports whether a database can hold the text, and so have it:
// PostgreSQL takes no NUL.
func storable(text string) bool {
	return strings.IndexByte(text, 0) < 0 && utf8.ValidString(text)
}

// find returns the user with the address and what they sign in with, both
// empty where there is no such user: then, too, it asks both tables.
func (a *Authenticator) find(ctx context.Context, email string) (*User, *credential, error) {
	who, err := findUser(ctx, a.DB, userByAddress, addressOf(email))
	if err != nil {
		return nil, nil, err
	}
	if who == nil {
		who = &User{}
	}
	has, err := credentialOf(ctx, a.DB, who.ID)
	return who, has, err
}

var rehashText = statement.Of(`UPDATE credentials SET password_hash = $2, updated_at = now() WHERE user_id = $1`)

// rehash stores the password's hash at the cost of today.
func (a *Authenticator) rehash(ctx context.Context, who *User, password string) error {
	hash, err := a.Passwords.Hash(ctx, password)
	if err != nil {
		return err
	}
	if _, err := rehashText.Exec(ctx, a.DB, who.ID, hash); err != nil {
		return fmt.Errorf("update credential of user %d: %w", who.ID, err)
	}
	return nil
}
