// Package variables reads the variables of GraphQL operations: [Decode] takes
// them from a request without losing what a number or a text was, and [Coerce]
// turns them into what their types say, as GraphQL's specification demands
// (section 6.1.2, Coercing Variable Values) and gqlparser only checks in part.
package variables

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/internal/graph/failure"
	"github.com/entwine-go/entwine/kit/internal/strictjson"
)

// Decode returns the variables in a JSON object, null and nothing standing for
// none. Numbers stay as they are written. A text that package strictjson refuses is
// refused here, too: a lone surrogate would be stored as another character.
func Decode(text []byte) (map[string]any, error) {
	if len(text) == 0 {
		return nil, nil
	}
	if err := strictjson.Check(text); err != nil {
		return nil, fmt.Errorf("variables: %w", err)
	}
	return Checked(text)
}

// Checked is [Decode] of a text that package strictjson has checked. It takes a third
// less time than encoding/json.
func Checked(text []byte) (map[string]any, error) {
	switch all := strictjson.Value(text).(type) {
	case nil:
		return nil, nil
	case map[string]any:
		normalize(all)
		return all, nil
	}
	return nil, errNoObject
}

var errNoObject = errors.New("variables must be a JSON object")

// normalize writes whole numbers without exponents and zeros behind the point:
// gqlparser reads 2.0 as no Int.
func normalize(value any) any {
	switch v := value.(type) {
	case json.Number:
		if n, ok := Whole(v); ok {
			return json.Number(strconv.FormatInt(n, 10))
		}
	case []any:
		for i := range v {
			v[i] = normalize(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = normalize(v[name])
		}
	}
	return value
}

// Coerce returns the variables as their types say: lists are []any, also where
// a single value stands for a list of one; an Int is an int64, a Float a
// float64, an ID an int64 or a text. Every value of another type is refused at its
// variable's definition: [failure.Most] are listed, and one more error counts the others.
func Coerce(schema *ast.Schema, op *ast.OperationDefinition, given map[string]any) (map[string]any, gqlerror.List) {
	if len(op.VariableDefinitions) == 0 {
		return given, nil
	}
	c := coercion{schema: schema, most: failure.Most}
	all := make(map[string]any, len(given))
	var refused gqlerror.List
	for _, v := range op.VariableDefinitions {
		value, there := given[v.Variable]
		c.at = append(c.at[:0], ast.PathName("$"+v.Variable))
		switch {
		case there:
			all[v.Variable] = c.value(v.Type, value)
		case v.Type.NonNull && v.DefaultValue == nil:
			c.wrong(errRequired)
		}
		for _, f := range c.found[len(refused):] {
			refused = append(refused, &gqlerror.Error{
				Message:   fmt.Sprintf("variable %s: %v", f.at, f.err),
				Locations: []gqlerror.Location{{Line: v.Position.Line, Column: v.Position.Column}},
			})
		}
	}
	if c.more > 0 {
		refused = append(refused, failure.More(c.more, "they are of other values of the variables"))
	}
	if refused != nil {
		return nil, refused
	}
	return all, nil
}

var (
	errNull     = errors.New("must not be null")
	errRequired = errors.New("is required")
)

// coercion is where in a variable or an argument the value is that is coerced, and
// what is wrong with those before it.
type coercion struct {
	schema *ast.Schema
	at     ast.Path
	found  []finding
	// most bounds what is kept of what is found, and more counts the rest. 0: no bound.
	most, more int
}

// finding is a value that is refused: its place and the reason.
type finding struct {
	at  ast.Path
	err error
}

// wrong notes that the value is refused, and returns what stands for it.
func (c *coercion) wrong(err error) any {
	if c.most > 0 && len(c.found) == c.most {
		c.more++
		return nil
	}
	c.found = append(c.found, finding{slices.Clone(c.at), err})
	return nil
}

// below does what is done to the value at a step further down.
func (c *coercion) below(step ast.PathElement, do func() any) any {
	c.at = append(c.at, step)
	value := do()
	c.at = c.at[:len(c.at)-1]
	return value
}

func (c *coercion) value(t *ast.Type, value any) any {
	switch {
	case value == nil && t.NonNull:
		return c.wrong(errNull)
	case value == nil:
		return nil
	case t.Elem != nil:
		return c.list(t.Elem, value)
	}
	read := scalar
	switch def := c.schema.Types[t.NamedType]; def.Kind {
	case ast.InputObject:
		return c.object(def, value)
	case ast.Enum:
		read = func(_ string, value any) (any, error) { return enum(def, value) }
	}
	coerced, err := read(t.NamedType, value)
	if err != nil {
		return c.wrong(err)
	}
	return coerced
}

// list takes slices of any type: gqlparser makes one of the value's own type
// where a single value stands for a list.
func (c *coercion) list(t *ast.Type, value any) any {
	v := reflect.ValueOf(value)
	if v.Kind() != reflect.Slice {
		return []any{c.value(t, value)}
	}
	all := make([]any, v.Len())
	for i := range all {
		all[i] = c.below(ast.PathIndex(i), func() any { return c.value(t, v.Index(i).Interface()) })
	}
	return all
}

// object copies the fields that the type has, and refuses others.
func (c *coercion) object(def *ast.Definition, value any) any {
	given, ok := value.(map[string]any)
	if !ok {
		return c.wrong(fmt.Errorf("%s takes an object only", def.Name))
	}
	all := make(map[string]any, len(given))
	for _, f := range def.Fields {
		member, there := given[f.Name]
		if !there && f.DefaultValue == nil && !f.Type.NonNull {
			continue
		}
		all[f.Name] = c.below(ast.PathName(f.Name), func() any {
			switch {
			case there:
			case f.DefaultValue == nil:
				return c.wrong(errRequired)
			default:
				var err error
				if member, err = f.DefaultValue.Value(nil); err != nil {
					return c.wrong(err)
				}
			}
			return c.value(f.Type, member)
		})
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if def.Fields.ForName(name) == nil && name != "__typename" {
			c.wrong(fmt.Errorf("%s has no field %.100s", def.Name, name))
		}
	}
	return all
}
