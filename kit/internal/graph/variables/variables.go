// Package variables reads the variables of GraphQL operations: [Decode] takes
// them from a request without losing what a number or a text was, and [Coerce]
// turns them into what their types say, as GraphQL's specification demands
// (section 6.1.2, Coercing Variable Values) and gqlparser only checks in part.
package variables

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

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
// float64, an ID an int64 or a text. A value of another type is refused at the
// variable's definition.
func Coerce(schema *ast.Schema, op *ast.OperationDefinition, given map[string]any) (map[string]any, *gqlerror.Error) {
	if len(op.VariableDefinitions) == 0 {
		return given, nil
	}
	all := make(map[string]any, len(given))
	for _, v := range op.VariableDefinitions {
		value, there := given[v.Variable]
		c := coercion{schema: schema, at: ast.Path{ast.PathName("$" + v.Variable)}}
		var coerced any
		var err error
		switch {
		case there:
			coerced, err = c.value(v.Type, value)
		case v.Type.NonNull && v.DefaultValue == nil:
			err = errRequired
		default:
			continue
		}
		if err != nil {
			refusal := gqlerror.Errorf("variable %s: %v", c.at, err)
			refusal.Locations = []gqlerror.Location{{Line: v.Position.Line, Column: v.Position.Column}}
			return nil, refusal
		}
		all[v.Variable] = coerced
	}
	return all, nil
}

var (
	errNull     = errors.New("must not be null")
	errRequired = errors.New("is required")
)

// coercion is where in a variable the value is that is coerced.
type coercion struct {
	schema *ast.Schema
	at     ast.Path
}

func (c *coercion) value(t *ast.Type, value any) (any, error) {
	switch {
	case value == nil && t.NonNull:
		return nil, errNull
	case value == nil:
		return nil, nil
	case t.Elem != nil:
		return c.list(t.Elem, value)
	}
	switch def := c.schema.Types[t.NamedType]; def.Kind {
	case ast.InputObject:
		return c.object(def, value)
	case ast.Enum:
		return enum(def, value)
	default:
		return scalar(def.Name, value)
	}
}

// list takes slices of any type: gqlparser makes one of the value's own type
// where a single value stands for a list.
func (c *coercion) list(t *ast.Type, value any) (any, error) {
	v := reflect.ValueOf(value)
	if v.Kind() != reflect.Slice {
		one, err := c.value(t, value)
		return []any{one}, err
	}
	all := make([]any, v.Len())
	for i := range all {
		c.at = append(c.at, ast.PathIndex(i))
		element, err := c.value(t, v.Index(i).Interface())
		if err != nil {
			return nil, err
		}
		all[i], c.at = element, c.at[:len(c.at)-1]
	}
	return all, nil
}

// object copies the fields that the type has, and refuses others.
func (c *coercion) object(def *ast.Definition, value any) (any, error) {
	given, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s takes an object only", def.Name)
	}
	all := make(map[string]any, len(given))
	for _, f := range def.Fields {
		member, there := given[f.Name]
		if !there && f.DefaultValue == nil && !f.Type.NonNull {
			continue
		}
		c.at = append(c.at, ast.PathName(f.Name))
		switch {
		case there:
		case f.DefaultValue == nil:
			return nil, errRequired
		default:
			var err error
			if member, err = f.DefaultValue.Value(nil); err != nil {
				return nil, err
			}
		}
		coerced, err := c.value(f.Type, member)
		if err != nil {
			return nil, err
		}
		all[f.Name], c.at = coerced, c.at[:len(c.at)-1]
	}
	return all, unknown(def, given)
}

// unknown names the first member that the type has no field for.
func unknown(def *ast.Definition, given map[string]any) error {
	first := ""
	for name := range given {
		if def.Fields.ForName(name) == nil && name != "__typename" && (first == "" || name < first) {
			first = name
		}
	}
	if first != "" {
		return fmt.Errorf("%s has no field %.100s", def.Name, first)
	}
	return nil
}
