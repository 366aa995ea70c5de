package expose

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Set are the values that an action gives columns, by their names: constants,
// nil for null, or a [Value].
type Set map[string]any

// Value is a value of an action's [Set] that is known when the action is done.
type Value string

// The values.
const (
	// Now is the time of the request.
	Now Value = "now"
	// FirstNow is the time of the request where the column is null, and what it
	// is where it is not: when it happened first.
	FirstNow Value = "first now"
	// ViewerID is the id of the user who asks, null for other callers.
	ViewerID Value = "viewer"
)

const inputValue = "input "

// Input is the value of the argument in the action's input, null where it is left
// out: expose.Set{"assignee_id": expose.Input("assignee_id")}.
func Input(name string) Value { return Value(inputValue + name) }

// InputName returns the name that was given to [Input], empty for other values.
func (v Value) InputName() string {
	if name, ok := strings.CutPrefix(string(v), inputValue); ok {
		return name
	}
	return ""
}

// MarshalJSON writes a value and a text of the same letters in different forms.
func (v Value) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"value": string(v)})
}

// UnmarshalJSON implements json.Unmarshaler. Numbers are int64, if they have no
// fraction, or float64.
func (s *Set) UnmarshalJSON(text []byte) error {
	var all map[string]any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&all); err != nil || all == nil {
		return err
	}
	*s = Set{}
	for column, value := range all {
		switch v := value.(type) {
		case map[string]any:
			name, _ := v["value"].(string)
			value = Value(name)
		case json.Number:
			if n, err := v.Int64(); err == nil {
				value = n
			} else if f, err := v.Float64(); err == nil {
				value = f
			}
		}
		(*s)[column] = value
	}
	return nil
}
