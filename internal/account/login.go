package account

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/credential"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/internal/fold"
	"github.com/entwine-go/entwine/internal/problem"
	"github.com/entwine-go/entwine/internal/store"
	"github.com/entwine-go/entwine/internal/viewer"
)

// Authenticator signs users in.
type Authenticator struct {
	DB        *store.DB
	Passwords *Passwords
	Issuer    *Issuer
}

// SignIn is a user who has signed in, and their access token.
type SignIn struct {
	User  *ent.User
	Token Token
}

// errCredentials is the one answer to whoever can't sign in, whether the
// address is unknown, the password wrong, or the user deactivated.
var errCredentials = problem.New(problem.InvalidCredentials, "the e-mail address or the password is wrong")

// Login signs a user in by password.
func (a *Authenticator) Login(ctx context.Context, email, password string) (*SignIn, error) {
	ctx = viewer.With(ctx, viewer.System())
	who, hash, err := a.find(ctx, email)
	if err != nil {
		return nil, err
	}
	matches, err := a.Passwords.Matches(ctx, hash, password)
	if err != nil {
		return nil, err
	}
	if !matches || !who.IsActive {
		return nil, errCredentials
	}
	if a.Passwords.Outdated(hash) {
		if err := a.rehash(ctx, who, password); err != nil {
			return nil, err
		}
	}
	return a.SignIn(who, "")
}

// SignIn returns what a user has who has proven who they are. The session is
// the sign-in that the token belongs to.
func (a *Authenticator) SignIn(who *ent.User, sessionID string) (*SignIn, error) {
	token, err := a.Issuer.Issue(int64(who.ID), viewer.Role(who.Role), sessionID)
	if err != nil {
		return nil, err
	}
	return &SignIn{User: who, Token: token}, nil
}

// find returns the user with the address and the hash of their password,
// both empty where there are none.
func (a *Authenticator) find(ctx context.Context, email string) (*ent.User, string, error) {
	client := store.Client(a.DB)
	who, err := client.User.Query().Where(user.EmailFold(fold.String(email))).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", fmt.Errorf("find user: %w", err)
	}
	has, err := client.Credential.Query().Where(credential.UserID(who.ID)).Only(ctx)
	if ent.IsNotFound(err) {
		return who, "", nil
	}
	if err != nil {
		return nil, "", fmt.Errorf("find credential of user %d: %w", who.ID, err)
	}
	if has.PasswordHash == nil {
		return who, "", nil
	}
	return who, *has.PasswordHash, nil
}

// rehash stores the password's hash at the cost of today.
func (a *Authenticator) rehash(ctx context.Context, who *ent.User, password string) error {
	hash, err := a.Passwords.Hash(ctx, password)
	if err != nil {
		return err
	}
	err = store.Client(a.DB).Credential.Update().Where(credential.UserID(who.ID)).SetPasswordHash(hash).Exec(ctx)
	if err != nil {
		return fmt.Errorf("update credential of user %d: %w", who.ID, err)
	}
	return nil
}
