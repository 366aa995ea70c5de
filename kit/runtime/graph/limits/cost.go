package limits

import (
	"context"
	"strconv"

	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/graph/prepared"
	"github.com/entwine-go/entwine/kit/runtime/ratelimit"
)

// CostName is what a cost is called in extensions: an operation's, and the
// [Spent] of a response.
const CostName = "cost"

// reservedName is where it is kept what an operation was charged for.
const reservedName = "reserved"

// SetCost notes what an operation costs.
func SetCost(op *graphql.OperationContext, cost prepared.Cost) { op.Stats.SetExtension(CostName, cost) }

// CostOf returns what an operation costs.
func CostOf(op *graphql.OperationContext) prepared.Cost {
	cost, _ := op.Stats.GetExtension(CostName).(prepared.Cost)
	return cost
}

// Requested is what an operation may cost at most.
func Requested(op *graphql.OperationContext) int { return CostOf(op).Requested }

// Charge counts what an operation may cost for the caller, beside the request
// itself, until [Settle] knows what it did cost.
func Charge(ctx context.Context, op *graphql.OperationContext) error {
	cost := CostOf(op)
	reserved, err := ratelimit.Charge(ctx, cost.Requested/ratelimit.Cost)
	if err != nil {
		return tooDear(err, cost)
	}
	op.Stats.SetExtension(reservedName, reserved)
	return nil
}

// tooDear says in a refusal what the operation costs, and what would help.
func tooDear(err error, cost prepared.Cost) error {
	p := problem.As(err)
	if p == nil || p.Kind != problem.RateLimited {
		return err
	}
	told := *p
	told.Message += "; the operation costs " + strconv.Itoa(cost.Requested) + ", its costliest path is " + cost.Path + ": " + advice + ", or wait"
	return &told
}

// Settle gives back what an operation was charged for and did not cost. It is
// called with the operation's last response.
func Settle(ctx context.Context, op *graphql.OperationContext, s Spent) {
	if reserved, ok := op.Stats.GetExtension(reservedName).(ratelimit.Reserved); ok {
		op.Stats.SetExtension(reservedName, nil)
		reserved.Settle(ctx, s.Actual/ratelimit.Cost)
	}
}

// Spent is what an operation may cost, and what it did: as many fields as it
// answered, and what is fixed, but no more than that, whatever a list of no
// known length came to.
type Spent struct{ Requested, Actual int }

// Append writes extensions.cost, with the most that an operation may cost and,
// where callers are limited, what is left to this one until the limit is reset.
func (s Spent) Append(ctx context.Context, body []byte) []byte {
	return append(append(body, `"extensions":`...), s.Object(ctx)...)
}

// Object is the extensions of a response that has come to it.
func (s Spent) Object(ctx context.Context) []byte {
	body := []byte(`{"cost":{"requested":`)
	body = strconv.AppendInt(body, int64(s.Requested), 10)
	body = strconv.AppendInt(append(body, `,"actual":`...), int64(s.Actual), 10)
	body = strconv.AppendInt(append(body, `,"limit":`...), maxCost, 10)
	if left, ok := ratelimit.Left(ctx); ok {
		body = strconv.AppendInt(append(body, `,"remaining":`...), int64(left)*ratelimit.Cost, 10)
	}
	return append(body, "}}"...)
}
