package policy_test

import (
	"errors"
	"testing"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

func TestRulesHoldWithinATenant(t *testing.T) {
	t.Parallel()
	rules := policy.Rules{
		SoftDelete: true,
		Read:       policy.Any(policy.Is("published", true), policy.Having("id", "likes", "post_id", policy.Owner("user_id")), policy.Not(policy.Another("posts", policy.Is("pinned", true)))),
		Verbs:      policy.Verbs{policy.Update: policy.Roles(viewer.Admin), policy.Delete: policy.SignedIn()},
	}.Within(policy.Tenancy{Column: "org_id", Across: []viewer.Role{viewer.Admin}, Tables: map[string]string{"posts": "org_id", "likes": "of_org"}})
	ours := &viewer.Viewer{UserID: 7, Role: "user", Tenant: 3}
	const kept = `("p"."deleted_with" IS NULL OR "p"."deleted_with" <> 0)`
	const likes = `EXISTS (SELECT 1 FROM "likes" AS "r0" WHERE "r0"."post_id" = "p"."id" AND `
	const posts = `EXISTS (SELECT 1 FROM "posts" AS "r0" WHERE "r0"."id" <> "p"."id" AND `
	for _, c := range []struct {
		name string
		rule policy.Rule
		want string
	}{
		{"a user of a tenant", rules.Readable(ours, false), `("p"."org_id" = ? AND ("p"."deleted_at" IS NULL AND ("p"."published" OR ` +
			likes + `("r0"."of_org" = ? AND "r0"."user_id" = ?)) OR NOT COALESCE((` + posts + `("r0"."org_id" = ? AND "r0"."pinned"))), FALSE))))`},
		{"a role across tenants", rules.Readable(&viewer.Viewer{UserID: 1, Role: viewer.Admin}, true), `(` + kept + ` AND ("p"."published" OR ` +
			likes + `"r0"."user_id" = ?) OR NOT COALESCE((` + posts + `"r0"."pinned")), FALSE)))`},
		{"the system within one", rules.Readable(viewer.InTenant(3), false), `("p"."org_id" = ? AND "p"."deleted_at" IS NULL)`},
		{"an operator", rules.Readable(viewer.AcrossTenants(), true), kept},
		{"the system", rules.Readable(viewer.System(), true), `1=0`},
		{"a user without one", rules.Readable(user, true), `1=0`},
		{"a verb", rules.May(ours, policy.Delete), `"p"."org_id" = ?`},
		{"a verb of others", rules.May(ours, policy.Update), `1=0`},
	} {
		if got := written(c.rule); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	for _, c := range []struct {
		name string
		v    *viewer.Viewer
		want error
	}{
		{"a user of a tenant", ours, nil}, {"a user without one", user, policy.ErrTenant}, {"an API key without one", reader, policy.ErrTenant},
		{"the system", system, policy.ErrTenant}, {"an operator", viewer.AcrossTenants(), nil}, {"anonymous", anonymous, problem.ErrAuthRequired},
		{"a key within one", &viewer.Viewer{KeyID: 1, Tenant: 3}, problem.ErrForbidden},
	} {
		if err := rules.Check(c.v, policy.Delete); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	users := policy.Rules{Read: policy.SignedIn()}.Within(policy.Tenancy{Column: "org_id", Viewers: true})
	if got := written(users.Readable(user, false)); got != `"p"."id" = ?` {
		t.Errorf("a user without a tenant reads %s, want their own row", got)
	}
}
