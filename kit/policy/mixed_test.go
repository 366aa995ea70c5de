package policy_test

import (
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/privacy"
	"entgo.io/ent/schema/mixin"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

type shelved struct{ mixin.Schema }

func (shelved) Policy() ent.Policy {
	return policy.Rules{Read: policy.Is("shelved", false), Verbs: policy.Verbs{policy.Delete: policy.Roles(viewer.Admin)}}
}

type byHand struct{ mixin.Schema }

func (byHand) Policy() ent.Policy {
	return privacy.Policy{Query: privacy.QueryPolicy{privacy.AlwaysAllowRule()}}
}

// writing has rules of ent/privacy for mutations alone.
type writing struct{ mixin.Schema }

func (writing) Policy() ent.Policy {
	return privacy.Policy{Mutation: privacy.MutationPolicy{privacy.DenyMutationOperationRule(ent.OpCreate)}}
}

type paper struct {
	ent.Schema
	mixins []ent.Mixin
}

func (p paper) Mixin() []ent.Mixin { return p.mixins }

func (paper) Policy() ent.Policy {
	return privacy.Policies{policy.Rules{Read: policy.Is("published", true), Verbs: policy.Verbs{policy.Update: policy.SignedIn(), policy.Delete: policy.SignedIn()}}}
}

// The rules of mixins and of the schema have to admit together, and a verb that one of
// them does not name is the others'.
func TestRulesOfMixinsNarrowThoseOfTheSchema(t *testing.T) {
	t.Parallel()
	rules := policy.Of(paper{mixins: []ent.Mixin{shelved{}, mixin.Schema{}}})
	for _, c := range []struct {
		what, got, want string
	}{
		{"a reader", written(rules.Readable(user, false)), `(NOT "p"."shelved" AND "p"."published")`},
		{"an update", written(rules.May(user, policy.Update)), "1=1"},
		{"a delete by a user", written(rules.May(user, policy.Delete)), "1=0"},
		{"a delete by an admin", written(rules.May(admin, policy.Delete)), "1=1"},
		{"a verb without a rule", written(rules.May(admin, policy.Create)), "1=0"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", c.what, c.got, c.want)
		}
	}
	if _, ok := policy.Find(paper{mixins: []ent.Mixin{byHand{}}}); ok {
		t.Error("rules by hand for queries are among policy.Rules")
	}
	if rules, ok := policy.Find(paper{mixins: []ent.Mixin{writing{}, shelved{}}}); !ok || !rules.ByHand() || written(rules.Readable(user, false)) != `(NOT "p"."shelved" AND "p"."published")` {
		t.Errorf("rules by hand for mutations: %v, %+v", ok, rules)
	}
}
