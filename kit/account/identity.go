package account

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/fold"
	"github.com/entwine-go/entwine/kit/idp"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// user returns whom the provider speaks of, who is made if they come for the
// first time. Users are not matched by e-mail address: registering the address
// of another person, here or at the provider, would open their account.
func (f *Federator) user(ctx context.Context, is *idp.Identity, from Origin) (*User, error) {
	who, err := f.known(ctx, is)
	if who != nil || err != nil {
		return who, err
	}
	if err := f.Registrar.Users.valid("email", is.Email); err != nil {
		return nil, problem.Wrap(err, problem.InvalidCredentials, "the identity provider names no e-mail address for you")
	}
	if err := f.Registrar.admit(ctx, from.Address); err != nil {
		return nil, err
	}
	who, failure := f.create(ctx, is)
	if !store.IsUnique(failure) {
		return who, store.Problem(failure)
	}
	// The same person in a request beside this one, or another with the address.
	if who, err = f.known(ctx, is); who != nil || err != nil {
		return who, err
	}
	return nil, problem.Wrap(failure, problem.Duplicate, "somebody has an account with this e-mail address already: sign in with its password")
}

var (
	identityText = statement.Of(`
		SELECT i.id, ` + userColumns + ` FROM external_identities AS i JOIN users ON users.id = i.user_id
		WHERE i.issuer = $1 AND i.subject = $2`)
	noteIdentityText = statement.Of(`
		UPDATE external_identities SET last_used_at = $2, email = coalesce(nullif($3::text, ''), email) WHERE id = $1`)
)

// known returns the user of an identity that was here before, nil for a new one.
func (f *Federator) known(ctx context.Context, is *idp.Identity) (*User, error) {
	var id int64
	who := new(User)
	found, err := identityText.Row(ctx, f.DB, append([]any{&id}, who.columns()...), is.Issuer, is.Subject)
	if err != nil {
		return nil, store.Problem(fmt.Errorf("find external identity: %w", err))
	}
	if !found {
		return nil, nil
	}
	if !who.Active {
		return nil, problem.Wrap(fmt.Errorf("user %d is deactivated", who.ID), problem.InvalidCredentials, "this account can't be used")
	}
	if _, err := noteIdentityText.Exec(ctx, f.DB, id, f.now(), is.Email); err != nil {
		return nil, store.Problem(fmt.Errorf("note external identity %d: %w", id, err))
	}
	return who, f.verify(ctx, who, is)
}

// verify notes that the provider has verified the address that the user has.
func (f *Federator) verify(ctx context.Context, who *User, is *idp.Identity) error {
	if !is.EmailVerified || fold.String(is.Email) != fold.String(who.Email) {
		return nil
	}
	if done, err := verified(ctx, f.DB, who); done || err != nil {
		return store.Problem(err)
	}
	return store.Problem(vouch(ctx, f.DB, who.ID, is.Email, proofProvider, f.now()))
}

var createIdentityText = statement.Of(`
	INSERT INTO external_identities (created_at, issuer, subject, email, user_id, last_used_at) VALUES (now(), $1, $2, $3, $4, $5)`)

// create makes a plain user for an identity that is new here.
func (f *Federator) create(ctx context.Context, is *idp.Identity) (*User, error) {
	var made *User
	err := f.DB.InTx(ctx, func(ctx context.Context) (err error) {
		made, err = f.Registrar.insert(ctx, map[string]any{"name": f.displayName(is), "email": is.Email})
		if err != nil {
			return err
		}
		if _, err := createIdentityText.Exec(ctx, f.DB, is.Issuer, is.Subject, is.Email, made.ID, f.now()); err != nil {
			return err
		}
		if is.EmailVerified {
			return vouch(ctx, f.DB, made.ID, made.Email, proofProvider, f.now())
		}
		return f.Registrar.Addresses.Made(ctx, made.Email)
	})
	if err != nil {
		return nil, fmt.Errorf("create user of external identity: %w", err)
	}
	return made, nil
}

// displayName returns a name that a user may have: the provider's where it
// fits, else what the e-mail address begins with.
func (f *Federator) displayName(is *idp.Identity) string {
	const most = 100
	name := expose.CleanLine(is.Name)
	if utf8.RuneCountInString(name) > most {
		name = strings.TrimSpace(string([]rune(name)[:most]))
	}
	if f.Registrar.Users.valid("name", name) == nil {
		return name
	}
	if name, _, _ = strings.Cut(is.Email, "@"); f.Registrar.Users.valid("name", name) == nil {
		return name
	}
	return "New user"
}
