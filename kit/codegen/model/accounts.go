package model

import "github.com/entwine-go/entwine/kit/expose"

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
func (m *Model) Users() *Entity {
	for _, e := range m.Entities {
		if e.Name == "User" {
			return e
		}
	}
	return nil
}

// FirstRole is the role of those who sign up.
func (m *Model) FirstRole() string {
	users := m.Users()
	if users == nil {
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
