package expose

import (
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Check is a rule over the fields of a row together, which the database keeps as
// a CHECK and both APIs judge inputs by, with all else that is wrong with them:
//
//	{Name: "dates", Rule: policy.Any(policy.Null("ends_at"), policy.Less("begins_at", "ends_at")),
//		Fields: []string{"ends_at"}, Says: "must be later than begins_at"}
//
// A row that breaks it is refused with 422 and the names of the fields, whether
// the input alone shows it or the database refuses the row: a write of Go code, or
// a write that another one has come before.
type Check struct {
	// Name is unique among the entity's checks; the constraint is named after the
	// table and it.
	Name string `json:"name"`
	// Rule has to be true of every row. It is about columns of the row alone:
	// [policy.Is], [policy.In], [policy.Less] and [policy.Null], and what joins them.
	// A comparison with null is false.
	Rule policy.Rule `json:"rule"`
	// Fields are named where it is broken, with Says: "must be …".
	Fields []string `json:"fields"`
	Says   string   `json:"says"`
}

// Folded is the rule without what is about viewers.
func (c Check) Folded() policy.Rule { return c.Rule.For(viewer.Anonymous()) }
