package migration

import (
	sqldriver "database/sql/driver"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"modernc.org/sqlite"
)

// SQLite's own CAST makes 0 of a text that is no number, and cuts fractions off.
// A program that applies migrations has entwine_cast(value, type) instead, which
// says of every value what PostgreSQL says.

func init() {
	sqlite.MustRegisterDeterministicScalarFunction("entwine_cast", 2, func(_ *sqlite.FunctionContext, args []sqldriver.Value) (sqldriver.Value, error) {
		kind, _ := args[1].(string)
		return cast(args[0], kind)
	})
}

// castFailed begins the errors of casts.
const castFailed = "no cast: "

// integers are the bits of integers, floats those of other numbers, by the names
// of types.
var (
	integers = map[string]int{"smallint": 16, "int2": 16, "int": 32, "integer": 32, "int4": 32, "bigint": 64, "int8": 64}
	floats   = map[string]int{"real": 32, "float4": 32, "double precision": 64, "float8": 64, "numeric": 64, "decimal": 64}
	texts    = []string{"text", "varchar", "character varying"}
	booleans = []string{"boolean", "bool"}
)

// Casts reports whether a value is cast to the type on both databases alike.
func Casts(kind string) bool {
	return integers[kind]+floats[kind] > 0 || slices.Contains(texts, kind) || slices.Contains(booleans, kind)
}

func cast(value sqldriver.Value, kind string) (sqldriver.Value, error) {
	if b, ok := value.([]byte); ok {
		value = string(b)
	}
	switch {
	case value == nil:
		return nil, nil
	case integers[kind] > 0:
		return integer(value, kind)
	case floats[kind] > 0:
		return float(value, kind)
	case slices.Contains(booleans, kind):
		return boolean(value)
	case slices.Contains(texts, kind):
		if f, ok := value.(float64); ok {
			return textOf(f), nil
		}
		return fmt.Sprint(value), nil
	}
	return nil, fmt.Errorf("%sto the type %s", castFailed, kind)
}

func syntax(kind string, value sqldriver.Value) error {
	return fmt.Errorf("%sinvalid input syntax for type %s: %q", castFailed, kind, value)
}

func beyond(kind string, value sqldriver.Value) error {
	if text, ok := value.(string); ok {
		return fmt.Errorf("%svalue %q is out of range for type %s", castFailed, text, kind)
	}
	return fmt.Errorf("%s%s out of range", castFailed, kind)
}

var (
	wholeForm  = regexp.MustCompile(`^[+-]?\d+$`)
	numberForm = regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$`)
)

func integer(value sqldriver.Value, kind string) (sqldriver.Value, error) {
	var n int64
	switch v := value.(type) {
	case int64:
		n = v
	case float64:
		if v = math.RoundToEven(v); !(v >= -1<<63 && v < 1<<63) {
			return nil, beyond(kind, value)
		}
		n = int64(v)
	case string:
		text := strings.Trim(v, " \t\n\v\f\r")
		if !wholeForm.MatchString(text) {
			return nil, syntax(kind, v)
		}
		var err error
		if n, err = strconv.ParseInt(text, 10, 64); err != nil {
			return nil, beyond(kind, v)
		}
	default:
		return nil, syntax(kind, value)
	}
	if limit := int64(1) << (integers[kind] - 1); integers[kind] < 64 && (n < -limit || n >= limit) {
		return nil, beyond(kind, value)
	}
	return n, nil
}

func float(value sqldriver.Value, kind string) (sqldriver.Value, error) {
	switch v := value.(type) {
	case int64:
		return float64(v), nil
	case float64:
		return rounded(v, kind)
	case string:
		text := strings.Trim(v, " \t\n\v\f\r")
		if !numberForm.MatchString(text) {
			return nil, syntax(kind, v)
		}
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, beyond(kind, v)
		}
		return rounded(f, kind)
	}
	return nil, syntax(kind, value)
}

// rounded is the number in the precision of the type.
func rounded(f float64, kind string) (sqldriver.Value, error) {
	if floats[kind] == 64 {
		return f, nil
	}
	if math.Abs(f) > math.MaxFloat32 {
		return nil, beyond(kind, f)
	}
	return float64(float32(f)), nil
}

// boolean takes the beginnings of words that PostgreSQL takes.
func boolean(value sqldriver.Value) (sqldriver.Value, error) {
	switch v := value.(type) {
	case int64:
		if v == 0 {
			return int64(0), nil
		}
		return int64(1), nil
	case string:
		text := strings.ToLower(strings.Trim(v, " \t\n\v\f\r"))
		for word, is := range map[string]int64{"true": 1, "yes": 1, "on": 1, "1": 1, "false": 0, "no": 0, "off": 0, "0": 0} {
			if text != "" && text != "o" && strings.HasPrefix(word, text) {
				return is, nil
			}
		}
	}
	return nil, syntax("boolean", value)
}

// textOf is the number as PostgreSQL writes it.
func textOf(f float64) string {
	if abs := math.Abs(f); f == 0 || abs >= 1e-4 && abs < 1e15 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strconv.FormatFloat(f, 'e', -1, 64)
}
