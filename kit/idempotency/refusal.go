package idempotency

import (
	"encoding/json"
	"fmt"

	"github.com/entwine-go/entwine/kit/problem"
)

// refusals are the kinds of problems that are kept, and what they are called
// in records.
var refusals = map[problem.Kind]string{
	problem.PaymentDeclined:    "payment_declined",
	problem.Conflict:           "conflict",
	problem.Duplicate:          "duplicate",
	problem.PreconditionFailed: "precondition_failed",
}

// refusal is a [problem.Error] in a record.
type refusal struct {
	Kind    string   `json:"kind"`
	Message string   `json:"message"`
	Details []detail `json:"details,omitempty"`
}

type detail struct {
	Field         string `json:"field"`
	Message       string `json:"message"`
	Value         any    `json:"value,omitempty"`
	Echo          bool   `json:"echo,omitempty"`
	Unprocessable bool   `json:"unprocessable,omitempty"`
}

// refusalText writes down a problem, without the values that no client may
// read back.
func refusalText(p *problem.Error) ([]byte, error) {
	r := refusal{Kind: refusals[p.Kind], Message: p.Message}
	for _, d := range p.Details {
		kept := detail{Field: d.Field, Message: d.Message, Echo: d.Echo, Unprocessable: d.Unprocessable}
		if d.Echo {
			kept.Value = d.Value
		}
		r.Details = append(r.Details, kept)
	}
	return json.Marshal(r)
}

// readRefusal is the problem that was written down.
func readRefusal(text []byte) (*problem.Error, error) {
	var r refusal
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("read a refusal: %w", err)
	}
	for kind, name := range refusals {
		if name != r.Kind {
			continue
		}
		p := problem.New(kind, "%s", r.Message)
		for _, d := range r.Details {
			p.Details = append(p.Details, problem.Detail(d))
		}
		return p, nil
	}
	return nil, fmt.Errorf("read a refusal: there is no kind %q", r.Kind)
}
