package read

import (
	"time"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/money"
)

// Compare returns the filter that compares the field with a value of
// [entity.Field.Parse], or for In and NotIn with a list of such values. [gte]
// compares with the beginning of a day, [lte] with its end; [gt] means after it,
// [lt] before it, and equality within it.
func Compare(f *entity.Field, op Op, value any) Filter {
	switch v := value.(type) {
	case entity.Day:
		return compareDay(v, f, op)
	case []any:
		return oneOf(f, op, v)
	}
	return Cond{Field: f, Op: op, Value: value}
}

func compareDay(d entity.Day, f *entity.Field, op Op) Filter {
	cond := func(op Op, t time.Time) Cond { return Cond{Field: f, Op: op, Value: t} }
	switch op {
	case GTE, LT:
		return cond(op, d.Start)
	case GT:
		return cond(GTE, d.End())
	case LTE:
		return cond(LT, d.End())
	case NEQ:
		return Or{cond(LT, d.Start), cond(GTE, d.End())}
	}
	return And{cond(GTE, d.Start), cond(LT, d.End())}
}

// oneOf compares with a list: in one condition, unless a day is among them.
func oneOf(f *entity.Field, op Op, values []any) Filter {
	each, all := EQ, make([]Filter, len(values))
	if op == NotIn {
		each = NEQ
	}
	days := false
	for i, value := range values {
		_, day := value.(entity.Day)
		days = days || day
		all[i] = Compare(f, each, value)
	}
	switch {
	case !days:
		return Cond{Field: f, Op: op, Value: List(values)}
	case op == NotIn:
		return And(all)
	}
	return Or(all)
}

// List turns values of one type into a slice of that type, as [In] takes it.
func List(values []any) any {
	if len(values) == 0 {
		return []string{}
	}
	switch values[0].(type) {
	case int64:
		return listOf[int64](values)
	case float64:
		return listOf[float64](values)
	case bool:
		return listOf[bool](values)
	case time.Time:
		return listOf[time.Time](values)
	case money.Decimal:
		return listOf[money.Decimal](values)
	}
	return listOf[string](values)
}

func listOf[T any](values []any) []T {
	typed := make([]T, 0, len(values))
	for _, value := range values {
		if t, ok := value.(T); ok {
			typed = append(typed, t)
		}
	}
	return typed
}
