package policy

import (
	"slices"

	"github.com/entwine-go/entwine/kit/viewer"
)

// Callers are kinds of viewers: those that a rule may admit to some row.
type Callers struct {
	// Anonymous callers have no credentials, Keys are API keys, and Users are signed in.
	Anonymous, Keys, Users bool
	// Roles are those that users need one of: any user will do where it is empty.
	Roles []viewer.Role
}

var everyone = Callers{Anonymous: true, Keys: true, Users: true}

// Admits returns the kinds of callers that the rule may admit, whatever the rows are:
// for documents, which say what credentials an operation takes.
func (r Rule) Admits() Callers {
	switch r.op {
	case opNever:
		return Callers{}
	case opAuthenticated, opTenant:
		return Callers{Keys: true, Users: true}
	case opSignedIn, opOwner:
		return Callers{Users: true}
	case opRoles:
		return Callers{Users: len(r.roles) > 0, Roles: r.roles}
	case opKey, opKeyOwner:
		return Callers{Keys: true}
	case opRelated, opAnother:
		return r.rules[0].Admits()
	case opNot:
		return r.rules[0].excludes()
	case opAny:
		all := Callers{}
		for _, rule := range r.rules {
			all = all.or(rule.Admits())
		}
		return all
	case opAll:
		all := everyone
		for _, rule := range r.rules {
			all = all.and(rule.Admits())
		}
		return all
	}
	return everyone
}

// excludes are the callers that the rule's negation may admit.
func (r Rule) excludes() Callers {
	switch r.op {
	case opAlways:
		return Callers{}
	case opAuthenticated:
		return Callers{Anonymous: true}
	case opSignedIn:
		return Callers{Anonymous: true, Keys: true}
	}
	return everyone
}

func (c Callers) or(o Callers) Callers {
	all := Callers{Anonymous: c.Anonymous || o.Anonymous, Keys: c.Keys || o.Keys, Users: c.Users || o.Users}
	if (!c.Users || len(c.Roles) > 0) && (!o.Users || len(o.Roles) > 0) {
		all.Roles = slices.Clone(c.Roles)
		for _, role := range o.Roles {
			if !slices.Contains(all.Roles, role) {
				all.Roles = append(all.Roles, role)
			}
		}
	}
	return all
}

func (c Callers) and(o Callers) Callers {
	all := Callers{Anonymous: c.Anonymous && o.Anonymous, Keys: c.Keys && o.Keys, Users: c.Users && o.Users}
	switch {
	case !all.Users:
	case len(c.Roles) == 0:
		all.Roles = o.Roles
	case len(o.Roles) == 0:
		all.Roles = c.Roles
	default:
		all.Roles = slices.DeleteFunc(slices.Clone(c.Roles), func(role viewer.Role) bool { return !slices.Contains(o.Roles, role) })
		all.Users = len(all.Roles) > 0
	}
	return all
}
