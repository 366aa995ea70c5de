package checkout

import (
	"context"
	"strings"

	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/ent/predicate"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"
)

// How orders and payments go from one state to the next is declared at their
// status, in package schema: conditions are made of that.

// orderAt admits orders in a state from which the verb leads.
func orderAt(verb string) predicate.Order { return from(rows.Order, verb) }

// paymentAt admits payments in a state from which the verb leads.
func paymentAt(verb string) predicate.Payment { return from(rows.Payment, verb) }

func from(e *write.Entity, verb string) func(*sql.Selector) {
	return sql.FieldIn(e.State.Column, expose.Before(e.State.Moves, verb)...)
}

// before is the condition, in SQL, that a row is in a state from which the verb leads.
func before(e *write.Entity, verb string) string {
	return "status IN ('" + strings.Join(expose.Before(e.State.Moves, verb), "', '") + "')"
}

// system is the context in which what follows from a change is written, which the
// caller could not do by itself.
func system(ctx context.Context) context.Context { return viewer.With(ctx, viewer.System()) }

// after sets, in SQL, the state to which the verb leads.
func after(e *write.Entity, verb string) string {
	return "status = '" + expose.After(e.State.Moves, verb)[0] + "'"
}
