package expose

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"entgo.io/ent"

	"github.com/entwine-go/entwine/kit/internal/strictjson"
	"github.com/entwine-go/entwine/kit/problem"
)

// MostPresence is how many bytes of JSON a member of a row's presence says of itself at
// the most.
const MostPresence = 1 << 10

// Presence shows who looks at a row, and what each of them says of itself, such as where
// its cursor is: see [PresenceOf] and doc/schema/presence.md.
type Presence struct {
	// Members are the fields of a member's state.
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
	if err := strictjson.Check(text); err != nil {
		return nil, problem.Inputs(problem.Detail{Field: "state", Message: fmt.Sprintf("must be an object of JSON: %v", err)})
	}
	said := strictjson.Value(text)
	if err := problem.Inputs(misfits("state", &MemberObject{Members: p.Members}, said)...); err != nil {
		return nil, err
	}
	plain, err := json.Marshal(said)
	if err != nil {
		return nil, fmt.Errorf("write a state: %w", err)
	}
	value := reflect.New(p.state)
	if err := json.Unmarshal(plain, value.Interface()); err != nil {
		return nil, misfit(err)
	}
	return json.Marshal(value.Interface())
}

// misfits are the faults of an object's names, nulls and whole numbers. Whole numbers are
// then written as integers, as encoding/json needs them. Other types are for that.
func misfits(at string, o *MemberObject, value any) (all []problem.Detail) {
	object, is := value.(map[string]any)
	if !is {
		return []problem.Detail{{Field: at, Message: "must be an object"}}
	}
	names := make([]string, len(o.Members))
	for i, m := range o.Members {
		names[i] = m.Name
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		i, place := slices.Index(names, name), at+"."+name
		if i < 0 {
			all = append(all, problem.Detail{Field: place, Message: "is unknown: " + strings.Join(names, ", ") + " are allowed"})
			continue
		}
		switch m, sent := o.Members[i], object[name]; {
		case sent == nil && m.Nullable:
		case sent == nil:
			all = append(all, problem.Detail{Field: place, Message: "must not be null"})
		case m.Shape == One:
			all = append(all, misfits(place, m.Object, sent)...)
		case m.Shape == Objects:
			list, _ := sent.([]any)
			for i, item := range list {
				all = append(all, misfits(fmt.Sprintf("%s[%d]", place, i), m.Object, item)...)
			}
		case m.Shape == Count:
			number, _ := sent.(json.Number)
			if n, whole, fits := strictjson.Whole(number.String()); whole && fits {
				object[name] = n
			}
		}
	}
	return all
}

// misfit names the member whose type is wrong.
func misfit(err error) error {
	wrong, is := errors.AsType[*json.UnmarshalTypeError](err)
	if !is {
		return problem.Inputs(problem.Detail{Field: "state", Message: err.Error()})
	}
	return problem.Inputs(problem.Detail{Field: "state." + wrong.Field, Message: "must be " + allowed(wrong.Type) + ", not " + wrong.Value})
}

// allowed describes the allowed values of a member.
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
