package write

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/money"
	"github.com/entwine-go/entwine/kit/problem"
)

// amount reads an amount of money, a decimal number, as minor units: nil where
// that depends on a currency that is none.
func (f *form) amount(field *Field, number string) (any, *finding) {
	code := f.currencyOf(field)
	if code == "" { // noted there; how many decimals there may be is not known
		minor, err := money.Parse(number, money.Default)
		if err != nil {
			return nil, nil
		}
		return minor, nil
	}
	minor, err := money.Parse(number, code)
	if many := (*money.DecimalsError)(nil); errors.As(err, &many) && field.Check != nil {
		if bounds := field.Check(many.Outward); bounds != nil && problem.As(bounds) == nil {
			err = fmt.Errorf("%w, and %w", err, bounds) // as of an amount with fewer
		}
	}
	if err != nil {
		return nil, broken("%v", err)
	}
	return minor, nil
}

// currencyOf is the currency of an amount in the input: the one that the input
// names, else that of the row. Empty: none that there is.
func (f *form) currencyOf(field *Field) string {
	holder := f.Entity.Field(field.Currency.Name)
	if holder == nil { // an action's: the row's currency
		if f.row == nil {
			return ""
		}
		code, _ := f.row(field.Currency.Name).(string)
		return code
	}
	writable := holder.OnUpdate
	if f.making {
		writable = holder.OnCreate
	}
	if value, ok := f.value(holder); ok && value != nil && writable {
		code := value.(string)
		if holder.Check != nil && holder.Check(code) != nil {
			return ""
		}
		if _, err := money.Scale(code); err != nil {
			return ""
		}
		return code
	}
	if f.sent.of(holder) != nil && f.sent.of(holder).raw != nil && writable {
		return "" // what it names is no text
	}
	return f.currencyElse(holder)
}

// currencyElse is the currency where the input names none.
func (f *form) currencyElse(holder *Field) string {
	standard := ""
	if holder.Default != nil {
		standard, _ = holder.Default().(string)
	}
	switch {
	case f.making, f.replace && !holder.Kept && holder.OnUpdate && holder.settable(f.viewer) && holder.Default != nil:
		return standard
	case f.row == nil:
		return standard // the row is missing, which is reported after this
	}
	code, _ := f.row(holder.Name).(string)
	return code
}

// checkCurrency says whether a field that amounts are in the currency of names one.
func (f *form) checkCurrency(field *Field, value any) *finding {
	code, isText := value.(string)
	if !isText || !f.holdsCurrency(field) {
		return nil
	}
	if _, err := money.Scale(code); err != nil {
		return broken("must be the ISO 4217 code of a currency")
	}
	return nil
}

// holdsCurrency reports whether amounts are in the currency of the field.
func (e *Entity) holdsCurrency(field *Field) bool {
	return slices.ContainsFunc(e.Fields, func(amount *Field) bool {
		return amount.Kind == entity.Money && amount.Currency == field.Field
	})
}

// rescale keeps the number of an amount that the input does not name while its
// currency becomes another: its minor units are others then, or none at all.
func (f *form) rescale(field *Field) {
	current, ok := f.row(field.Name).(int64)
	if !ok {
		return // null stays null
	}
	was, _ := f.row(field.Currency.Name).(string)
	code := f.currencyOf(field)
	scale, err := money.Scale(code)
	if old, _ := money.Scale(was); err != nil || scale == old {
		return // the currency is refused, or counts alike
	}
	if !field.settable(f.viewer) || !f.sees(field) {
		f.deny(field)
		return
	}
	number := json.Number(money.Append(nil, current, was))
	minor, err := money.Parse(string(number), code)
	if err != nil {
		f.note(field, &finding{message: err.Error(), rule: true, value: number})
		return
	}
	if f.check(field, minor) {
		f.set(field, minor)
	}
}
