package gql

import (
	"context"
	"strconv"

	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/kit/runtime/ratelimit"
)

// costName is what an operation's cost is called in extensions.
const costName = "cost"

// charged is how much cost counts as one more request.
const charged = 100

// charge counts an operation's cost for the caller, beside the request itself.
func charge(ctx context.Context, op *graphql.OperationContext) error {
	return ratelimit.Charge(ctx, requested(op)/charged)
}

// requested is what an operation may cost at most, and what it is charged as.
func requested(op *graphql.OperationContext) int {
	cost, _ := op.Stats.GetExtension(costName).(int)
	return cost
}

// spent is what an operation was charged as, and how many fields it answered:
// no more than that, whatever a list of no known length came to.
type spent struct{ requested, actual int }

// spent adds up what the root fields came to.
func (o *operation) spent() spent {
	sum := spent{requested: requested(o.planner.op)}
	for _, s := range o.slots {
		if !free(s.field) {
			sum.actual += 1 + s.fields
		}
	}
	sum.actual = min(sum.actual, sum.requested)
	return sum
}

// append writes extensions.cost, with the most that an operation may cost and,
// where callers are limited, what is left to this one until the limit is reset.
func (s spent) append(ctx context.Context, body []byte) []byte {
	body = append(body, `"extensions":{"cost":{"requested":`...)
	body = strconv.AppendInt(body, int64(s.requested), 10)
	body = strconv.AppendInt(append(body, `,"actual":`...), int64(s.actual), 10)
	body = strconv.AppendInt(append(body, `,"limit":`...), maxCost, 10)
	if left, ok := ratelimit.Left(ctx); ok {
		body = strconv.AppendInt(append(body, `,"remaining":`...), int64(left)*charged, 10)
	}
	return append(body, "}}"...)
}
