package listing

import (
	"fmt"
	"strings"
	"sync"

	"github.com/entwine-go/entwine/internal/money"
)

// An amount is compared as the number that is shown of it, whatever its
// currency: 1200 JPY are more than 19.99 USD, though they are fewer minor
// units than these. What a filter names is therefore another number of minor
// units for each number of decimals that a currency has.

// scales are those that currencies have, the most usual last, with the
// condition that tells them apart.
var scales = sync.OnceValue(func() []scale {
	var all []scale
	unusual := money.Unusual()
	for n := range money.MaxScale + 1 {
		if codes := unusual[n]; len(codes) > 0 {
			all = append(all, scale{n, " IN ('" + strings.Join(codes, "', '") + "') THEN "})
		}
	}
	return append(all, scale{n: 2})
})

type scale struct {
	n    int
	when string
}

// amount writes the comparison of an amount with a decimal.
func (b *builder) amount(f *Field, alias string, op Op, d money.Decimal) {
	if op == NEQ {
		b.WriteString("NOT COALESCE((")
		b.amount(f, alias, EQ, d)
		b.WriteString("), FALSE)")
		return
	}
	b.column(alias, f.Column)
	b.WriteString(operators[op])
	b.WriteString("CASE")
	for _, s := range scales() {
		if s.when != "" {
			b.WriteString(" WHEN ")
			b.column(alias, f.Currency.Column)
			b.WriteString(s.when)
		} else {
			b.WriteString(" ELSE ")
		}
		b.WriteString("CAST(")
		b.Arg(bound(op, d, s.n))
		b.WriteString(" AS bigint)")
	}
	b.WriteString(" END")
}

// bound is what minor units are compared with: null, which nothing is equal
// to, where no amount is the decimal.
func bound(op Op, d money.Decimal, scale int) any {
	minor, exact := d.In(scale)
	switch {
	case exact:
		return minor
	case op == EQ:
		return nil
	case op == GTE || op == LT: // at least, or less than, the next one
		return minor + 1
	}
	return minor
}

// oneOfAmounts writes that the amount is one of the decimals.
func (b *builder) oneOfAmounts(f *Field, alias string, all []money.Decimal) {
	b.WriteString("(1=0")
	for _, d := range all {
		b.WriteString(" OR ")
		b.amount(f, alias, EQ, d)
	}
	b.WriteString(")")
}

func parseAmount(text string) (money.Decimal, error) {
	d, err := money.ParseDecimal(text)
	if err != nil {
		return d, fmt.Errorf("must be an amount such as 19.99")
	}
	return d, nil
}
