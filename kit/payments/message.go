package payments

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// Message is the sandbox's message about a charge or refund, as a provider would
// send it by its webhook: the event that it was decided, or, while it is pending,
// that it is being processed. See [Sign].
func (s *Sandbox) Message(ctx context.Context, key string) ([]byte, error) {
	r, err := s.Retrieve(ctx, key)
	if err != nil {
		return nil, err
	}
	var e wireEvent
	e.Type = "payment_intent." + map[Outcome]string{Pending: "processing", Succeeded: "succeeded", Failed: "payment_failed"}[r.Outcome]
	if strings.HasPrefix(key, "refund-") {
		e.Type = "refund." + map[Outcome]string{Pending: "created", Succeeded: "updated", Failed: "failed"}[r.Outcome]
	}
	e.ID = "evt_" + r.Reference + "_" + string(r.Outcome)
	e.Data.Object.Metadata.Key = key
	body, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("tell of %s: %w", key, err)
	}
	return body, nil
}
