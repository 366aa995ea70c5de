package policy_test

import (
	"reflect"
	"testing"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// The columns are found that tell one user from another with the same rights, and it is
// known where columns alone do not.
func TestOwners(t *testing.T) {
	t.Parallel()
	readable := policy.Any(policy.Is("published", true), policy.Owner("author_id"), policy.Roles(viewer.Admin))
	for name, c := range map[string]struct {
		rule  policy.Rule
		want  []policy.Owned
		known bool
	}{
		"of the row":             {readable, []policy.Owned{{Column: "author_id"}}, true},
		"of a row it leads to":   {policy.Related("post_id", "posts", readable), []policy.Owned{{Steps: []policy.Step{{Column: "post_id", Table: "posts"}}, Column: "author_id"}}, true},
		"within a negation":      {policy.Not(policy.Owner("banned_id")), []policy.Owned{{Column: "banned_id"}}, true},
		"rights alone":           {policy.All(policy.SignedIn(), policy.Null("deleted_at")), nil, true},
		"one of many members":    {policy.Having("id", "members", "org_id", policy.Owner("user_id")), nil, false},
		"many, whoever they are": {policy.Having("id", "members", "org_id", policy.Is("public", true)), nil, true},
		"another row of theirs":  {policy.Another("posts", policy.Owner("author_id")), nil, false},
	} {
		if got, known := c.rule.Owners(); known != c.known || known && !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %v, %t, want %v, %t", name, got, known, c.want, c.known)
		}
	}
	within := policy.Rules{Read: policy.Anyone(), Tenancy: &policy.Tenancy{Column: "org_id"}}
	if _, known := within.Owners(); known {
		t.Error("rows of tenants are known to be alike for all users")
	}
}
