package handler

import (
	"context"
	"strconv"

	"github.com/entwine-go/entwine/kit/ratelimit"
)

// Charge counts what a request makes the database read for its caller, beside
// the request itself, in the measure of GraphQL's operations.
func Charge(ctx context.Context, cost int) error {
	_, err := reserve(ctx, cost)
	return err
}

// reserve is [Charge] of what may turn out to be less.
func reserve(ctx context.Context, cost int) (ratelimit.Reserved, error) {
	return ratelimit.ChargeCost(ctx, cost, func() string {
		return "its filters and its total cost " + strconv.Itoa(cost) + ": ask without search, for cursor= instead of page="
	})
}
