package failure

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/requestid"
)

// envelope is the structured envelope of an error.
type envelope struct {
	Status string `json:"status"`
	Error  Member `json:"error"`
}

// Member is the member of the envelope that says what is wrong.
type Member struct {
	Code      string   `json:"code"`
	Message   string   `json:"message"`
	Details   []Detail `json:"details,omitempty"`
	Timestamp string   `json:"timestamp,omitempty"`
	Path      string   `json:"path,omitempty"`
	RequestID string   `json:"request_id,omitempty"`
}

// Detail is what is wrong with one field.
type Detail struct {
	Field   string           `json:"field"`
	Message string           `json:"message"`
	Value   *json.RawMessage `json:"value,omitempty"`
}

// NewMember is the member for a problem that is one of many in an answer,
// which says itself when and where it was made.
func NewMember(p *problem.Error) Member {
	return Member{Code: answerTo(p).REST, Message: p.Message, Details: details(p)}
}

// newEnvelope is the envelope of an answer. An internal error says no more
// than what the people who run the service need to find it.
func newEnvelope(r *http.Request, p *problem.Error) envelope {
	m := NewMember(p)
	m.RequestID = requestid.From(r.Context())
	if p.Kind != problem.Internal {
		m.Timestamp = now()
		m.Path = r.URL.Path
	}
	return envelope{Status: "error", Error: m}
}

func details(p *problem.Error) []Detail {
	var list []Detail
	for _, d := range p.Details {
		one := Detail{Field: d.Field, Message: d.Message}
		if d.Echo {
			if text, err := json.Marshal(d.Value); err == nil {
				one.Value = (*json.RawMessage)(&text)
			}
		}
		list = append(list, one)
	}
	return list
}

func now() string { return time.Now().UTC().Format("2006-01-02T15:04:05.000000Z07:00") }
