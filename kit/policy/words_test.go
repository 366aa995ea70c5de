package policy_test

import (
	"testing"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

func TestWords(t *testing.T) {
	t.Parallel()
	readable := policy.Any(
		policy.All(policy.Is("published", true), policy.Null("archived_at")),
		policy.Owner("author_id"),
		policy.Roles("editor", viewer.Admin),
	)
	user := &viewer.Viewer{UserID: 1, Role: "user"}
	for _, c := range []struct {
		rule       policy.Rule
		says, for_ string
	}{
		{readable, "(published is true and archived_at is empty) or author_id is the caller or the caller is editor or admin", "(published is true and archived_at is empty) or author_id is the caller"},
		{policy.Anyone(), "every caller", "every row"},
		{policy.Roles(viewer.Admin), "the caller is admin", "no row"},
		{policy.SignedIn(), "the caller is signed in", "every row"},
		{policy.Key(viewer.Write), "the caller has an API key with the permission write", "no row"},
		{policy.Not(policy.Null("paid_at")), "paid_at is not empty", "paid_at is not empty"},
		{policy.In("status", "paid", "refunded"), "status is paid or refunded", "status is paid or refunded"},
		{policy.Related("order_id", "orders", policy.Owner("user_id")), "order_id is one of the orders where user_id is the caller", "order_id is one of the orders where user_id is the caller"},
		{policy.Having("id", "payments", "order_id", policy.Anyone()), "there is one of the payments with its id as order_id", "there is one of the payments with its id as order_id"},
		{policy.All(policy.SignedIn(), policy.Owner("id")), "the caller is signed in and id is the caller", "id is the caller"},
	} {
		same := func(column string) string { return column }
		if got := c.rule.Words(same); got != c.says {
			t.Errorf("%s: %q, want %q", c.rule, got, c.says)
		}
		if got := c.rule.WordsFor(user, same); got != c.for_ {
			t.Errorf("%s for a user: %q, want %q", c.rule, got, c.for_)
		}
	}
}
