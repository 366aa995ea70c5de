package checkout

import (
	"strings"

	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/runtime/writing"
)

// How orders and payments go from one state to the next is declared at their
// status, in package schema: statements are made of that.

// from lists the states of orders from which the verb leads.
func from(verb string) (states []order.Status) {
	for _, state := range expose.Before(rows.Order.State.Moves, verb) {
		states = append(states, order.Status(state))
	}
	return states
}

// before is the condition, in SQL, that a row is in a state from which the verb leads.
func before(e *writing.Entity, verb string) string {
	states := expose.Before(e.State.Moves, verb)
	if len(states) == 1 {
		return "status = '" + states[0] + "'"
	}
	return "status IN ('" + strings.Join(states, "', '") + "')"
}

// after sets, in SQL, the state to which the verb leads.
func after(e *writing.Entity, verb string) string {
	return "status = '" + expose.After(e.State.Moves, verb)[0] + "'"
}
