package openapi

import (
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/facts"
	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// callers says of an operation by hand who may ask: "users", "admins", who are users with that role, "keys" and "anonymous".
// Without it every caller may.
const callers = "x-callers"

// secure says of each operation which credentials it takes: those of callers whom the
// policy may admit to some row, as handlers ask before anything else. Where users need
// a role it is named, as an alternative for each.
func (r *contract) secure(m *model.Model) error {
	schemes := r.document.at("components", "securitySchemes")
	paths := r.document.at("paths")
	if schemes == nil {
		return nil
	}
	for _, c := range r.calls {
		e, verb := c.Judged()
		op := paths.at(c.Path, c.Method)
		if e.Rules == nil || op == nil { // nothing was asked of the schemas
			continue
		}
		op.set("security", takes(schemes, mayDo(e.Rules, verb)))
	}
	if jobs := m.Jobs(); jobs != nil && jobs.Rules != nil {
		if op := paths.at("/"+jobs.Path+"/{id}/result", "get"); op != nil {
			op.set("security", takes(schemes, mayDo(jobs.Rules, "")))
		}
	}
	if err := r.secureByHand(schemes, paths); err != nil {
		return err
	}
	return r.secureByHand(schemes, r.handled)
}

// secureByHand says the same of the operations whose authors name the callers.
func (r *contract) secureByHand(schemes, paths *node) (err error) {
	eachOperation(paths, func(path, method string, op *node) {
		who, _ := op.get(callers).([]any)
		if who == nil {
			return
		}
		var c policy.Callers
		for _, one := range who {
			switch one {
			case "anonymous":
				c.Anonymous = true
			case "users":
				c.Users = true
			case "admins":
				c.Users, c.Roles = true, []viewer.Role{viewer.Admin}
			case "keys":
				c.Keys = true
			default:
				err = fmt.Errorf("%s %s: %s %q: anonymous, users, admins and keys are allowed", strings.ToUpper(method), path, callers, one)
			}
		}
		op.set("security", takes(schemes, c))
	})
	return err
}

// mayDo are the callers that may do the verb to some row, or read one where it is empty.
func mayDo(rules *facts.Rules, verb string) policy.Callers {
	if verb == "" {
		return rules.Read.Admits()
	}
	return rules.Allowed[verb].Admits()
}

// takes are the alternatives of credentials.
func takes(schemes *node, c policy.Callers) []any {
	if !c.Anonymous && !c.Keys && !c.Users {
		c.Users = true // the system alone may: a user gets that refusal
	}
	var all []any
	if c.Anonymous {
		all = append(all, obj())
	}
	for _, m := range schemes.members {
		key := asNode(m.value).text("in") == "header"
		switch {
		case key && c.Keys, !key && c.Users && len(c.Roles) == 0:
			all = append(all, obj(m.name, arr()))
		case !key && c.Users:
			for _, role := range c.Roles {
				all = append(all, obj(m.name, arr(string(role))))
			}
		}
	}
	return all
}
