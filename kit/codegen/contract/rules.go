package contract

import (
	"cmp"
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

// callers are those that rules can tell apart.
func callers() []caller {
	all := []caller{{"anonymous", viewer.Anonymous()}}
	for _, role := range viewer.Roles() {
		all = append(all, caller{string(role), &viewer.Viewer{UserID: 1, Role: role}})
	}
	for _, p := range []viewer.Permission{viewer.Read, viewer.Write} {
		all = append(all, caller{string(p) + "-key", &viewer.Viewer{KeyID: 1, Permissions: []viewer.Permission{p}}})
	}
	return all
}

func rulesOf(told *facts.Rules) []Rule {
	all := []Rule{ruleOf("read", told.Read)}
	for verb, rule := range told.Allowed {
		all = append(all, ruleOf(verb, rule))
	}
	slices.SortFunc(all[1:], func(a, b Rule) int { return cmp.Compare(a.Verb, b.Verb) })
	return all
}

// linksOf are the rules about which rows clients may link to those of the entity, by
// the edges.
func linksOf(shown *model.Entity, told []facts.Entity) (all []Rule) {
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
		all = append(all, ruleOf("attach "+edge.Name, rule))
	}
	return all
}

func ruleOf(verb string, rule policy.Rule) Rule {
	r := Rule{Verb: verb, Says: rule.String(), Rows: map[string]string{}}
	for _, c := range callers() {
		switch folded := rule.For(c.viewer); {
		case folded.Always():
			r.Rows[c.name] = All
		case !folded.Never():
			r.Rows[c.name] = folded.String()
		}
	}
	return r
}
