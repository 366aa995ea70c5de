package handler

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/entwine-go/entwine/kit/graph/execute"
	"github.com/entwine-go/entwine/kit/presence"
	"github.com/entwine-go/entwine/kit/problem"
)

// SayPresence has the subscription with the argument token say the argument state of
// itself to those who look at its row.
func SayPresence(rooms *presence.Rooms) execute.Write {
	return func(ctx context.Context, given map[string]any) (any, error) {
		if rooms == nil {
			return nil, problem.New(problem.Unavailable, "who looks at rows is not shown here")
		}
		token, _ := given["token"].(string)
		state, err := json.Marshal(given["state"])
		if err != nil {
			return nil, fmt.Errorf("encode a state: %w", err)
		}
		return true, rooms.Say(ctx, token, state)
	}
}
