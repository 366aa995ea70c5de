package variables

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// enum takes a value's name, written as the schema writes it.
func enum(def *ast.Definition, value any) (any, error) {
	name, ok := value.(string)
	if !ok || def.EnumValues.ForName(name) == nil {
		return nil, fmt.Errorf("is not a value of %s", def.Name)
	}
	return name, nil
}

// scalar never takes a text for a number or a number for a text. The messages
// leave the value out: it may be a secret.
func scalar(name string, value any) (any, error) {
	switch name {
	case "Int":
		n, ok := Whole(value)
		if !ok || n < math.MinInt32 || n > math.MaxInt32 {
			return nil, fmt.Errorf("Int takes whole numbers from %d to %d only", math.MinInt32, math.MaxInt32) //nolint:staticcheck // a type is written so
		}
		return n, nil
	case "Float":
		return float(value)
	case "ID":
		return id(value)
	case "Boolean":
		if _, ok := value.(bool); !ok {
			return nil, errors.New("Boolean takes true and false only") //nolint:staticcheck // a type is written so
		}
		return value, nil
	case "String", "Cursor":
		if _, ok := value.(string); !ok {
			return nil, fmt.Errorf("%s takes texts only", name)
		}
		return value, nil
	}
	return plain(value), nil
}

// Whole is a whole number in a literal or a variable, also one that is written
// with an exponent or zeros behind the point.
func Whole(value any) (int64, bool) {
	switch v := value.(type) {
	case int:
		return int64(v), true
	case int64:
		return v, true
	case float64:
		return int64(v), v == math.Trunc(v) && math.Abs(v) < 1<<53
	case json.Number:
		if n, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return n, true
		}
		if f, err := v.Float64(); err == nil && exact(v.String()) {
			return Whole(f)
		}
	}
	return 0, false
}

// exact reports whether the digits of the number have no fraction: the
// nearest float64 of 2.00000000000000000001 has none, but it is not 2.
func exact(number string) bool {
	mantissa, exponent := number, 0
	if i := strings.IndexAny(number, "eE"); i >= 0 {
		mantissa = number[:i]
		exponent, _ = strconv.Atoi(number[i+1:]) // the least or the greatest where it is out of range
	}
	before, after, _ := strings.Cut(strings.TrimPrefix(mantissa, "-"), ".")
	significant := strings.TrimRight(before+after, "0")
	return significant == "" || len(significant)-len(before) <= exponent
}

func float(value any) (any, error) {
	switch v := value.(type) {
	case int:
		return float64(v), nil
	case int64:
		return float64(v), nil
	case float64:
		return v, nil
	case json.Number:
		f, err := v.Float64()
		if err != nil { // JSON has no other number that is none of 64 bits
			return nil, fmt.Errorf("Float takes numbers up to %g only", math.MaxFloat64) //nolint:staticcheck // a type is written so
		}
		return f, nil
	}
	return nil, errors.New("Float takes numbers only") //nolint:staticcheck // a type is written so
}

// id is a text or a whole number. One beyond 64 bits stays a text: no row has it.
func id(value any) (any, error) {
	if text, ok := value.(string); ok {
		return text, nil
	}
	if n, ok := Whole(value); ok {
		return n, nil
	}
	if n, ok := value.(json.Number); ok && digits(n.String()) {
		return n.String(), nil
	}
	return nil, errors.New("ID takes texts and whole numbers only")
}

func digits(text string) bool {
	for _, r := range text {
		if (r < '0' || r > '9') && r != '-' {
			return false
		}
	}
	return true
}

// plain is a value of a scalar whose own reader judges it, with numbers as
// encoding/json has them.
func plain(value any) any {
	switch v := value.(type) {
	case json.Number:
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = plain(v[name])
		}
	}
	return value
}
