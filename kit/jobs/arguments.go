package jobs

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// argument is a field of a kind's arguments that JSON has to name.
type argument struct{ name, was string }

// argumentsOf lists the fields of a struct without omitempty or omitzero, by their names in
// JSON. A type that reads JSON by itself has none.
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
		if !f.IsExported() || promotes || name == "-" || within(t, f) || strings.Contains(options, "omit") {
			continue
		}
		if name == "" {
			name = f.Name
		}
		all = append(all, argument{name, f.Tag.Get("was")})
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
		if !slices.ContainsFunc(sent, func(name string) bool { return strings.EqualFold(name, a.name) || name == a.was }) {
			missing = append(missing, a.name)
		}
	}
	return missing
}
