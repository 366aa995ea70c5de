package policy_test

import (
	"math/rand/v2"
	"testing"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// A row that a rule admits has one of its pins, whatever the rule is.
func TestRowsHaveThePinsOfTheirRules(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 7))
	values := map[string][]any{
		"author_id": {int64(1), int64(2), nil}, "status": {"draft", "done", "late"}, "public": {true, false}, "archived_at": {int64(1), nil},
	}
	var random func(depth int) policy.Rule
	random = func(depth int) policy.Rule {
		if depth > 0 && r.IntN(3) > 0 {
			a, b := random(depth-1), random(depth-1)
			return []policy.Rule{policy.All(a, b), policy.Any(a, b), policy.Not(a)}[r.IntN(3)]
		}
		return []policy.Rule{
			policy.Owner("author_id"), policy.Is("public", true), policy.Is("author_id", 2), policy.In("status", "draft", "done"), policy.In("author_id", 1, 2),
			policy.Null("archived_at"), policy.Anyone(), policy.Nobody(),
		}[r.IntN(8)]
	}
	pinned := 0
	for range 5000 {
		rule := random(3).For(&viewer.Viewer{UserID: int64(1 + r.IntN(2)), Role: "user"})
		pins, ok := rule.Pins()
		if !ok {
			continue
		}
		pinned++
		row := map[string]any{}
		for column, all := range values {
			row[column] = all[r.IntN(len(all))]
		}
		if !rule.Matches(func(column string) any { return row[column] }) {
			continue
		}
		has := false
		for _, p := range pins {
			has = has || row[p.Column] == p.Value
		}
		if !has {
			t.Fatalf("%v is admitted by %s, and has none of %v", row, rule.WordsFor(viewer.Anonymous(), func(column string) string { return column }), pins)
		}
	}
	if pinned < 500 {
		t.Errorf("only %d of 5000 rules have pins", pinned)
	}
}

// Of what all of several rules demand the pins are those that the fewest rows have.
func TestPinsAreTheFewest(t *testing.T) {
	t.Parallel()
	rule := policy.All(policy.Is("public", true), policy.In("status", "draft", "done"), policy.Owner("author_id"))
	pins, ok := rule.For(&viewer.Viewer{UserID: 7}).Pins()
	if !ok || len(pins) != 1 || pins[0] != (policy.Pin{Column: "author_id", Value: int64(7)}) {
		t.Errorf("the pins are %v", pins)
	}
	if pins, ok := policy.Any(policy.Is("public", true), policy.Related("id", "members", policy.Owner("user_id"))).For(&viewer.Viewer{UserID: 7}).Pins(); ok {
		t.Errorf("a rule on related rows has the pins %v", pins)
	}
}
