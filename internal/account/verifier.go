package account

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/internal/store"
	"github.com/entwine-go/entwine/internal/viewer"
)

// Verifier turns credentials into viewers, on every request. What it has
// proven it believes for two seconds; after that a deactivated user, a
// changed role or a revoked key is noticed. It implements web.Authenticator.
type Verifier struct {
	issuer *Issuer
	ent    *ent.Client
	log    *slog.Logger
	tokens recent
	keys   recent
}

// NewVerifier returns a verifier of the issuer's tokens and the database's keys.
func NewVerifier(db *store.DB, issuer *Issuer, log *slog.Logger) *Verifier {
	return &Verifier{issuer: issuer, ent: store.Client(db), log: log}
}

// Token returns the user whom an access token was issued to, or 401.
func (v *Verifier) Token(ctx context.Context, text string) (*viewer.Viewer, error) {
	now := v.issuer.now()
	if known := v.tokens.get(text, now); known != nil {
		return known, nil
	}
	claims, err := v.issuer.Verify(text)
	if err != nil {
		return nil, err
	}
	who, err := v.user(ctx, claims)
	if err != nil {
		return nil, err
	}
	v.tokens.put(text, who, now, claims.ExpiresAt.Time)
	return who, nil
}

// user returns the viewer that the claims speak of, as the database knows them now.
func (v *Verifier) user(ctx context.Context, claims *Claims) (*viewer.Viewer, error) {
	who, err := v.ent.User.Query().
		Where(user.ID(typedid.UserID(claims.UserID)), user.IsActive(true)).
		Select(user.FieldID, user.FieldRole).
		Only(viewer.With(ctx, viewer.System()))
	if ent.IsNotFound(err) {
		return nil, errInvalid
	}
	if err != nil {
		return nil, store.Problem(fmt.Errorf("find user %d: %w", claims.UserID, err))
	}
	return &viewer.Viewer{UserID: claims.UserID, Role: viewer.Role(who.Role), SessionID: claims.SessionID}, nil
}

// APIKey returns the program that a key belongs to, or 401.
func (v *Verifier) APIKey(ctx context.Context, text string) (*viewer.Viewer, error) {
	now := v.issuer.now()
	if known := v.keys.get(text, now); known != nil {
		return known, nil
	}
	prefix, secret, ok := splitKey(text)
	if !ok {
		return nil, errKey
	}
	key, err := v.key(viewer.With(ctx, viewer.System()), prefix, secret, now)
	if err != nil {
		return nil, err
	}
	who := &viewer.Viewer{KeyID: int64(key.ID), Client: key.ClientName}
	for _, p := range key.Permissions {
		who.Permissions = append(who.Permissions, viewer.Permission(p))
	}
	var expires time.Time
	if key.ExpiresAt != nil {
		expires = *key.ExpiresAt
	}
	v.keys.put(text, who, now, expires)
	return who, nil
}
