package body

import (
	"encoding/json"
	"reflect"
	"time"

	"github.com/entwine-go/entwine/kit/money"
	"github.com/entwine-go/entwine/kit/runtime/reading"
)

// Sent is a member of a decoded body: one of ogen's optional types.
type Sent[T any] interface {
	// Get returns the value, false where it is absent or null.
	Get() (T, bool)
	// IsSet reports whether it is there, null included.
	IsSet() bool
}

// Value is a member of a body for which ogen has no optional type.
type Value[T any] struct {
	value     T
	set, null bool
}

// Get implements [Sent].
func (v Value[T]) Get() (T, bool) { return v.value, v.set && !v.null }

// IsSet implements [Sent].
func (v Value[T]) IsSet() bool { return v.set }

// List is a list in a body, absent where it is nil.
func List[T any](list []T) Value[[]T] { return Value[[]T]{value: list, set: list != nil} }

// Raw is any JSON in a body, decoded.
func Raw[T any](f *Form, field *Field, raw []byte) Value[T] {
	var v Value[T]
	switch {
	case len(raw) == 0:
	case string(raw) == "null":
		v.set, v.null = true, true
		f.refuseNull(field)
	default:
		value, err := reading.DecodeJSON[T](raw)
		if err != nil {
			f.invalid(field, json.RawMessage(raw), "%v", err)
			return v
		}
		v.value, v.set = value, true
	}
	return v
}

// Parsed is a text in a body that stands for something else.
func Parsed[T any](f *Form, field *Field, sent Sent[string], parse func(string) (T, error)) Value[T] {
	text, ok := sent.Get()
	if !ok {
		return Value[T]{set: sent.IsSet(), null: sent.IsSet()}
	}
	value, err := parse(text)
	if err != nil {
		f.invalid(field, text, "%v", err)
		return Value[T]{}
	}
	return Value[T]{value: value, set: true}
}

// Held is a value that a row has, nil where it has none: JSON, of which Ent
// knows no pointer.
func Held[T any](value T) *T {
	if v := reflect.ValueOf(&value).Elem(); v.IsZero() {
		return nil
	}
	return &value
}

// Currency is the currency that the amounts of a body are in: what it names,
// or else the row's. It is empty where no currency is named like that.
func Currency(f *Form, field *Field, sent Sent[string], other string, check func(string) error) string {
	code, named := sent.Get()
	if !named {
		return other
	}
	if check != nil && check(code) != nil {
		return "" // noted when the field's turn comes
	}
	if _, err := money.Scale(code); err != nil {
		f.broken(field, code, "must be the ISO 4217 code of a currency")
		return ""
	}
	return code
}

// Amount is an amount of money in a body, a number, in minor units of the currency.
func Amount(f *Form, field *Field, raw []byte, currency string) Value[int64] {
	var v Value[int64]
	switch {
	case len(raw) == 0:
		return v
	case string(raw) == "null":
		f.refuseNull(field)
		return Value[int64]{set: true, null: true}
	case raw[0] != '-' && (raw[0] < '0' || raw[0] > '9'):
		f.invalid(field, json.RawMessage(raw), "must be a number")
		return v
	}
	f.amounts = append(f.amounts, amount{field, json.Number(raw)})
	if currency == "" { // how many decimals there may be is not known
		minor, err := money.Parse(string(raw), money.Default)
		return Value[int64]{value: minor, set: true, null: err != nil}
	}
	minor, err := money.Parse(string(raw), currency)
	if err != nil {
		f.broken(field, json.Number(raw), "%v", err)
		return v
	}
	return Value[int64]{value: minor, set: true}
}

// Rescale is [Amount] for a change of a row: an amount that the body does not
// name stays the same number when the currency becomes another one, and so
// may become other minor units, or none at all.
func Rescale(f *Form, field *Field, raw []byte, currency, was string, current int64) Value[int64] {
	if len(raw) > 0 || f.replace && !field.Kept {
		return Amount(f, field, raw, currency)
	}
	scale, err := money.Scale(currency)
	if old, _ := money.Scale(was); err != nil || scale == old {
		return Value[int64]{} // the currency is refused, or counts alike
	}
	if !f.may(field) || !field.Visible(f.viewer) {
		f.deny(field)
		return Value[int64]{}
	}
	return Amount(f, field, money.Append(nil, current, was), currency)
}

// RescaleOrNull is [Rescale] for an amount that can be null.
func RescaleOrNull(f *Form, field *Field, raw []byte, currency, was string, current *int64) Value[int64] {
	if current == nil {
		return Amount(f, field, raw, currency)
	}
	return Rescale(f, field, raw, currency, was, *current)
}

// Otherwise is what a field will be where the body does not name it: what the
// row has, or the standard to which a replacement returns it.
func Otherwise(f *Form, field *Field, current, standard string) string {
	if f.replace && !field.Kept && f.may(field) {
		return standard
	}
	return current
}

// refuseNull notes null where a field cannot be null.
func (f *Form) refuseNull(field *Field) {
	if !field.Nullable {
		f.invalid(field, nil, "must not be null")
	}
}

// IDs turns a nullable typed id into a number.
func IDs[T ~int64](id *T) *int64 {
	if id == nil {
		return nil
	}
	number := int64(*id)
	return &number
}

// Texts turns a nullable value of an enum into text.
func Texts[T ~string](value *T) *string {
	if value == nil {
		return nil
	}
	text := string(*value)
	return &text
}

// same compares values as the databases keep them.
func same[T any](a, b T) bool {
	if x, ok := any(a).(time.Time); ok {
		y := any(b).(time.Time)
		return x.Truncate(time.Microsecond).Equal(y.Truncate(time.Microsecond))
	}
	if x, ok := any(a).(json.RawMessage); ok {
		var left, right any
		return json.Unmarshal(x, &left) == nil && json.Unmarshal(any(b).(json.RawMessage), &right) == nil && reflect.DeepEqual(left, right)
	}
	return reflect.DeepEqual(a, b)
}
