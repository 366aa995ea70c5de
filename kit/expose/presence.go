package expose

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"entgo.io/ent"

	"github.com/entwine-go/entwine/kit/problem"
)

// MostPresence is how many bytes of JSON a member of a row's presence says of itself at
// the most.
const MostPresence = 1 << 10

// Presence shows who looks at a row, and what each of them says of itself, such as where
// its cursor is: see [PresenceOf] and doc/schema/presence.md.
type Presence struct {
	// Members are what a member says of itself.
	Members []Member `json:"members,omitempty"`

	state reflect.Type // nil where the generator reads the schema
}

// PresenceOf is a presence whose members say of themselves what the struct has: a
// member for each field, which [MembersOf] describes. All of them can be left out.
//
//	type cursor struct {
//		Line   int64 `json:"line" comment:"The line that the member is at."`
//		Typing bool  `json:"typing" comment:"Whether the member writes."`
//	}
//
//	Presence: expose.PresenceOf(cursor{}),
func PresenceOf(state any) *Presence {
	t := reflect.TypeOf(state)
	return &Presence{Members: MembersOf(state), state: t}
}

// State returns the JSON of what a member says of itself, in the form of the struct. The
// error is a [problem.Error] that names what is wrong with it.
func (p *Presence) State(text []byte) (json.RawMessage, error) {
	if len(text) > MostPresence {
		return nil, problem.Inputs(problem.Detail{Field: "state", Message: fmt.Sprintf("must be at most %d bytes of JSON, not %d", MostPresence, len(text))})
	}
	value := reflect.New(p.state)
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(value.Interface()); err != nil {
		return nil, p.misfit(err)
	}
	return json.Marshal(value.Interface())
}

// misfit names the member that is wrong.
func (p *Presence) misfit(err error) error {
	if wrong, is := errors.AsType[*json.UnmarshalTypeError](err); is {
		at := "state"
		if wrong.Field != "" {
			at += "." + wrong.Field
		}
		return problem.Inputs(problem.Detail{Field: at, Message: "must be " + allowed(wrong.Type) + ", not " + wrong.Value})
	}
	if name, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
		names := make([]string, len(p.Members))
		for i, m := range p.Members {
			names[i] = m.Name
		}
		return problem.Inputs(problem.Detail{Field: "state." + strings.Trim(name, `"`), Message: "is unknown: " + strings.Join(names, ", ") + " are allowed"})
	}
	return problem.Inputs(problem.Detail{Field: "state", Message: "must be an object of JSON"})
}

// allowed is what a member is.
func allowed(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int64:
		return "an integer"
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "an array"
	}
	return "an object"
}

// PresenceIn is the presence that the schema declares, nil where it declares none.
func PresenceIn(s ent.Interface) *Presence {
	r, _ := ResourceOf(s)
	return r.Presence
}
