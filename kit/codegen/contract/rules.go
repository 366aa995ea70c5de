package contract

import (
	"cmp"
	"maps"
	"slices"

	"github.com/entwine-go/entwine/kit/codegen/facts"
	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// All are the rows of a [Rule] that leaves none out.
const All = "all"

// caller is a kind of caller, as the permission matrix names it.
type caller struct {
	name   string
	viewer *viewer.Viewer
}

// Plain is the caller who is a user of a role that no rule names.
const Plain = "user"

// rolesOf are the roles of the service: those that its users can have, and where it
// keeps no users those that its rules name.
func rolesOf(m *model.Model, told []facts.Entity) []string {
	all := roles(m.Roles())
	add := func(rule policy.Rule) {
		for _, role := range roles(rule.RolesNamed()) {
			if !slices.Contains(all, role) {
				all = append(all, role)
			}
		}
	}
	for _, f := range told {
		if f.Rules != nil {
			add(f.Rules.Read)
			for _, verb := range f.Rules.Verbs {
				add(f.Rules.Allowed[verb])
			}
		}
		for _, edge := range slices.Sorted(maps.Keys(f.Attach)) {
			add(f.Attach[edge])
		}
	}
	return all
}

// callers are those that rules can tell apart.
func callers(roles []string) []caller {
	all := []caller{{"anonymous", viewer.Anonymous()}}
	if !slices.Contains(roles, Plain) {
		all = append(all, caller{Plain, &viewer.Viewer{UserID: 1}})
	}
	for _, role := range roles {
		all = append(all, caller{role, &viewer.Viewer{UserID: 1, Role: viewer.Role(role)}})
	}
	for _, p := range []viewer.Permission{viewer.Read, viewer.Write} {
		all = append(all, caller{string(p) + "-key", &viewer.Viewer{KeyID: 1, Permissions: []viewer.Permission{p}}})
	}
	return all
}

func rulesOf(told *facts.Rules, by []caller) []Rule {
	all := []Rule{ruleOf("read", told.Read, by)}
	for verb, rule := range told.Allowed {
		all = append(all, ruleOf(verb, rule, by))
	}
	slices.SortFunc(all[1:], func(a, b Rule) int { return cmp.Compare(a.Verb, b.Verb) })
	return all
}

// linksOf are the rules about which rows clients may link to those of the entity, by
// the edges.
func linksOf(shown *model.Entity, told []facts.Entity, by []caller) (all []Rule) {
	of := func(name string) facts.Entity {
		i := slices.IndexFunc(told, func(f facts.Entity) bool { return f.Name == name })
		if i < 0 {
			return facts.Entity{}
		}
		return told[i]
	}
	for _, edge := range shown.Written() {
		to := of(edge.To.Name)
		if to.Rules == nil {
			continue
		}
		rule, says := of(shown.Name).Attach[edge.Name]
		if !says {
			rule = to.Rules.Allowed[policy.Update]
		}
		all = append(all, ruleOf("attach "+edge.Name, rule, by))
	}
	return all
}

func ruleOf(verb string, rule policy.Rule, by []caller) Rule {
	r := Rule{Verb: verb, Says: rule.String(), Rows: map[string]string{}}
	for _, c := range by {
		switch folded := rule.For(c.viewer); {
		case folded.Always():
			r.Rows[c.name] = All
		case !folded.Never():
			r.Rows[c.name] = folded.String()
		}
	}
	return r
}
