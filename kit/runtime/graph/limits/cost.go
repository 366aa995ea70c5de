package limits

import (
	"context"
	"strconv"

	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/kit/runtime/ratelimit"
)

// CostName is what a cost is called in extensions: an operation's, and the
// [Spent] of a response.
const CostName = "cost"

// charged is how much cost counts as one more request.
const charged = 100

// SetRequested notes what an operation costs.
func SetRequested(op *graphql.OperationContext, cost int) { op.Stats.SetExtension(CostName, cost) }

// Charge counts an operation's cost for the caller, beside the request itself.
func Charge(ctx context.Context, op *graphql.OperationContext) error {
	return ratelimit.Charge(ctx, Requested(op)/charged)
}

// Requested is what an operation may cost at most, and what it is charged as.
func Requested(op *graphql.OperationContext) int {
	cost, _ := op.Stats.GetExtension(CostName).(int)
	return cost
}

// Spent is what an operation was charged as, and how many fields it answered:
// no more than that, whatever a list of no known length came to.
type Spent struct{ Requested, Actual int }

// Append writes extensions.cost, with the most that an operation may cost and,
// where callers are limited, what is left to this one until the limit is reset.
func (s Spent) Append(ctx context.Context, body []byte) []byte {
	body = append(body, `"extensions":{"cost":{"requested":`...)
	body = strconv.AppendInt(body, int64(s.Requested), 10)
	body = strconv.AppendInt(append(body, `,"actual":`...), int64(s.Actual), 10)
	body = strconv.AppendInt(append(body, `,"limit":`...), maxCost, 10)
	if left, ok := ratelimit.Left(ctx); ok {
		body = strconv.AppendInt(append(body, `,"remaining":`...), int64(left)*charged, 10)
	}
	return append(body, "}}"...)
}
