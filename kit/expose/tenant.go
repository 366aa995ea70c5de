package expose

import (
	"slices"

	"github.com/entwine-go/entwine/kit/viewer"
)

// Belonging says whose the rows of an entity are. Schemas do not fill it in:
// [Tenant] makes one.
type Belonging struct {
	Column string        `json:"column"`
	Users  bool          `json:"users,omitempty"`
	Roles  []viewer.Role `json:"roles,omitempty"`
}

// Name implements schema.Annotation.
func (Belonging) Name() string { return "EntwineTenant" }

// Tenant says that the rows of an entity belong to the tenant whose id is in the
// column (doc/schema/tenants.md):
//
//	field.Int64("org_id").Immutable()
//	…
//	expose.Tenant("org_id")
//
// Callers reach the rows of their own tenant and no others, whatever rules and
// filters say, and so does Go code, which names a tenant or all of them. Rows that
// are made get the tenant of who makes them. Unique indexes hold within a tenant,
// and the databases refuse rows that refer to a row of another tenant. The entity
// of tenants itself has expose.Tenant("id").
func Tenant(column string) Belonging { return Belonging{Column: column} }

// OfUsers says, of the entity of users, that the column is where the tenant of a
// caller comes from. It may be null: such a user reaches their own row alone. It is
// set once. Unique indexes of users hold across tenants, as users sign in by them.
func (b Belonging) OfUsers() Belonging {
	b.Users = true
	return b
}

// Across lets users with one of the roles reach the rows of every tenant, as far as
// rules admit them.
func (b Belonging) Across(roles ...viewer.Role) Belonging {
	b.Roles = append(slices.Clip(b.Roles), roles...)
	return b
}
