package apiversion

import (
	"encoding/json"
	"strings"

	"github.com/entwine-go/entwine/kit/problem"
)

// Errors is an envelope of errors.
type Errors uint8

// The envelopes, which the specification calls A, B and C.
const (
	Structured  Errors = iota // {"status":"error","error":{"code","message","details",…}}
	Flat                      // {"success":false,"error","message","details"}
	ThreeStatus               // {"status":"fail","message","errors","code"}
)

// Facts are the facts about the failed request. Those that are empty are not said.
type Facts struct{ Timestamp, Path, RequestID string }

// Detail is the fault of one field.
type Detail struct {
	Field   string           `json:"field"`
	Message string           `json:"message"`
	Value   *json.RawMessage `json:"value,omitempty"`
}

// Details are those of the problem.
func Details(p *problem.Error) []Detail {
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

type structured struct {
	Status string           `json:"status"`
	Error  structuredMember `json:"error"`
}

type structuredMember struct {
	Code      string   `json:"code"`
	Message   string   `json:"message"`
	Details   []Detail `json:"details,omitempty"`
	Timestamp string   `json:"timestamp,omitempty"`
	Path      string   `json:"path,omitempty"`
	RequestID string   `json:"request_id,omitempty"`
}

type flat struct {
	Success bool `json:"success"`
	flatMember
}

type flatMember struct {
	Error   string   `json:"error"`
	Message string   `json:"message"`
	Details []Detail `json:"details,omitempty"`
}

type threeStatus struct {
	Status string `json:"status"`
	threeStatusMember
}

type threeStatusMember struct {
	Message string            `json:"message"`
	Errors  map[string]string `json:"errors"`
	Code    string            `json:"code"`
}

// Body is the body of an answer to the problem: a value for JSON.
func (e Errors) Body(p *problem.Error, facts Facts) any {
	switch e {
	case Flat:
		return flat{flatMember: e.flat(p)}
	case ThreeStatus:
		status := "fail"
		if Answer(p).Status >= 500 {
			status = "error"
		}
		return threeStatus{status, e.threeStatus(p)}
	}
	m := e.structured(p)
	m.Timestamp, m.Path, m.RequestID = facts.Timestamp, facts.Path, facts.RequestID
	return structured{"error", m}
}

// Member is the member for a problem that is one of many in an answer, which
// says itself when and where it was made.
func (e Errors) Member(p *problem.Error) any {
	switch e {
	case Flat:
		return e.flat(p)
	case ThreeStatus:
		return e.threeStatus(p)
	}
	return e.structured(p)
}

func (e Errors) structured(p *problem.Error) structuredMember {
	return structuredMember{Code: e.Code(p), Message: p.Message, Details: Details(p)}
}

func (e Errors) flat(p *problem.Error) flatMember {
	return flatMember{Error: e.Code(p), Message: p.Message, Details: Details(p)}
}

func (e Errors) threeStatus(p *problem.Error) threeStatusMember {
	m := threeStatusMember{Message: p.Message, Errors: map[string]string{}, Code: e.Code(p)}
	for _, d := range p.Details {
		if before, ok := m.Errors[d.Field]; ok {
			m.Errors[d.Field] = before + "; " + d.Message
			continue
		}
		m.Errors[d.Field] = d.Message
	}
	return m
}

// Code is the code of the problem: of [ThreeStatus] that of the specification's
// variant C where it has one, which names the entity or the field.
func (e Errors) Code(p *problem.Error) string {
	code := Answer(p).REST
	if e != ThreeStatus {
		return code
	}
	switch p.Kind {
	case problem.Invalid, problem.Unprocessable:
		return "VALIDATION_FAILED"
	case problem.Unauthenticated, problem.InvalidCredentials, problem.TokenInvalid:
		return "UNAUTHORIZED"
	case problem.NotFound:
		if p.Subject != "" {
			return upper(p.Subject) + "_NOT_FOUND"
		}
	case problem.Duplicate:
		if len(p.Details) > 0 {
			name := p.Details[0].Field
			return "DUPLICATE_" + upper(name[strings.LastIndexByte(name, '.')+1:])
		}
	}
	return code
}

// upper is a name in UPPER_CASE, whichever way it is written.
func upper(name string) string {
	b := make([]byte, 0, len(name)+4)
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z':
			b = append(b, c&^0x20)
		case c >= 'A' && c <= 'Z' && i > 0 && name[i-1] >= 'a':
			b = append(b, '_', c)
		case letter(c), c >= '0' && c <= '9':
			b = append(b, c)
		default:
			b = append(b, '_')
		}
	}
	return string(b)
}

// Answer is the answer to a problem: a kind that REST does not have is internal.
func Answer(p *problem.Error) problem.Answer {
	if a := p.Kind.Answer(); a.REST != "" {
		return a
	}
	return problem.Internal.Answer()
}
