package account

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/externalidentity"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/ent/verifiedemail"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/idp"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/fold"
	"github.com/entwine-go/entwine/kit/runtime/store"
)

// user returns whom the provider speaks of, who is made if they come for the
// first time. Nobody is found by an e-mail address: whoever registers an
// address here, or there, would get into the account of who comes after.
func (f *Federator) user(ctx context.Context, is *idp.Identity, from Origin) (*ent.User, error) {
	who, err := f.known(ctx, is)
	if who != nil || err != nil {
		return who, err
	}
	if err := user.EmailValidator(is.Email); err != nil {
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

// known returns the user of an identity that was here before, nil for a new one.
func (f *Federator) known(ctx context.Context, is *idp.Identity) (*ent.User, error) {
	client := orm.Client(f.DB)
	found, err := client.ExternalIdentity.Query().
		Where(externalidentity.Issuer(is.Issuer), externalidentity.Subject(is.Subject)).WithUser().Only(ctx)
	if ent.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, store.Problem(fmt.Errorf("find external identity: %w", err))
	}
	who := found.Edges.User // nil when deleted
	if who == nil || !who.IsActive {
		return nil, problem.Wrap(fmt.Errorf("user %d is deactivated", found.UserID), problem.InvalidCredentials, "this account can't be used")
	}
	update := client.ExternalIdentity.UpdateOne(found).SetLastUsedAt(f.now())
	if is.Email != "" {
		update.SetEmail(is.Email)
	}
	if err := update.Exec(ctx); err != nil {
		return nil, store.Problem(fmt.Errorf("note external identity %d: %w", found.ID, err))
	}
	return who, f.verify(ctx, who, is)
}

// verify notes that the provider has verified the address that the user has.
func (f *Federator) verify(ctx context.Context, who *ent.User, is *idp.Identity) error {
	if !is.EmailVerified || fold.String(is.Email) != fold.String(who.Email) {
		return nil
	}
	if done, err := verified(ctx, f.DB, who); done || err != nil {
		return store.Problem(err)
	}
	return store.Problem(vouch(ctx, f.DB, who.ID, is.Email, verifiedemail.ProofProvider, f.now()))
}

// create makes a plain user for an identity that is new here.
func (f *Federator) create(ctx context.Context, is *idp.Identity) (*ent.User, error) {
	var made *ent.User
	err := f.DB.InTx(ctx, func(ctx context.Context) (err error) {
		client := orm.Client(f.DB)
		made, err = client.User.Create().SetName(displayName(is)).SetEmail(is.Email).Save(ctx)
		if err != nil {
			return err
		}
		err = client.ExternalIdentity.Create().SetIssuer(is.Issuer).SetSubject(is.Subject).
			SetEmail(is.Email).SetUserID(made.ID).SetLastUsedAt(f.now()).Exec(ctx)
		if err != nil {
			return err
		}
		if is.EmailVerified {
			return vouch(ctx, f.DB, made.ID, made.Email, verifiedemail.ProofProvider, f.now())
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
func displayName(is *idp.Identity) string {
	const most = 100
	name := expose.CleanLine(is.Name)
	if utf8.RuneCountInString(name) > most {
		name = strings.TrimSpace(string([]rune(name)[:most]))
	}
	if user.NameValidator(name) == nil {
		return name
	}
	if name, _, _ = strings.Cut(is.Email, "@"); user.NameValidator(name) == nil {
		return name
	}
	return "New user"
}
