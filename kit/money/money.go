// Package money writes and reads amounts: integers of a currency's minor
// units inside, decimal numbers outside (doc/api/values.md). How many
// digits a currency has is ISO 4217's business, through bojanz/currency:
// CLDR, which golang.org/x/text follows, differs from it where coins are out
// of use, and payment gateways count by ISO 4217.
package money

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/bojanz/currency"
)

// Default is the currency of an amount that names none.
const Default = "USD"

// MaxScale is how many decimals a currency has at most.
const MaxScale = 4

// Scale returns how many decimals the currency's minor unit has: 2 for EUR, 0 for
// JPY, 3 for KWD. It reports false for currencies out of use, metals and test
// codes.
func Scale(code string) (int, error) {
	digits, ok := currency.GetDigits(code)
	if !ok {
		return 0, fmt.Errorf("%.20q is not the ISO 4217 code of a currency", code)
	}
	return int(digits), nil
}

// Append appends the amount of minor units as a decimal JSON number, without
// trailing zeros. An unknown currency counts as one without decimals.
func Append(dst []byte, minor int64, code string) []byte {
	scale, _ := Scale(code)
	dst, fraction := appendWhole(dst, minor, scale)
	if fraction = strings.TrimRight(fraction, "0"); fraction == "" {
		return dst
	}
	return append(append(dst, '.'), fraction...)
}

// Format returns the amount of minor units with all of the currency's
// decimals: "1250.00", "1.250", "1200".
func Format(minor int64, code string) string {
	scale, _ := Scale(code)
	dst, fraction := appendWhole(nil, minor, scale)
	if fraction != "" {
		dst = append(append(dst, '.'), fraction...)
	}
	return string(dst)
}

// appendWhole appends what stands before the point and returns what stands
// behind it.
func appendWhole(dst []byte, minor int64, scale int) (whole []byte, fraction string) {
	digits := strconv.FormatInt(minor, 10)
	if minor < 0 {
		dst, digits = append(dst, '-'), digits[1:]
	}
	if len(digits) <= scale {
		digits = strings.Repeat("0", scale-len(digits)+1) + digits
	}
	return append(dst, digits[:len(digits)-scale]...), digits[len(digits)-scale:]
}

// Float returns the amount of minor units as the float nearest to it, which
// is written like the amount itself up to 15 digits.
func Float(minor int64, code string) float64 {
	scale, _ := Scale(code)
	if minor >= -1<<53 && minor <= 1<<53 {
		return float64(minor) / math.Pow10(scale) // rounded once: both are exact
	}
	float, _ := strconv.ParseFloat(string(Append(nil, minor, code)), 64)
	return float
}

// DecimalsError is the error of an amount with more decimals than its currency has.
type DecimalsError struct {
	Currency string // the ISO 4217 code
	Most     int    // how many decimals the currency has
	Outward  int64  // the minor units of the next amount that is farther from zero
}

// Error implements error.
func (e *DecimalsError) Error() string {
	return fmt.Sprintf("%s has %d decimals at most", e.Currency, e.Most)
}

// outward rounds digits times ten to the power of a negative exponent away from zero, to
// what fits in 64 bits.
func outward(digits string, exponent int) int64 {
	sign := int64(1)
	if digits[0] == '-' {
		sign, digits = -1, digits[1:]
	}
	whole, _ := strconv.ParseInt(digits[:max(len(digits)+exponent, 0)], 10, 64) // 0 of none, the most of too many
	return sign * (min(whole, math.MaxInt64-1) + 1)
}

// Parse returns the minor units of a decimal number, as JSON writes one. More
// decimals than the currency has, or an amount beyond 64 bits, is an error.
func Parse(number, code string) (int64, error) {
	scale, err := Scale(code)
	if err != nil {
		return 0, err
	}
	digits, exponent, err := read(number)
	if err != nil {
		return 0, err
	}
	minor, exact, err := scaled(digits, exponent+scale)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%.40q is not an amount of %s", number, code)
	case !exact:
		return 0, &DecimalsError{Currency: code, Most: scale, Outward: outward(digits, exponent+scale)}
	}
	return minor, nil
}
