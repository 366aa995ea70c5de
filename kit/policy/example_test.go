package policy_test

import (
	"fmt"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Rules of a schema say which rows a caller reads, and who may do what to them.
func ExampleRules() {
	mine := policy.Any(policy.Owner("author_id"), policy.Roles(viewer.Admin))
	rules := policy.Rules{
		Read:  policy.Any(policy.Is("published", true), mine),
		Verbs: policy.Verbs{policy.Create: mine, policy.Update: mine, policy.Delete: mine, "publish": mine},
	}
	fmt.Println(len(rules.Verbs), "verbs have a rule")
	// Output: 4 verbs have a rule
}
