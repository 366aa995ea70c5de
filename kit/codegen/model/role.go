package model

import (
	"fmt"
	"slices"

	"github.com/entwine-go/entwine/kit/codegen/facts"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// strange says of the first role that no user can have which are allowed, and is
// empty where there is none.
func strange(of, allowed []viewer.Role) string {
	for _, role := range of {
		if len(allowed) > 0 && !slices.Contains(allowed, role) {
			return fmt.Sprintf("role %q: the roles of users are allowed: %s", role, list(allowed))
		}
	}
	return ""
}

// checkRoles refuses policies that name roles that no user, or permissions that no API
// key can have.
func (m *Model) checkRoles(told facts.Entity) (errs []error) {
	t, allowed := m.node(told.Name), m.Roles()
	check := func(name, says string, rule policy.Rule) {
		if wrong := strange(rule.RolesNamed(), allowed); wrong != "" {
			errs = append(errs, ProblemAt(t, name, fmt.Errorf("%s: policy.Roles: %s", says, wrong)))
		}
		for _, p := range rule.PermissionsNamed() {
			if p != viewer.Read && p != viewer.Write {
				errs = append(errs, ProblemAt(t, name, fmt.Errorf("%s: policy.Key: permission %q: those of API keys are allowed: %s, %s", says, p, viewer.Read, viewer.Write)))
			}
		}
	}
	if told.Rules != nil {
		check("", "policy.Rules: Read", told.Rules.Read)
		for _, verb := range told.Rules.Verbs {
			check("", fmt.Sprintf("policy.Rules: verb %q", verb), told.Rules.Allowed[verb])
		}
	}
	for _, edge := range t.Edges {
		check(edge.Name, "policy.Attach", told.Attach[edge.Name])
	}
	return errs
}
