package handler

import (
	"context"

	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/graph/execute"
	"github.com/entwine-go/entwine/kit/problem"
)

// FileUsage answers with how much is stored for the caller.
func FileUsage(k *files.Keeper) execute.Write {
	return func(ctx context.Context, _ map[string]any) (any, error) {
		if k == nil {
			return nil, problem.New(problem.Unavailable, "files are not kept here")
		}
		return k.Usage(ctx)
	}
}
