package schema

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"sort"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/entwine-go/entwine/kit/problem"
)

// findings turns what JSON Schema says into details, in the words of the
// schema's own validators (package expose).
type findings struct {
	validator *Validator
	instance  any
	prefix    []string
	word      Word
	details   []problem.Detail
}

// Bounds of what is judged and reported, whatever a body holds: no list of a document
// takes more than MaxItems.
const (
	MaxItems   = 1000
	maxDetails = 5000
)

// shorten cuts the lists in a body that are far too long, in place, so that
// finding out what is wrong with it costs no more than reading it did. One
// item too many is left of each, which is what is wrong then.
func shorten(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			v[name] = shorten(member)
		}
	case []any:
		v = v[:min(len(v), MaxItems+1)]
		for i, item := range v {
			v[i] = shorten(item)
		}
		return v
	}
	return value
}

// add takes an error and what caused it.
func (f *findings) add(e *jsonschema.ValidationError) {
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			f.note(problem.Invalidf(f.field(e, name), nil, "is required"))
		}
	case *kind.AdditionalProperties:
		allowed := f.properties(e)
		for _, name := range k.Properties[:min(len(k.Properties), maxDetails)] {
			f.note(problem.Invalidf(f.within(e, name), nil, "is unknown; allowed: %s", allowed))
		}
	case *kind.Type:
		f.wrongType(e, k)
	case *kind.OneOf, *kind.AnyOf:
		f.alternatives(e)
	case *kind.AllOf, *kind.Group, *kind.Schema, *kind.Reference:
		for _, cause := range e.Causes {
			f.add(cause)
		}
	default:
		f.rule(e, message(e.ErrorKind, f.keywords(e)))
	}
}

func (f *findings) note(d problem.Detail) { f.details = append(f.details, d) }

// rule notes a value of the right type that breaks a rule.
func (f *findings) rule(e *jsonschema.ValidationError, text string) {
	f.note(f.hide(e, problem.Rulef(f.field(e), f.value(e), "%s", text)))
}

func (f *findings) wrongType(e *jsonschema.ValidationError, k *kind.Type) {
	if k.Got == "null" {
		f.note(problem.Invalidf(f.field(e), nil, "must not be null"))
		return
	}
	wanted := make([]string, len(k.Want))
	for i, typ := range k.Want {
		wanted[len(wanted)-1-i] = article(typ) // null comes first
	}
	f.note(f.hide(e, problem.Invalidf(f.field(e), f.value(e), "must be %s, not %s", strings.Join(wanted, " or "), article(k.Got))))
}

// alternatives notes what is wrong with the alternative that the value was
// most likely meant to be: one whose type it has.
func (f *findings) alternatives(e *jsonschema.ValidationError) {
	for _, cause := range e.Causes {
		inner := &findings{validator: f.validator, instance: f.instance, prefix: f.prefix, word: f.word}
		inner.add(cause)
		here := f.field(e)
		ofType := true
		for _, d := range inner.details {
			ofType = ofType && (d.Field != here || d.Unprocessable)
		}
		if ofType && len(inner.details) > 0 {
			f.details = append(f.details, inner.details...)
			return
		}
	}
	f.note(f.hide(e, problem.Invalidf(f.field(e), f.value(e), "is none of what is allowed here")))
}

// field is the path of the value: "items[1].name".
func (f *findings) field(e *jsonschema.ValidationError, more ...string) string {
	var b strings.Builder
	value := f.instance
	for _, name := range f.prefix {
		b.WriteString(f.word(name))
	}
	for _, token := range append(append([]string(nil), e.InstanceLocation...), more...) {
		if list, ok := value.([]any); ok {
			fmt.Fprintf(&b, "[%s]", token)
			value = lookup(list, "/"+token)
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(f.word(token))
		members, _ := value.(map[string]any)
		value = members[token]
	}
	if b.Len() == 0 {
		return "body"
	}
	return b.String()
}

// within is the path of a member that the value should not have, as it was sent.
func (f *findings) within(e *jsonschema.ValidationError, name string) string {
	if at := f.field(e); at != "body" {
		return at + "." + name
	}
	return name
}

func (f *findings) value(e *jsonschema.ValidationError) any {
	value := f.instance
	for _, token := range e.InstanceLocation {
		value = lookup(value, "/"+escape(token))
	}
	return value
}

// keywords is the schema that the value failed.
func (f *findings) keywords(e *jsonschema.ValidationError) map[string]any {
	_, pointer, _ := strings.Cut(e.SchemaURL, "#")
	if plain, err := url.PathUnescape(pointer); err == nil {
		pointer = plain
	}
	keywords, _ := f.validator.at(pointer).(map[string]any)
	return keywords
}

func (f *findings) properties(e *jsonschema.ValidationError) string {
	members, _ := f.keywords(e)["properties"].(map[string]any)
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, f.word(name))
	}
	sort.Strings(names)
	return strings.Join(names, ", ")
}

// hide leaves out the value of a secret, of a body as a whole, of what may
// hold a secret, and a number that most clients could not decode.
func (f *findings) hide(e *jsonschema.ValidationError, d problem.Detail) problem.Detail {
	keywords := f.keywords(e)
	if keywords["writeOnly"] == true || keywords["format"] == "password" || d.Field == "body" || holdsMembers(f.value(e)) {
		d.Value, d.Echo = nil, false
	}
	if n, ok := d.Value.(json.Number); ok {
		if _, err := n.Float64(); err != nil {
			d.Value, d.Echo = nil, false
		}
	}
	return d
}

// holdsMembers reports whether there is an object in the value. One of its
// members may be a secret, which the schema of the value as a whole doesn't say.
func holdsMembers(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		return true
	case []any:
		return slices.ContainsFunc(v, holdsMembers)
	}
	return false
}
