package policy

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"

	"entgo.io/ent"
	"entgo.io/ent/privacy"
)

// Of returns the rules of a schema: its own, and those that its mixins' Policy return,
// all of which have to admit, as Ent has it. A verb of which one of them says nothing is
// left to the others, and refused where none says anything. Without Read, rules admit
// no reader, in a mixin, too: policy.Anyone() leaves reads to the others. It panics
// where the schema has other policies than [Rules]: see [Find].
func Of(s ent.Interface) Rules {
	rules, ok := Find(s)
	if !ok {
		panic(fmt.Sprintf("policy: the policy of %T is no policy.Rules", s))
	}
	rules.of = reflect.Indirect(reflect.ValueOf(s)).Type().Name()
	return rules
}

// Find is [Of], which reports whether the schema has rules, and no other policy.
func Find(s ent.Interface) (rules Rules, ok bool) {
	all := make([]ent.Policy, 0, 1)
	for _, m := range s.Mixin() {
		all = append(all, m.Policy())
	}
	return joined(append(all, s.Policy()))
}

// AsRules returns the rules that a policy is: [Rules], or ent/privacy's list of them.
func AsRules(p ent.Policy) (rules Rules, ok bool) {
	switch p := p.(type) {
	case Rules:
		return p, true
	case privacy.Policies:
		return joined(p)
	}
	return Rules{}, false
}

// joined are the rules that admit what all policies admit, false where one is no rules,
// or there is none.
func joined(all []ent.Policy) (rules Rules, ok bool) {
	for _, p := range all {
		if p == nil {
			continue
		}
		of, is := AsRules(p)
		switch {
		case !is:
			return Rules{}, false
		case ok:
			rules = rules.and(of)
		default:
			rules, ok = of, true
		}
	}
	return rules, ok
}

// and returns the rules that admit what both admit.
func (r Rules) and(other Rules) Rules {
	verbs := Verbs{}
	maps.Copy(verbs, other.Verbs)
	for verb, rule := range r.Verbs {
		if also, said := verbs[verb]; said {
			rule = All(rule, also)
		}
		verbs[verb] = rule
	}
	return Rules{Read: All(r.Read, other.Read), Verbs: verbs, SoftDelete: r.SoftDelete || other.SoftDelete, With: cmp.Or(r.With, other.With)}
}
