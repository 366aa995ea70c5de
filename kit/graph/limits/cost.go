package limits

import (
	"context"
	"strconv"

	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/kit/internal/graph/prepared"
	"github.com/entwine-go/entwine/kit/ratelimit"
)

// CostName is the key of an operation's cost in the extensions of the error about
// it, and of the [Spent] in those of a response.
const CostName = "cost"

// CostOf returns what an operation costs.
func CostOf(op *graphql.OperationContext) prepared.Cost {
	if o := prepared.Of(op); o != nil {
		return o.Cost
	}
	return prepared.Cost{}
}

// Requested is the highest possible cost of an operation.
func Requested(op *graphql.OperationContext) int { return CostOf(op).Requested }

// Charge counts what an operation may cost for the caller, beside the request
// itself, until [Settle] knows what it did cost.
func Charge(ctx context.Context, op *graphql.OperationContext) error {
	o := prepared.Of(op)
	reserved, err := ratelimit.ChargeCost(ctx, o.Cost.Requested, func() string {
		return "the operation costs " + strconv.Itoa(o.Cost.Requested) + ", its costliest path is " + o.Cost.Path + ": " + advice
	})
	if err == nil {
		o.Reserved = reserved
	}
	return err
}

// Settle gives back what an operation was charged for and did not cost. It is
// called with the operation's last response.
func Settle(ctx context.Context, op *graphql.OperationContext, s Spent) {
	if o := prepared.Of(op); o != nil {
		reserved := o.Reserved
		o.Reserved = ratelimit.Reserved{}
		reserved.SettleCost(ctx, s.Actual)
	}
}

// Spent has the highest possible cost of an operation, and its actual cost: the
// fields that it answered and the fixed costs, and never more than the highest
// possible cost.
type Spent struct{ Requested, Actual int }

// Append writes extensions.cost, with the highest possible cost of an operation
// and, where callers are limited, the rest of the caller's limit until it is
// reset.
func (s Spent) Append(ctx context.Context, body []byte) []byte {
	return s.object(ctx, append(body, `"extensions":`...))
}

// Object is the extensions of a response that has come to it.
func (s Spent) Object(ctx context.Context) []byte { return s.object(ctx, nil) }

func (s Spent) object(ctx context.Context, body []byte) []byte {
	body = append(body, `{"cost":{"requested":`...)
	body = strconv.AppendInt(body, int64(s.Requested), 10)
	body = strconv.AppendInt(append(body, `,"actual":`...), int64(s.Actual), 10)
	body = strconv.AppendInt(append(body, `,"limit":`...), maxCost, 10)
	if left, ok := ratelimit.Left(ctx); ok {
		body = strconv.AppendInt(append(body, `,"remaining":`...), int64(left)*ratelimit.Cost, 10)
	}
	return append(body, "}}"...)
}
