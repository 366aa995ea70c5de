package writing

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"time"

	"github.com/google/uuid"

	"github.com/entwine-go/entwine/kit/runtime/reading"
)

// Check is a check of values of the type: what [Field.Check] is made of.
func Check[T any](check func(T) error) func(any) error {
	return func(v any) error { return check(v.(T)) }
}

// Whole is [Check] for a number that Ent keeps in another type than int64, which
// not every number fits.
func Whole[T int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64](checks ...func(T) error) func(any) error {
	return func(v any) error {
		n := v.(int64)
		t := T(n)
		if int64(t) != n || (t < 0) != (n < 0) {
			return fmt.Errorf("must be a number that fits in %s", reflect.TypeFor[T]())
		}
		for _, check := range checks {
			if err := check(t); err != nil {
				return err
			}
		}
		return nil
	}
}

// Real is [Check] for a number that Ent keeps with fewer bits than float64.
func Real[T float32 | float64](checks ...func(T) error) func(any) error {
	return func(v any) error {
		t := T(v.(float64))
		if math.IsInf(float64(t), 0) {
			return fmt.Errorf("must be a number that fits in %s", reflect.TypeFor[T]())
		}
		for _, check := range checks {
			if err := check(t); err != nil {
				return err
			}
		}
		return nil
	}
}

// JSON decodes JSON of the type: a [Field.Decode].
func JSON[T any](raw any) (any, error) {
	text, err := json.Marshal(raw)
	if err != nil {
		return nil, fmt.Errorf("must be JSON")
	}
	return reading.DecodeJSON[T](text)
}

// Plain is a value of Ent's in the types of [Field.Check], nil for a null pointer.
func Plain(value any) any {
	switch v := value.(type) {
	case nil, int64, float64, string, bool, time.Time, uuid.UUID, []byte, []string:
		return value
	case json.RawMessage:
		return v
	}
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return Plain(v.Elem().Interface())
	case reflect.String:
		return v.String()
	case reflect.Bool:
		return v.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return v.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return int64(v.Uint())
	case reflect.Float32:
		return v.Float()
	}
	return value
}

// Held is a value of JSON that can be null, of which Ent knows no pointer.
func Held(value any) any {
	if v := reflect.ValueOf(value); !v.IsValid() || v.IsZero() {
		return nil
	}
	return value
}

// same compares values as the databases keep them.
func same(a, b any) bool {
	switch x := a.(type) {
	case time.Time:
		y, ok := b.(time.Time)
		return ok && x.Truncate(time.Microsecond).Equal(y.Truncate(time.Microsecond))
	case json.RawMessage:
		y, ok := b.(json.RawMessage)
		var left, right any
		return ok && json.Unmarshal(x, &left) == nil && json.Unmarshal(y, &right) == nil && reflect.DeepEqual(left, right)
	}
	return reflect.DeepEqual(a, b)
}
