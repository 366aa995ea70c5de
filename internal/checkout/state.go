package checkout

import (
	"context"
	"strings"

	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/write"
)

// How orders and payments go from one state to the next is declared at their
// status, in package schema: statements are made of that.

// from admits rows of the entity in a state from which the verb leads.
func from(e *write.Entity, verb string) func(*sql.Selector) {
	states := make([]any, 0, 2)
	for _, state := range expose.Before(e.State.Moves, verb) {
		states = append(states, state)
	}
	return sql.FieldIn(e.State.Column, states...)
}

// touch sets columns of a row of the entity that is in a state from which the
// verb leads, if the viewer may do that: it reports whether there is such a row.
func (c *Cashier) touch(ctx context.Context, e *write.Entity, verb string, id int64, values map[string]any) (bool, error) {
	u := e.Rows.Update(c.DB.Driver())
	if err := u.Set(values); err != nil {
		return false, err
	}
	u.WhereP(sql.FieldEQ("id", id), from(e, verb))
	n, err := u.Save(policy.As(ctx, verb))
	return n > 0, err
}

// before is the condition, in SQL, that a row is in a state from which the verb leads.
func before(e *write.Entity, verb string) string {
	states := expose.Before(e.State.Moves, verb)
	if len(states) == 1 {
		return "status = '" + states[0] + "'"
	}
	return "status IN ('" + strings.Join(states, "', '") + "')"
}

// after sets, in SQL, the state to which the verb leads.
func after(e *write.Entity, verb string) string {
	return "status = '" + expose.After(e.State.Moves, verb)[0] + "'"
}
