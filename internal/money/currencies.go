package money

import (
	"slices"

	"github.com/bojanz/currency"
)

// Unusual returns the currencies by how many decimals they have, sorted,
// without those that have two.
func Unusual() map[int][]string {
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
