// Package viewer has the caller on whose behalf code runs, in its context: a user,
// an API key, the system, or an anonymous caller.
//
// Every request, job and seed carries one [Viewer] in its context. Policies
// (package policy) decide by it and by nothing else; a context without a
// viewer is anonymous, so forgetting to set one can only hide rows.
package viewer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/entwine-go/entwine/kit/internal/carry"
	"github.com/entwine-go/entwine/kit/problem"
)

// Role is the role of a user. Roles are a set, not a ladder: a rule names every
// role it admits.
type Role string

// Admin is the role of those who administer a service: the one role that the kit
// names. The others are the service's own, which its entity of users lists
// (doc/guides/accounts.md).
const Admin Role = "admin"

// Permission is a right of an API key.
type Permission string

// The permissions of API keys.
const (
	Read  Permission = "read"
	Write Permission = "write"
)

// NoUser is a UserID that no user has: of a viewer with the rights of a role, whose own
// no row is. Ids of users are positive.
const NoUser = -1

// Viewer is a caller. The zero value is anonymous.
type Viewer struct {
	// UserID is the signed-in user, 0 for anonymous callers, API keys and the system.
	UserID int64
	// Role is the signed-in user's role, empty where UserID is 0.
	Role Role
	// KeyID is the API key that called, 0 otherwise.
	KeyID int64
	// Client is the API key's client name.
	Client string
	// Permissions are the API key's.
	Permissions []Permission
	// Version is the version of REST that the API key is pinned to, empty for none.
	Version string
	// SessionID names the refresh family or session that the credential belongs to.
	SessionID string
	// Expires is when the credential does, zero for never.
	Expires time.Time
	// Actor is the admin who sees as the viewer, 0 for most: the viewer may read what they
	// may, and changes nothing. UserID is [NoUser] where it is a role that is seen as.
	Actor int64
	// System is set for seeds, migrations, commands and workers: every rule admits
	// it. Rows that belong to tenants it reaches as Tenant and Across say.
	System bool
	// Tenant is the id of the viewer's tenant. Of entities that belong to tenants
	// (doc/schema/tenants.md), the viewer reaches the rows of this one. 0: the viewer
	// has no tenant, and is refused there unless Across is set.
	Tenant int64
	// Across is set for the commands of operators and for jobs about all tenants:
	// the viewer reaches the rows of every tenant.
	Across bool

	witness Witness
}

// Witness is called for each policy that is asked of a viewer, so that a request can be explained.
type Witness interface {
	// Asked is called with the verb, which is "read" of reading. Says describes in words
	// the rows of the entity to which the viewer may do it; refused is set where there
	// are none.
	Asked(entity, verb string, says func() string, refused bool)
}

// Watched returns a viewer like v, whose policies call the witness.
func (v *Viewer) Watched(w Witness) *Viewer {
	watched := *v
	watched.witness = w
	return &watched
}

// Witness is the witness of the policies that are asked of v, nil for most.
func (v *Viewer) Witness() Witness { return v.witness }

// ErrEnded is the cause of an error about a credential that was valid: its
// sign-in has ended. Callers that treat it as anonymous look for it with
// errors.Is.
var ErrEnded = errors.New("the sign-in has ended")

var (
	anonymous = &Viewer{}
	system    = &Viewer{System: true}
	operator  = &Viewer{System: true, Across: true}
)

// Anonymous returns the viewer of a request without credentials.
func Anonymous() *Viewer { return anonymous }

// System returns the viewer that every rule admits. It has no tenant:
// policy.ErrTenant refuses its reads and writes of entities that belong to tenants.
// [InTenant] and [AcrossTenants] are for those.
func System() *Viewer { return system }

// AcrossTenants returns the system's viewer who reaches the rows of every tenant:
// for commands of operators, and jobs that are about all tenants.
func AcrossTenants() *Viewer { return operator }

// InTenant returns the system's viewer who reaches the rows of the tenant with the id,
// and of entities that belong to no tenant.
func InTenant(tenant int64) *Viewer { return &Viewer{System: true, Tenant: tenant} }

// AsSystem returns the system's viewer with the tenants of v: of one, of all, or of
// none.
func (v *Viewer) AsSystem() *Viewer {
	if v.Tenant == 0 && !v.Across {
		return system
	}
	return &Viewer{System: true, Tenant: v.Tenant, Across: v.Across}
}

// Authenticated reports whether v is a user, an API key or the system, and not
// anonymous.
func (v *Viewer) Authenticated() bool { return v.System || v.UserID != 0 || v.KeyID != 0 }

// ErrReadOnly answers what an admin asks who sees as another: to change something.
var ErrReadOnly = problem.New(problem.Forbidden, "this token only reads: an admin who sees as another changes nothing")

// MayChange returns [ErrReadOnly] for an admin who views the service as another user.
// The APIs and the write engine call it before every change.
func (v *Viewer) MayChange() error {
	if v.Actor != 0 {
		return ErrReadOnly
	}
	return nil
}

// Is reports whether the viewer is a user with one of the roles.
func (v *Viewer) Is(roles ...Role) bool {
	return v.UserID != 0 && slices.Contains(roles, v.Role)
}

// May reports whether the viewer is an API key with the permission.
func (v *Viewer) May(p Permission) bool {
	return v.KeyID != 0 && slices.Contains(v.Permissions, p)
}

// Rights is a text of everything that rules may ask of a viewer: two viewers with the
// same rights see the same. The sign-in is not among it: the devices of a user have
// one name.
func (v *Viewer) Rights() string {
	return fmt.Sprintf("%d %s %d %s %q %t %d %t %d", v.UserID, v.Role, v.KeyID, v.Client, v.Permissions, v.System, v.Tenant, v.Across, v.Actor)
}

// Changed is the topic of wake-ups (package pubsub) after a user's role or status has
// changed or a user was removed: processes verify credentials anew that they had
// verified before.
const Changed = "viewers"

// Context is a context that acts for the viewer that it holds, nil for the anonymous
// one. A context that has more to say of a request has it as a field.
type Context = carry.Context[*Viewer]

// With returns a context with the viewer v, which [From] returns.
func With(ctx context.Context, v *Viewer) context.Context { return carry.With(ctx, v) }

// Holder returns the context that holds the viewer of ctx, nil where there is none.
func Holder(ctx context.Context) *Context { return carry.Of[*Viewer](ctx) }

// From returns the context's viewer, the anonymous one if there is none.
func From(ctx context.Context) *Viewer {
	if v := carry.From[*Viewer](ctx); v != nil {
		return v
	}
	return anonymous
}
