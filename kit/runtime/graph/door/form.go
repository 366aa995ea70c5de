package door

import (
	"encoding/json"
	"strconv"

	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/kit/money"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/gid"
	"github.com/entwine-go/entwine/kit/runtime/reading"
)

// Form is an input on its way into a mutation of Ent's. It notes what cannot
// even be set, by the names that fields have in the schema.
type Form struct {
	bad  []problem.Detail
	refs []reference
}

// reference is a row that the input names.
type reference struct {
	field string
	to    *reading.Entity
	id    int64
}

// Add notes what others found wrong with the input.
func (f *Form) Add(details ...problem.Detail) { f.bad = append(f.bad, details...) }

// Set applies an input that may be absent. Null clears the field, where there
// is something that resets it.
func Set[T any](f *Form, field string, input graphql.Omittable[*T], to func(T), reset func()) {
	value, given := input.ValueOK()
	switch {
	case !given:
	case value != nil:
		to(*value)
	default:
		f.null(field, reset)
	}
}

// SetList applies a list that may be absent.
func SetList[T any](f *Form, field string, input graphql.Omittable[[]T], to func([]T), reset func()) {
	value, given := input.ValueOK()
	switch {
	case !given:
	case value != nil:
		to(value)
	default:
		f.null(field, reset)
	}
}

// SetJSON applies JSON that may be absent, of the type.
func SetJSON[T any](f *Form, field string, input graphql.Omittable[any], to func(T), reset func()) {
	value, given := input.ValueOK()
	switch {
	case !given:
	case value != nil:
		JSON(f, field, value, to)
	default:
		f.null(field, reset)
	}
}

// JSON applies JSON of the type.
func JSON[T any](f *Form, field string, value any, to func(T)) {
	raw, err := json.Marshal(value)
	if err == nil {
		var decoded T
		if decoded, err = reading.DecodeJSON[T](raw); err == nil {
			to(decoded)
			return
		}
	}
	f.bad = append(f.bad, problem.Invalidf(field, json.RawMessage(raw), "%v", err))
}

// Parsed applies a text that stands for something else.
func Parsed[T any](f *Form, field, text string, parse func(string) (T, error), to func(T)) {
	value, err := parse(text)
	if err != nil {
		f.bad = append(f.bad, problem.Invalidf(field, text, "%v", err))
		return
	}
	to(value)
}

func (f *Form) null(field string, reset func()) {
	if reset == nil {
		f.bad = append(f.bad, problem.Invalidf(field, nil, "cannot be null"))
		return
	}
	reset()
}

// Ref applies the id of a row of another entity, which the caller must be
// able to read.
func (f *Form) Ref(field string, to *reading.Entity, id string, set func(int64)) {
	n, err := gid.Parse(to.Name, id)
	if err != nil {
		f.bad = append(f.bad, problem.Invalidf(field, id, "%v", err))
		return
	}
	f.refs = append(f.refs, reference{field, to, n})
	set(n)
}

// Amount applies an amount of money: a decimal number of the currency.
func (f *Form) Amount(field string, number float64, currency string, to func(int64)) {
	minor, err := money.Parse(strconv.FormatFloat(number, 'f', -1, 64), currency)
	if err != nil {
		f.bad = append(f.bad, problem.Rulef(field, number, "%v", err))
		return
	}
	if minor < 0 { // the column's rule would repeat it in minor units
		f.bad = append(f.bad, problem.Rulef(field, number, "must be at least 0"))
		return
	}
	to(minor)
}

// Rescale keeps the number of an amount that an update does not name while
// the currency becomes another one: its minor units are others then.
func (f *Form) Rescale(field string, named bool, current *int64, was, currency string, to func(int64)) {
	if named || current == nil {
		return
	}
	scale, err := money.Scale(currency)
	if old, _ := money.Scale(was); err != nil || scale == old {
		return // the currency is refused, or counts alike
	}
	minor, err := money.Parse(string(money.Append(nil, *current, was)), currency)
	if err != nil {
		f.bad = append(f.bad, problem.Detail{Field: field, Message: err.Error(), Unprocessable: true})
		return
	}
	to(minor)
}

// Chosen is the value that a mutation sets, or else another.
func Chosen(get func() (string, bool), other func() string) string {
	if value, ok := get(); ok {
		return value
	}
	return other()
}
