package model

import (
	"errors"
	"slices"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Accounts reports whether the schema has the tables of accounts: then users sign
// up and in, and programs have API keys.
func (m *Model) Accounts() bool {
	for _, t := range m.Graph.Nodes {
		var needs expose.Requires
		if ok, err := Annotation(t.Annotations, &needs); ok && err == nil && needs.For == expose.Accounts {
			return true
		}
	}
	return false
}

// Users is the entity of those who have accounts, nil where it is not shown.
func (m *Model) Users() *Entity { return m.shown("User") }

// Keys is the entity of API keys, nil where it is not shown.
func (m *Model) Keys() *Entity { return m.shown("APIKey") }

func (m *Model) shown(name string) *Entity {
	i := slices.IndexFunc(m.Entities, func(e *Entity) bool { return e.Name == name })
	if i < 0 {
		return nil
	}
	return m.Entities[i]
}

// Roles are those that users can have: the values of the field role of the User. Of a
// service that keeps no users there is no list, and its rules name those that
// another issuer knows.
func (m *Model) Roles() (all []viewer.Role) {
	t := m.node("User")
	if t == nil {
		return nil
	}
	f := fieldOf(t, "role")
	if f == nil || !f.IsEnum() {
		return nil
	}
	for _, value := range f.EnumValues() {
		all = append(all, viewer.Role(value))
	}
	return all
}

// checkAccounts refuses users and keys that accounts can't show, and roles of which
// none administers the service.
func (m *Model) checkAccounts() (errs []error) {
	for name, e := range map[string]*Entity{"User": m.Users(), "APIKey": m.Keys()} {
		i := slices.IndexFunc(m.Graph.Nodes, func(t *gen.Type) bool { return t.Name == name })
		switch {
		case i < 0: // which the check of what requires it reports
		case e == nil || !e.Offers(expose.Read):
			errs = append(errs, ProblemAt(m.Graph.Nodes[i], "", errors.New("accounts need it to be shown: an expose.Resource whose operations have expose.Read")))
		}
	}
	users := m.Users()
	if users == nil || users.Field("role") == nil || !users.Field("role").Type.IsEnum() {
		return errs
	}
	if !slices.Contains(users.Field("role").Type.EnumValues(), string(viewer.Admin)) {
		errs = append(errs, ProblemAt(users.Type, "role", errors.New("accounts need the role admin: that of the first user, who makes others what they are")))
	}
	return errs
}

// FirstRole is the role of those who sign up.
func (m *Model) FirstRole() string {
	users := m.Users()
	if users == nil || users.Field("role") == nil {
		return ""
	}
	return users.Field("role").Type.EnumValues()[0]
}

// Describe takes what the schema says of the service as a whole. The operations of
// accounts are on credentials, where it names no others.
func (m *Model) Describe(s expose.Service) {
	m.Service = s
	if s.Credentials.Path == "" && m.Accounts() {
		m.Service.Credentials = expose.AccountCredentials()
	}
}
