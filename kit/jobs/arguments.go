package jobs

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// argument is a field of a kind's arguments.
type argument struct {
	name, was string
	t         reflect.Type
	// optional is set where it has omitempty or omitzero.
	optional bool
	// show is the tag of what readers see: [Args].
	show string
}

// argumentsOf lists the fields of a struct by their names in JSON. A type that reads JSON by
// itself has none.
func argumentsOf(t reflect.Type) (all []argument) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return nil
	}
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		promotes := f.Anonymous && name == ""
		if !f.IsExported() || promotes || name == "-" || within(t, f) {
			continue
		}
		if name == "" {
			name = f.Name
		}
		all = append(all, argument{name, f.Tag.Get("was"), f.Type, strings.Contains(options, "omit"), f.Tag.Get("show")})
	}
	return all
}

// within reports whether a field is of an embedded struct that JSON has a name for.
func within(t reflect.Type, f reflect.StructField) bool {
	for i := 1; i < len(f.Index); i++ {
		if name, _, _ := strings.Cut(t.FieldByIndex(f.Index[:i]).Tag.Get("json"), ","); name != "" {
			return true
		}
	}
	return false
}

// Unsent lists the names in JSON of the arguments of the kind that are none of those
// that are sent, and without which they would be zero. JSON compares names without
// regard to case; a field with omitempty need not be sent.
func (k Kind) Unsent(sent ...string) (missing []string) {
	for _, a := range k.arguments {
		if !a.optional && !slices.ContainsFunc(sent, a.is) {
			missing = append(missing, a.name)
		}
	}
	return missing
}

// Misread returns the type of the argument that is sent under the name where it can't hold
// what is sent, a text or a whole number, or nil. A type that reads JSON by itself may hold anything.
func (k Kind) Misread(name string, text bool) reflect.Type {
	i := slices.IndexFunc(k.arguments, func(a argument) bool { return a.is(name) })
	if i < 0 {
		return nil
	}
	value, example := reflect.New(k.arguments[i].t), "1"
	if text {
		example = `"a"`
	}
	if _, mistyped := errors.AsType[*json.UnmarshalTypeError](json.Unmarshal([]byte(example), value.Interface())); mistyped {
		return k.arguments[i].t
	}
	return nil
}

// is reports whether JSON has the argument under the name.
func (a argument) is(name string) bool { return strings.EqualFold(name, a.name) || name == a.was }

// shownMember is the member of a job's arguments that lists them for the readers of the job
// (tables.JobArgument). Handlers don't see it: no field has its name.
const shownMember = "@shown"

// The bounds of what readers see of a job's arguments.
const (
	mostShown    = 20
	longestShown = 200
)

// unshown stands in the place of a value that the kind does not show.
const unshown = "—"

// shownOf keeps the arguments of the types that show any, which are read once.
var shownOf sync.Map // of reflect.Type to []argument

// withShown adds to arguments what the readers of the job see of them. A kind that shows none
// stays the same.
func withShown(args Args, body []byte) ([]byte, error) {
	t := reflect.TypeOf(args)
	known, ok := shownOf.Load(t)
	if !ok {
		all := argumentsOf(t)
		if !slices.ContainsFunc(all, func(a argument) bool { return a.show == "true" }) {
			all = nil
		}
		known, _ = shownOf.LoadOrStore(t, all)
	}
	all, _ := known.([]argument)
	if len(all) == 0 {
		return body, nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil || members == nil {
		return body, err
	}
	type entry struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	var shown []entry
	for _, a := range all {
		if value, sent := members[a.name]; sent && a.show != "false" && len(shown) < mostShown {
			shown = append(shown, entry{a.name, a.seen(value)})
		}
	}
	if shown == nil {
		return body, nil
	}
	list, err := json.Marshal(shown)
	if err != nil {
		return nil, err
	}
	return withMember(body, shownMember, string(list))
}

// seen is the value as readers see it: a text as such, anything else as JSON.
func (a argument) seen(value json.RawMessage) string {
	if a.show != "true" {
		return unshown
	}
	var text string
	if json.Unmarshal(value, &text) != nil || string(value) == "null" {
		text = string(value)
	}
	if r := []rune(text); len(r) > longestShown {
		text = string(r[:longestShown-1]) + "…"
	}
	return text
}
