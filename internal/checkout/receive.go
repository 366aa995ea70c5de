package checkout

import (
	"context"
	stdsql "database/sql"
	"errors"
	"fmt"

	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/ent/paymentevent"
	"github.com/entwine-go/entwine/kit/payments"
)

// Receive handles an event of the gateway, whose signature has been verified, and
// reports whether it is about a row here. The decision is asked of the gateway itself,
// as [Cashier.Hear] does, and written in one transaction with the event: sent again, in
// whatever order, an event has no effect. A charge that the gateway has not decided
// after all is an error, so that the gateway sends the message again.
func (c *Cashier) Receive(ctx context.Context, e payments.Event) (ours bool, err error) {
	s, known := settlementOf(e.Key)
	if !known || !e.Decisive() {
		return false, nil
	}
	found, open, err := c.open(ctx, s)
	if err != nil || !found {
		return false, err
	}
	told, err := c.Ent.PaymentEvent.Query().Where(paymentevent.EventID(e.ID)).Exist(system(ctx))
	if err != nil || told {
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
		err := c.Ent.PaymentEvent.Create().SetEventID(e.ID).SetType(e.Type).
			OnConflict(sql.ConflictColumns(paymentevent.FieldEventID), sql.DoNothing()).Exec(ctx)
		if errors.Is(err, stdsql.ErrNoRows) { // another process received it meanwhile
			return nil
		}
		if err != nil || !open {
			return err
		}
		return c.record(ctx, s, result)
	})
	if err != nil {
		return true, fmt.Errorf("receive event %s: %w", e.ID, err)
	}
	return true, nil
}
