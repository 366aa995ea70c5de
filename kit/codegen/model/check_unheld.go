package model

import (
	"fmt"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/facts"
)

// checkUnheld refuses policies and interceptors that hold in Ent's client and in
// no API: the engines read and write by policy.Rules of the schema and its mixins. An
// entity that no API shows is read by Ent's client alone, so all of them hold.
func (m *Model) checkUnheld(t *gen.Type, all []facts.Unheld) (errs []error) {
	shown := m.entity(t.Name) != nil
	for _, u := range all {
		own := u.Method == "Policy" && u.Mixin == ""
		if !shown && !(own && TenantOf(t) != nil) {
			continue
		}
		errs = append(errs, &SchemaError{Entity: t.Name, Method: u.Method, Mixin: u.Mixin, Err: whyUnheld(u)})
	}
	return errs
}

func whyUnheld(u facts.Unheld) error {
	subject := u.Method
	if u.Mixin != "" {
		subject += " of the mixin " + u.Mixin
	}
	switch {
	case u.Method == "Interceptors":
		return fmt.Errorf("%s: the APIs read without interceptors and would show the rows that these hide: a condition of Read in the policy.Rules of the schema is allowed (%s)", subject, guide)
	case u.Reads:
		return fmt.Errorf("%s returns %s with rules for queries: the APIs would not hold it, since lists, search, live lists and events are conditions that the database is asked: "+
			"policy.Rules is allowed, expose.Tenant for tenants, and rules of ent/privacy for mutations (%s)", subject, u.Type, guide)
	}
	return fmt.Errorf("%s returns %s: no policy.Rules say which rows the APIs may show: policy.Rules beside it are allowed (%s)", subject, u.Type, guide)
}

// guide is where the way of this kit is described.
const guide = "doc/guides/policies.md#policies-of-entprivacy"
