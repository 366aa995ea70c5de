package money

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bojanz/currency"
)

// unusual returns the currencies by how many decimals they have, sorted,
// without those that have two.
func unusual() map[int][]string {
	codes := map[int][]string{}
	for _, code := range currency.GetCurrencyCodes() {
		if digits, _ := currency.GetDigits(code); digits != 2 {
			codes[int(digits)] = append(codes[int(digits)], code)
		}
	}
	for _, list := range codes {
		slices.Sort(list)
	}
	return codes
}

// Units returns the SQL expression of what the amount in one column is, in the
// currency of another, as a number of 10^-[MaxScale]: the number that is
// shown of it, whatever its currency has for a minor unit. It is a whole
// number, so it is exact, and the same on every database.
func Units(amount, currency string) string {
	var cases strings.Builder
	codes := unusual()
	for scale := range MaxScale + 1 {
		if list := codes[scale]; len(list) > 0 {
			fmt.Fprintf(&cases, " WHEN '%s' THEN %d", strings.Join(list, fmt.Sprintf("' THEN %d WHEN '", unit(scale))), unit(scale))
		}
	}
	return fmt.Sprintf(`"%s" * CASE "%s"%s ELSE %d END`, amount, currency, cases.String(), unit(2))
}

// unit is how many units a minor unit of a currency of that scale is.
func unit(scale int) int64 {
	unit := int64(1)
	for range MaxScale - scale {
		unit *= 10
	}
	return unit
}

// Most is the largest amount of the currency: up to there a JSON number is
// exact in every client, and what [Units] makes of it has 64 bits.
func Most(code string) int64 {
	scale, _ := Scale(code)
	return min(1<<53-1, math.MaxInt64/unit(scale))
}
