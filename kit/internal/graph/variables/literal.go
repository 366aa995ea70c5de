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
		c.member(all, def.Name, def.Type, def.DefaultValue, value)
	}
	details := make([]problem.Detail, len(c.found))
	for i, f := range c.found {
		details[i] = problem.Invalidf(strings.TrimPrefix(f.at.String(), "."), nil, "%v", f.err)
	}
	return all, problem.Inputs(details...)
}

// literals reads values in documents, whose length bounds what can be wrong.
type literals struct {
	coercion
	given map[string]any
}

// member adds what is given for an argument or a field of an input object,
// else its default.
func (c *literals) member(to map[string]any, name string, t *ast.Type, otherwise, v *ast.Value) {
	if v != nil && c.unset(v) {
		v = nil
	}
	if v == nil {
		v = otherwise
	}
	if v == nil && !t.NonNull {
		return
	}
	to[name] = c.below(ast.PathName(name), func() any {
		if v == nil {
			return c.wrong(errRequired)
		}
		return c.literal(t, v)
	})
}

// unset reports whether the value is a variable that has none.
func (c *literals) unset(v *ast.Value) bool {
	_, set := c.given[v.Raw]
	return v.Kind == ast.Variable && !set
}

func (c *literals) literal(t *ast.Type, v *ast.Value) any {
	switch {
	case v.Kind == ast.Variable:
		value := c.given[v.Raw] // in a list one without a value is null
		if value == nil && t.NonNull {
			return c.wrong(errNull)
		}
		return value
	case v.Kind == ast.NullValue && t.NonNull:
		return c.wrong(errNull)
	case v.Kind == ast.NullValue:
		return nil
	case t.Elem != nil:
		return c.elements(t.Elem, v)
	}
	if def := c.schema.Types[t.NamedType]; def.Kind == ast.InputObject && v.Kind == ast.ObjectValue {
		return c.members(def, v)
	}
	value, err := v.Value(c.given)
	if err != nil {
		return c.wrong(err)
	}
	return c.value(t, value)
}

// elements are those of a list. A single value stands for a list of one.
func (c *literals) elements(t *ast.Type, v *ast.Value) any {
	if v.Kind != ast.ListValue {
		return []any{c.literal(t, v)}
	}
	all := make([]any, len(v.Children))
	for i, child := range v.Children {
		all[i] = c.below(ast.PathIndex(i), func() any { return c.literal(t, child.Value) })
	}
	return all
}

func (c *literals) members(def *ast.Definition, v *ast.Value) any {
	all := make(map[string]any, len(v.Children))
	for _, f := range def.Fields {
		c.member(all, f.Name, f.Type, f.DefaultValue, v.Children.ForName(f.Name))
	}
	return all
}
