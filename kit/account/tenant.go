package account

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// tenants says to which tenant callers belong, by a column of their users: an API
// key to that of who made it (doc/schema/tenants.md). It is nil where users have
// no such column.
type tenants struct {
	db        *store.DB
	user, key statement.Statement
	signIns   statement.Statement // as signInsOfOne
	active    statement.Statement // as activeOfOne
}

// tenants are those of the users.
func (t *Table) tenants() *tenants {
	if t == nil || t.Rules.Tenancy == nil || !t.Rules.Tenancy.Viewers {
		return nil
	}
	tenant := fmt.Sprintf("COALESCE(users.%q, 0)", t.Rules.Tenancy.Column)
	column := "SELECT " + tenant + " FROM "
	return &tenants{
		db:   t.DB,
		user: statement.Of(column + `users WHERE users.id = $1`),
		key:  statement.Of(column + `api_keys JOIN users ON users.id = api_keys.creator_id WHERE api_keys.id = $1`),

		signIns: signInsText(tenant),
		active:  activeText(tenant),
	}
}

// tell completes a caller with the tenant.
func (t *tenants) tell(ctx context.Context, who *viewer.Viewer) error {
	if t == nil || who == nil {
		return nil
	}
	by, id := t.user, who.UserID
	if who.KeyID != 0 {
		by, id = t.key, who.KeyID
	}
	if _, err := by.Row(ctx, t.db, []any{&who.Tenant}, id); err != nil {
		return store.Problem(fmt.Errorf("find the tenant of a caller: %w", err))
	}
	return nil
}

// HasTenants reports whether users belong to tenants.
func (d *Directory) HasTenants() bool { return d.Users.tenants() != nil }

// Tell completes a caller who is a user with the tenant that they belong to.
func (d *Directory) Tell(ctx context.Context, who *viewer.Viewer) error {
	return d.Users.tenants().tell(ctx, who)
}

// SetTenant gives a user who has none a tenant. It is for good.
func (d *Directory) SetTenant(ctx context.Context, id, tenant int64) error {
	_, err := d.Users.set(ctx, id, d.Users.Rules.Tenancy.Column, tenant)
	return store.Problem(err)
}
