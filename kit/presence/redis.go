package presence

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"
)

//go:embed room.lua
var roomText string

var roomScript = redis.NewScript(roomText)

// Redis has the members of all processes that share a Redis, by its clock.
type Redis struct {
	Client redis.UniversalClient
}

// do runs the script for a row, whose keys are on one server of a cluster.
func (s *Redis) do(ctx context.Context, verb, row, id string, more ...any) *redis.Cmd {
	key := "entwine:presence:{" + row + "}"
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return roomScript.Run(ctx, s.Client, []string{key, key + ":states", key + ":seen"}, append([]any{verb, id, Life.Milliseconds()}, more...)...)
}

// Join implements [Store].
func (s *Redis) Join(ctx context.Context, row string, m *Member) error {
	text, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("describe a member: %w", err)
	}
	n, err := s.do(ctx, "join", row, m.ID, m.who+"\n"+string(text), string(m.State), Most).Int()
	if err != nil {
		return fmt.Errorf("join a row in Redis: %w", err)
	}
	if n == 0 {
		return full()
	}
	return nil
}

// Say implements [Store].
func (s *Redis) Say(ctx context.Context, row, id, who string, state json.RawMessage) (bool, error) {
	n, err := s.do(ctx, "say", row, id, who, string(state)).Int()
	if err != nil {
		return false, fmt.Errorf("say something in Redis: %w", err)
	}
	return n == 1, nil
}

// Leave implements [Store].
func (s *Redis) Leave(ctx context.Context, row, id string) error {
	if err := s.do(ctx, "leave", row, id).Err(); err != nil {
		return fmt.Errorf("leave a row in Redis: %w", err)
	}
	return nil
}

// Members implements [Store].
func (s *Redis) Members(ctx context.Context, row string) ([]Member, error) {
	parts, err := s.do(ctx, "members", row, "").Slice()
	if err != nil {
		return nil, fmt.Errorf("read the members of a row in Redis: %w", err)
	}
	texts, states := pairs(parts[0]), pairs(parts[1])
	all := make([]Member, 0, len(texts))
	for id, text := range texts {
		who, text, _ := strings.Cut(text, "\n")
		m := Member{State: json.RawMessage(states[id]), who: who}
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			return nil, fmt.Errorf("read a member of a row in Redis: %w", err)
		}
		all = append(all, m)
	}
	return all, nil
}

// pairs are the fields of a hash as a script returns them.
func pairs(list any) map[string]string {
	all, _ := list.([]any)
	fields := make(map[string]string, len(all)/2)
	for i := 0; i+1 < len(all); i += 2 {
		name, _ := all[i].(string)
		fields[name], _ = all[i+1].(string)
	}
	return fields
}
