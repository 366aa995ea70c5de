package payments

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// Sandbox is a gateway that moves no money. Its answer follows from the last two
// digits of the amount in minor units, the same for charges and refunds:
//
//	02  declined
//	03  the answer is lost (a timeout), and the money was taken
//	04  the answer comes later: pending at first, and taken after Delay
//	05  the answer comes twice: through Notify too
//	06  the gateway fails (502), and no money was taken
//	    any other amount is taken at once
//
// Its books are a table of their own, so that its answers are right after any
// crash, as those of a provider elsewhere.
type Sandbox struct {
	DB *store.DB // where its books are
	// Delay is how late late answers are: 2 s if zero.
	Delay time.Duration
	// Notify is called with the key of a call whose answer comes twice. May be nil.
	Notify func(ctx context.Context, key string)
}

// The meanings of the last two digits of an amount.
const (
	declined = 2
	lost     = 3
	late     = 4
	twice    = 5
	broken   = 6
)

// Name implements Gateway.
func (*Sandbox) Name() string { return "sandbox" }

// Charge implements Gateway.
func (s *Sandbox) Charge(ctx context.Context, c Charge) (Result, error) {
	if c.Amount%100 == broken {
		return s.failing(ctx, c.Key)
	}
	b := booking{key: c.Key, amount: c.Amount, currency: c.Currency}
	b.decide()
	return s.answer(ctx, b)
}

// Refund implements Gateway. It pays back no more than was taken.
func (s *Sandbox) Refund(ctx context.Context, r Refund) (result Result, err error) {
	if r.Amount%100 == broken {
		return s.failing(ctx, r.Key)
	}
	b := booking{key: r.Key, charge: r.Charge, amount: r.Amount, currency: r.Currency}
	b.decide()
	err = s.DB.InTx(ctx, func(ctx context.Context) error {
		if err := s.DB.Lock(ctx, "sandbox "+r.Charge); err != nil {
			return err
		}
		var left int64
		found, err := leftText.Row(ctx, s.DB, []any{&left}, r.Charge, r.Key)
		if err != nil {
			return fmt.Errorf("read charge %s: %w", r.Charge, err)
		}
		if !found || left < r.Amount {
			b.status, b.reason = "failed", "There is less left than is to be paid back."
		}
		return s.book(ctx, &b)
	})
	if err != nil {
		return Result{}, err
	}
	return s.tell(ctx, b)
}

// Retrieve implements Gateway.
func (s *Sandbox) Retrieve(ctx context.Context, key string) (Result, error) {
	b := booking{key: key}
	found, err := s.read(ctx, &b)
	switch {
	case err != nil:
		return Result{}, err
	case !found:
		return Result{}, ErrUnknown
	}
	return b.result(), nil
}

// Cancel implements Gateway.
func (s *Sandbox) Cancel(ctx context.Context, key string) (Result, error) {
	b := booking{key: key, currency: "XXX", status: "canceled", reason: "The gateway had not carried it out."}
	if err := s.book(ctx, &b); err != nil {
		return Result{}, err
	}
	return b.result(), nil
}

// failing fails, unless the key was cancelled.
func (s *Sandbox) failing(ctx context.Context, key string) (Result, error) {
	b := booking{key: key}
	found, err := s.read(ctx, &b)
	if err == nil && found {
		return b.result(), nil
	}
	return Result{}, errUpstream(errors.Join(err, errors.New("the sandbox fails for amounts that end in 06")))
}

// answer books the charge and answers as its amount says.
func (s *Sandbox) answer(ctx context.Context, b booking) (Result, error) {
	if err := s.book(ctx, &b); err != nil {
		return Result{}, err
	}
	return s.tell(ctx, b)
}

// tell answers with the booking. A booking that was there before is returned
// unchanged: the answer is lost once only.
func (s *Sandbox) tell(ctx context.Context, b booking) (Result, error) {
	if b.amount%100 == lost && b.fresh {
		return Result{}, errTimeout(errors.New("the sandbox loses the first answer for amounts that end in 03"))
	}
	if b.amount%100 == twice && s.Notify != nil {
		s.Notify(ctx, b.key)
	}
	return b.result(), nil
}

// booking is an entry in the books.
type booking struct {
	id             int64
	key, charge    string
	amount         int64
	currency       string
	status, reason string
	wait           float64 // seconds until the event is sent
	waiting, fresh bool
}

// decide says what becomes of an amount.
func (b *booking) decide() {
	b.status = "succeeded"
	switch b.amount % 100 {
	case declined:
		b.status, b.reason = "failed", "The card was declined."
	case late:
		b.waiting = true
	}
}

func (b *booking) result() Result {
	r := Result{Outcome: Failed, Reason: b.reason, Reference: "sandbox_" + strconv.FormatInt(b.id, 10)}
	switch {
	case b.waiting:
		r.Outcome = Pending
	case b.status == "succeeded":
		r.Outcome = Succeeded
	}
	return r
}

var (
	leftText = statement.Of(`
		SELECT amount - COALESCE((SELECT SUM(amount) FROM sandbox_charges
			WHERE charge_key = $1 AND status = 'succeeded' AND idempotency_key <> $2), 0)
		FROM sandbox_charges WHERE idempotency_key = $1 AND status = 'succeeded'`)
	bookText = statement.Of(`
		INSERT INTO sandbox_charges (idempotency_key, charge_key, amount, currency, status, reason, settles_at, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, later($7), now())
		ON CONFLICT DO NOTHING RETURNING id`)
	readText = statement.Of(`
		SELECT id, amount, status, reason, settles_at > now() FROM sandbox_charges WHERE idempotency_key = $1`)
)

// book writes the booking, unless there is one with its key: then that is it.
func (s *Sandbox) book(ctx context.Context, b *booking) error {
	var charge any
	if b.charge != "" {
		charge = b.charge
	}
	if b.waiting {
		b.wait = s.delay().Seconds()
	}
	found, err := bookText.Row(ctx, s.DB, []any{&b.id}, b.key, charge, b.amount, b.currency, b.status, b.reason, b.wait)
	if err != nil {
		return fmt.Errorf("book %s: %w", b.key, err)
	}
	if found {
		b.fresh = true
		return nil
	}
	if _, err = s.read(ctx, b); err != nil {
		return err
	}
	return nil
}

func (s *Sandbox) read(ctx context.Context, b *booking) (found bool, err error) {
	found, err = readText.Row(ctx, s.DB, []any{&b.id, &b.amount, &b.status, &b.reason, &b.waiting}, b.key)
	if err != nil {
		return false, fmt.Errorf("read %s in the books: %w", b.key, err)
	}
	return found, nil
}

func (s *Sandbox) delay() time.Duration {
	if s.Delay == 0 {
		return 2 * time.Second
	}
	return s.Delay
}
