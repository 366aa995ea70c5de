package variables

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/problem"
)

// Arguments returns a field's arguments as their types say, with the variables
// of the operation, which [Coerce] returned, and the defaults of the schema.
// Nothing stands for what nothing was given for: for an argument and for a
// field of an input object, also where a variable stands there that has no
// value. Nil is null.
func Arguments(schema *ast.Schema, f *ast.Field, given map[string]any) (map[string]any, error) {
	c := literals{coercion{schema: schema}, given}
	all := make(map[string]any, len(f.Arguments))
	for _, def := range f.Definition.Arguments {
		var value *ast.Value
		if a := f.Arguments.ForName(def.Name); a != nil {
			value = a.Value
		}
		if err := c.member(all, def.Name, def.Type, def.DefaultValue, value); err != nil {
			at := strings.TrimPrefix(c.at.String(), ".")
			return nil, problem.Inputs(problem.Invalidf(at, nil, "%v", err))
		}
	}
	return all, nil
}

// literals reads values in documents.
type literals struct {
	coercion
	given map[string]any
}

// member adds what is given for an argument or a field of an input object,
// else its default.
func (c *literals) member(to map[string]any, name string, t *ast.Type, otherwise, v *ast.Value) error {
	if v != nil && c.unset(v) {
		v = nil
	}
	if v == nil {
		v = otherwise
	}
	if v == nil && !t.NonNull {
		return nil
	}
	c.at = append(c.at, ast.PathName(name))
	if v == nil {
		return errRequired
	}
	value, err := c.literal(t, v)
	if err != nil {
		return err
	}
	to[name], c.at = value, c.at[:len(c.at)-1]
	return nil
}

// unset reports whether the value is a variable that has none.
func (c *literals) unset(v *ast.Value) bool {
	_, set := c.given[v.Raw]
	return v.Kind == ast.Variable && !set
}

func (c *literals) literal(t *ast.Type, v *ast.Value) (any, error) {
	switch {
	case v.Kind == ast.Variable:
		value := c.given[v.Raw] // in a list one without a value is null
		if value == nil && t.NonNull {
			return nil, errNull
		}
		return value, nil
	case v.Kind == ast.NullValue && t.NonNull:
		return nil, errNull
	case v.Kind == ast.NullValue:
		return nil, nil
	case t.Elem != nil:
		return c.elements(t.Elem, v)
	}
	if def := c.schema.Types[t.NamedType]; def.Kind == ast.InputObject && v.Kind == ast.ObjectValue {
		return c.members(def, v)
	}
	value, err := v.Value(c.given)
	if err != nil {
		return nil, err
	}
	return c.value(t, value)
}

// elements are those of a list. A single value stands for a list of one.
func (c *literals) elements(t *ast.Type, v *ast.Value) (any, error) {
	if v.Kind != ast.ListValue {
		one, err := c.literal(t, v)
		return []any{one}, err
	}
	all := make([]any, len(v.Children))
	for i, child := range v.Children {
		c.at = append(c.at, ast.PathIndex(i))
		element, err := c.literal(t, child.Value)
		if err != nil {
			return nil, err
		}
		all[i], c.at = element, c.at[:len(c.at)-1]
	}
	return all, nil
}

func (c *literals) members(def *ast.Definition, v *ast.Value) (any, error) {
	all := make(map[string]any, len(v.Children))
	for _, f := range def.Fields {
		if err := c.member(all, f.Name, f.Type, f.DefaultValue, v.Children.ForName(f.Name)); err != nil {
			return nil, err
		}
	}
	return all, nil
}
