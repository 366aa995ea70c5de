package read

import (
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/money"
)

// An amount is compared and ordered as the number that is shown of it,
// whatever its currency: 1200 JPY are more than 19.99 USD, though they are
// fewer minor units than these. [entity.Field.Units] is that number, which the
// databases keep in a column of its own.

// ordered returns the field that orders rows like this one does.
func ordered(f *entity.Field) *entity.Field {
	if f.Units != nil {
		return f.Units
	}
	return f
}

// amounts turns a condition on an amount into one on its units.
func (c Cond) amounts() Cond {
	if c.Field.Units == nil {
		return c
	}
	switch value := c.Value.(type) {
	case money.Decimal:
		c.Field, c.Value = c.Field.Units, value.Units()
	case []money.Decimal:
		units := make([]int64, len(value))
		for i, d := range value {
			units[i] = d.Units()
		}
		c.Field, c.Value = c.Field.Units, units
	}
	return c
}
