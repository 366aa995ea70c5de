package checkout

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/statement"
	"github.com/entwine-go/entwine/schema"
)

// Event is what happens to an order.
type Event string

// The events. The first three are asked for, the others follow.
const (
	Pay     Event = "pay"
	Cancel  Event = "cancel"
	Refund  Event = "refund"
	Capture Event = "capture"
	Fail    Event = "fail"
	Expire  Event = "expire"
)

// Transition takes an order from one state to another.
type Transition struct {
	From  order.Status
	Event Event
	// To has two states for a refund: it depends on what is left.
	To []order.Status
}

// Transitions are all there are: what is not here does not happen.
var Transitions = []Transition{
	{order.StatusPending, Pay, []order.Status{order.StatusProcessing, order.StatusPaid}}, // paid at once: there is nothing to pay
	{order.StatusProcessing, Capture, []order.Status{order.StatusPaid}},
	{order.StatusProcessing, Fail, []order.Status{order.StatusPending}},
	{order.StatusPending, Cancel, []order.Status{order.StatusCancelled}},
	{order.StatusPending, Expire, []order.Status{order.StatusExpired}},
	{order.StatusPaid, Refund, []order.Status{order.StatusPartiallyRefunded, order.StatusRefunded}},
	{order.StatusPartiallyRefunded, Refund, []order.Status{order.StatusPartiallyRefunded, order.StatusRefunded}},
}

// from lists the states in which the event can happen.
func from(e Event) (states []order.Status) {
	for _, t := range Transitions {
		if t.Event == e {
			states = append(states, t.From)
		}
	}
	return states
}

// done says in a sentence what the event does to an order.
var done = map[Event]string{Pay: "paid", Cancel: "cancelled", Refund: "refunded"}

// refused says why the event touched no order: there is none that the viewer
// can read, they may not, or its state does not allow it.
func (c *Cashier) refused(ctx context.Context, id int64, e Event) error {
	o, err := orm.Client(c.DB).Order.Query().Where(order.ID(typedid.OrderID(id))).Select(order.FieldStatus).Only(ctx)
	if ent.IsNotFound(err) {
		return errNotFound
	}
	if err != nil {
		return fmt.Errorf("find order %d: %w", id, err)
	}
	if slices.Contains(from(e), o.Status) { // by now: it may have been another state a moment ago
		if err := c.may(ctx, entity.Order, id, e); err != nil {
			return err
		}
		return processing("the order was being changed: try again")
	}
	if o.Status == order.StatusProcessing {
		return processing("the order is processing: its payment is being made")
	}
	left := false
	if _, err := anythingLeftText.Row(ctx, c.DB, []any{&left}, id); err != nil {
		return fmt.Errorf("find what is left of order %d: %w", id, err)
	}
	return problem.New(problem.Conflict, "the order is %s: it can't be %s; %s", spoken(string(o.Status)), done[e], allowed(o.Status, left))
}

var anythingLeftText = statement.Of(`
	SELECT EXISTS (SELECT 1 FROM payments WHERE order_id = $1 AND status = 'succeeded' AND amount_refunded < amount)`)

// may is [problem.ErrForbidden] where the viewer may not cause the event of
// the row that they can read.
func (c *Cashier) may(ctx context.Context, of *reading.Entity, id int64, e Event) error {
	reader := &reading.Reader{DB: c.DB, Dialect: c.DB.Dialect}
	may, err := reader.May(ctx, of, reading.ByID(of, id), string(e))
	if err == nil && !may {
		err = problem.ErrForbidden
	}
	return err
}

// errNotFound answers for an order that is not there, or not for this viewer.
var errNotFound = reading.NotFound(entity.Order)

// processing answers while the gateway is being asked.
func processing(message string) error {
	p := problem.New(problem.Conflict, "%s", message)
	p.RetryAfter = time.Second
	return p
}

// allowed names the actions that a client sees of an order in the state.
func allowed(s order.Status, left bool) string {
	var names []string
	for _, a := range schema.OrderActions(string(s), left) {
		names = append(names, a.Name)
	}
	if names == nil {
		return "nothing can be done to it"
	}
	return "allowed: " + strings.Join(names, ", ")
}

func spoken(state string) string { return strings.ReplaceAll(state, "_", " ") }
