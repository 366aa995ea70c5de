package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"
)

// node is a JSON object that keeps the order of its members, so that a
// document reads in the order in which it was thought.
type node struct{ members []member }

type member struct {
	name  string
	value any
}

// obj makes an object of names and values in turn.
func obj(pairs ...any) *node {
	o := &node{}
	for i := 0; i < len(pairs); i += 2 {
		o.set(pairs[i].(string), pairs[i+1])
	}
	return o
}

// arr makes an array.
func arr(values ...any) []any { return values }

// ref makes a reference to a component.
func ref(kind, name string) *node { return obj("$ref", "#/components/"+kind+"/"+name) }

// get returns the member's value, or nil.
func (o *node) get(name string) any {
	if o == nil {
		return nil
	}
	for _, m := range o.members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// at returns the object at the path of member names, or nil.
func (o *node) at(path ...string) *node {
	for _, name := range path {
		o, _ = o.get(name).(*node)
	}
	return o
}

// text returns the member's value where it is a string.
func (o *node) text(name string) string {
	s, _ := o.get(name).(string)
	return s
}

// set sets the member, in its place where it is there already.
func (o *node) set(name string, value any) *node {
	for i := range o.members {
		if o.members[i].name == name {
			o.members[i].value = value
			return o
		}
	}
	o.members = append(o.members, member{name, value})
	return o
}

// drop removes members.
func (o *node) drop(names ...string) {
	kept := make([]member, 0, len(o.members))
	for _, m := range o.members {
		if !slices.Contains(names, m.name) {
			kept = append(kept, m)
		}
	}
	o.members = kept
}

// clone copies a JSON value with everything in it.
func clone[T any](value T) T { return cloneAny(value).(T) }

func cloneAny(value any) any {
	switch v := value.(type) {
	case *node:
		o := &node{members: make([]member, len(v.members))}
		for i, m := range v.members {
			o.members[i] = member{m.name, cloneAny(m.value)}
		}
		return o
	case []any:
		a := make([]any, len(v))
		for i := range v {
			a[i] = cloneAny(v[i])
		}
		return a
	}
	return value
}

// walk calls visit for every object in the value, parents first.
func walk(value any, visit func(*node)) {
	switch v := value.(type) {
	case *node:
		visit(v)
		for _, m := range v.members {
			walk(m.value, visit)
		}
	case []any:
		for _, element := range v {
			walk(element, visit)
		}
	}
}

// encode returns the value as indented JSON.
func encode(value any) ([]byte, error) {
	var compact, indented bytes.Buffer
	if err := appendJSON(&compact, value); err != nil {
		return nil, err
	}
	if err := json.Indent(&indented, compact.Bytes(), "", "  "); err != nil {
		return nil, err
	}
	indented.WriteByte('\n')
	return indented.Bytes(), nil
}

func appendJSON(b *bytes.Buffer, value any) error {
	switch v := value.(type) {
	case *node:
		b.WriteByte('{')
		for i, m := range v.members {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := appendScalar(b, m.name); err != nil {
				return err
			}
			b.WriteByte(':')
			if err := appendJSON(b, m.value); err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
		}
		b.WriteByte('}')
		return nil
	case []any:
		b.WriteByte('[')
		for i, element := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := appendJSON(b, element); err != nil {
				return err
			}
		}
		b.WriteByte(']')
		return nil
	}
	return appendScalar(b, value)
}

func appendScalar(b *bytes.Buffer, value any) error {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the encoder's newline
	return nil
}

// parseYAML reads a YAML document as JSON.
func parseYAML(source []byte) (*node, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(source, &document); err != nil {
		return nil, err
	}
	if document.Kind == 0 {
		return obj(), nil
	}
	value, err := fromYAML(document.Content[0])
	if err != nil {
		return nil, err
	}
	o, ok := value.(*node)
	if !ok {
		return nil, fmt.Errorf("line %d: a mapping is expected", document.Content[0].Line)
	}
	return o, nil
}

func fromYAML(n *yaml.Node) (any, error) {
	switch n.Kind {
	case yaml.AliasNode:
		return fromYAML(n.Alias)
	case yaml.SequenceNode:
		a := make([]any, len(n.Content))
		for i, element := range n.Content {
			value, err := fromYAML(element)
			if err != nil {
				return nil, err
			}
			a[i] = value
		}
		return a, nil
	case yaml.MappingNode:
		return mappingYAML(n)
	}
	return scalarYAML(n)
}

func mappingYAML(n *yaml.Node) (any, error) {
	o := obj()
	for i := 0; i < len(n.Content); i += 2 {
		name := n.Content[i].Value
		if o.get(name) != nil {
			return nil, fmt.Errorf("line %d: %q is there twice", n.Content[i].Line, name)
		}
		value, err := fromYAML(n.Content[i+1])
		if err != nil {
			return nil, err
		}
		o.set(name, value)
	}
	return o, nil
}

func scalarYAML(n *yaml.Node) (any, error) {
	switch n.Tag {
	case "!!null":
		return nil, nil
	case "!!bool":
		return n.Value == "true", nil
	case "!!int", "!!float":
		if _, err := strconv.ParseFloat(n.Value, 64); err != nil {
			return nil, fmt.Errorf("line %d: %s is not a number of JSON", n.Line, n.Value)
		}
		return json.Number(n.Value), nil
	}
	return n.Value, nil
}
