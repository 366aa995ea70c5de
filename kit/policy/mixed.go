package policy

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"entgo.io/ent"
	"entgo.io/ent/privacy"
)

// Of returns the rules of a schema: its own, and those that its mixins' Policy return,
// all of which have to admit, as Ent has it. A verb without a rule in one of them is
// left to the others, and refused where none has a rule. Without Read, rules admit no
// reader, in a mixin, too: policy.Anyone() leaves reads to the others. Rules of
// ent/privacy for mutations judge beside: see [Rules.EvalByHand]. It panics where the
// schema has no [Rules], or reads by hand: see [Find].
func Of(s ent.Interface) Rules {
	rules, ok := Find(s)
	if !ok {
		panic(fmt.Sprintf("policy: the policy of %T is no policy.Rules", s))
	}
	rules.of = reflect.Indirect(reflect.ValueOf(s)).Type().Name()
	return rules
}

// Find is [Of], which reports whether the schema has rules, and none that read by hand.
func Find(s ent.Interface) (rules Rules, ok bool) {
	all := make([]ent.Policy, 0, 1)
	for _, m := range s.Mixin() {
		all = append(all, m.Policy())
	}
	return joined(append(all, s.Policy()))
}

// AsRules returns the rules that a policy is: [Rules], or ent/privacy's list of them,
// with rules of ent/privacy for mutations beside.
func AsRules(p ent.Policy) (rules Rules, ok bool) {
	if rules, ok := p.(Rules); ok {
		return rules, true
	}
	return joined([]ent.Policy{p})
}

// joined are the rules that admit what all policies admit, false where one reads by
// hand, or none is [Rules].
func joined(all []ent.Policy) (rules Rules, ok bool) {
	var byHand []privacy.MutationPolicy
	for _, p := range flat(all) {
		if ReadsByHand(p) {
			return Rules{}, false
		}
		of, is := p.(Rules)
		switch {
		case !is:
			byHand = append(byHand, p.(privacy.Policy).Mutation)
		case ok:
			rules = rules.and(of)
		default:
			rules, ok = of, true
		}
	}
	rules.byHand = append(slices.Clip(rules.byHand), byHand...)
	return rules, ok
}

// flat lists the policies that lists of ent/privacy have, and leaves out those that say
// nothing.
func flat(all []ent.Policy) (single []ent.Policy) {
	for _, p := range all {
		switch p := p.(type) {
		case nil:
		case privacy.Policies:
			single = append(single, flat(p)...)
		default:
			single = append(single, p)
		}
	}
	return single
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
	return Rules{
		Read: All(r.Read, other.Read), Verbs: verbs, SoftDelete: r.SoftDelete || other.SoftDelete, With: cmp.Or(r.With, other.With),
		byHand: append(slices.Clip(r.byHand), other.byHand...),
	}
}
