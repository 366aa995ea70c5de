package checkout

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/kit/payments"
	"github.com/entwine-go/entwine/kit/store/statement"
)

var (
	toldText = statement.Of(`SELECT 1 FROM payment_events WHERE event_id = $1`)
	tellText = statement.Of(`
		INSERT INTO payment_events (event_id, type, created_at) VALUES ($1, $2, now()) ON CONFLICT (event_id) DO NOTHING`)
)

// Receive is told of an event by the gateway, whose word has been verified,
// and reports whether it is about something here. What was decided is asked of
// the gateway itself, as [Cashier.Hear] does, and written in one transaction
// with the event: told again, in whatever order, an event has no effect. What
// the gateway has not decided after all is an error, and to be told again.
func (c *Cashier) Receive(ctx context.Context, e payments.Event) (ours bool, err error) {
	s, known := settlementOf(e.Key)
	if !known || !e.Decisive() {
		return false, nil
	}
	found, open, err := c.open(ctx, s)
	if err != nil || !found {
		return false, err
	}
	told := 0
	if before, err := toldText.Row(ctx, c.DB, []any{&told}, e.ID); err != nil || before {
		return true, err
	}
	var result payments.Result
	if open {
		if result, err = c.decision(ctx, s); err != nil {
			return true, err
		}
	}
	ctx, cancel := recording(ctx)
	defer cancel()
	err = c.DB.InTx(ctx, func(ctx context.Context) error {
		n, err := tellText.Exec(ctx, c.DB, e.ID, e.Type)
		if err != nil || n == 0 || !open {
			return err
		}
		return c.record(ctx, s, result)
	})
	if err != nil {
		return true, fmt.Errorf("receive event %s: %w", e.ID, err)
	}
	return true, nil
}
