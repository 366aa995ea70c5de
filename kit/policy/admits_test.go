package policy_test

import (
	"reflect"
	"testing"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

func TestARuleSaysWhichCallersItMayAdmit(t *testing.T) {
	admin, editor := policy.Roles("admin"), policy.Roles("editor", "admin")
	some := func(roles ...viewer.Role) policy.Callers { return policy.Callers{Users: true, Roles: roles} }
	for name, c := range map[string]struct {
		rule policy.Rule
		want policy.Callers
	}{
		"nobody":                {policy.Nobody(), policy.Callers{}},
		"a column":              {policy.Is("published", true), policy.Callers{Anonymous: true, Keys: true, Users: true}},
		"a role":                {admin, some("admin")},
		"one of two roles":      {policy.Any(admin, editor), some("admin", "editor")},
		"both roles":            {policy.All(admin, editor), some("admin")},
		"roles that exclude":    {policy.All(admin, policy.Roles("editor")), policy.Callers{}},
		"an owner or a role":    {policy.Any(policy.Owner("user_id"), admin), some()},
		"a role or a key":       {policy.Any(admin, policy.Key("write")), policy.Callers{Keys: true, Users: true, Roles: []viewer.Role{"admin"}}},
		"signed in, of a state": {policy.All(policy.SignedIn(), policy.Null("deleted_at")), some()},
		"a related row":         {policy.Related("order_id", "orders", policy.Owner("user_id")), some()},
		"not signed in":         {policy.Not(policy.SignedIn()), policy.Callers{Anonymous: true, Keys: true}},
		"all or authenticated":  {policy.Any(policy.Authenticated(), policy.Is("open", true)), policy.Callers{Anonymous: true, Keys: true, Users: true}},
	} {
		if got := c.rule.Admits(); !reflect.DeepEqual(got, c.want) && (len(got.Roles) > 0 || len(c.want.Roles) > 0 || got.Users != c.want.Users || got.Keys != c.want.Keys || got.Anonymous != c.want.Anonymous) {
			t.Errorf("%s admits %+v, want %+v", name, got, c.want)
		}
	}
}
