package app

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// together runs the parts of a process, each of which ends when its context
// does, until ctx ends or one of them fails.
func together(ctx context.Context, parts ...func(context.Context) error) error {
	all, ctx := errgroup.WithContext(ctx)
	for _, part := range parts {
		all.Go(func() error { return part(ctx) })
	}
	return all.Wait()
}
