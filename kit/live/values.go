package live

import (
	"time"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/money"
	"github.com/entwine-go/entwine/kit/read"
)

// Values of the database are compared in Go where both agree on them: ids, flags, texts
// of a set, and whole numbers, which moments and amounts are, too.

// stored reports whether the column has the field's values as the database announces
// them.
func stored(f *entity.Field) bool {
	return f.Expression == "" && f.Computed == nil && f.Own == nil && !f.Known
}

// exact reports whether values of the field are equal in Go where they are in the
// database.
func exact(f *entity.Field) bool {
	switch f.Kind {
	case entity.Int, entity.Bool, entity.Enum, entity.ID, entity.Ref, entity.TextID, entity.TextRef, entity.UUIDID, entity.UUIDRef, entity.Time:
		return true
	case entity.Money:
		return f.Units != nil
	}
	return false
}

// valueOf is the field's value of a row in the form that is compared, nil for null, and
// whether the row has it: of a time its microseconds, of an amount its units.
func valueOf(f *entity.Field, row map[string]any) (value any, known bool) {
	value, known = row[f.Column]
	if !known || value == nil || !stored(f) || !exact(f) {
		return value, known && stored(f) && (value == nil || exact(f))
	}
	switch f.Kind {
	case entity.Time:
		text, _ := value.(string)
		at, err := momentOf(text)
		return at.UnixMicro(), err == nil
	case entity.Money:
		minor, whole := value.(int64)
		if f.Currency == nil || !whole {
			return nil, false
		}
		code, has := row[f.Currency.Column]
		if text, is := code.(string); is || code == nil {
			units, fits := money.UnitsOf(minor, text)
			return units, has && fits
		}
		return nil, false
	}
	return value, true
}

// momentOf reads a time as the triggers of a database write it.
func momentOf(text string) (time.Time, error) {
	at, err := time.Parse("2006-01-02 15:04:05.999999-07:00", text) // SQLite
	if err != nil {
		at, err = time.Parse(time.RFC3339Nano, text)
	}
	return at, err
}

// boundOf is the bound of a condition, in the form in which values are compared.
func boundOf(c read.Cond) any {
	switch v := c.Value.(type) {
	case time.Time:
		return v.UnixMicro()
	case []time.Time:
		return numbers(v, time.Time.UnixMicro)
	case money.Decimal:
		return v.Units()
	case []money.Decimal:
		return numbers(v, money.Decimal.Units)
	}
	return c.Value
}

func numbers[T any](values []T, number func(T) int64) []int64 {
	all := make([]int64, len(values))
	for i, v := range values {
		all[i] = number(v)
	}
	return all
}
