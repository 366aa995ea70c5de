// Package money writes and reads amounts: integers of a currency's minor
// units inside, decimal numbers outside (decisions.md section 1.3). How many
// digits a currency has is CLDR's business, through golang.org/x/text.
package money

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/text/currency"
)

var scales sync.Map // code -> int

// Scale returns how many decimals the currency's minor unit has: 2 for EUR,
// 0 for JPY, 3 for KWD.
func Scale(code string) (int, error) {
	if scale, ok := scales.Load(code); ok {
		return scale.(int), nil
	}
	unit, err := currency.ParseISO(code)
	if err != nil || unit.String() != code {
		return 0, fmt.Errorf("%q is not an ISO 4217 currency code", code)
	}
	scale, _ := currency.Standard.Rounding(unit)
	scales.Store(code, scale)
	return scale, nil
}

// Append appends the amount of minor units as a decimal JSON number, without
// trailing zeros. An unknown currency counts as one without decimals.
func Append(dst []byte, minor int64, code string) []byte {
	scale, err := Scale(code)
	if err != nil || scale == 0 {
		return strconv.AppendInt(dst, minor, 10)
	}
	if minor < 0 {
		dst = append(dst, '-')
	}
	digits := strings.TrimPrefix(strconv.FormatInt(minor, 10), "-")
	if len(digits) <= scale {
		digits = strings.Repeat("0", scale-len(digits)+1) + digits
	}
	dst = append(dst, digits[:len(digits)-scale]...)
	fraction := strings.TrimRight(digits[len(digits)-scale:], "0")
	if fraction == "" {
		return dst
	}
	return append(append(dst, '.'), fraction...)
}

// Float returns the amount of minor units as the float nearest to it, which
// is written like the amount itself.
func Float(minor int64, code string) float64 {
	scale, err := Scale(code)
	if err != nil {
		return float64(minor)
	}
	return float64(minor) / math.Pow10(scale)
}

// Parse returns the minor units of a decimal number. More decimals than the
// currency has, or an amount beyond 64 bits, is an error.
func Parse(number, code string) (int64, error) {
	scale, err := Scale(code)
	if err != nil {
		return 0, err
	}
	return parse(number, scale, code)
}

func parse(number string, scale int, code string) (int64, error) {
	mantissa, exponent := number, 0
	if i := strings.IndexAny(number, "eE"); i >= 0 {
		n, err := strconv.Atoi(number[i+1:])
		if err != nil || n < -40 || n > 40 {
			return 0, fmt.Errorf("%q is not an amount", number)
		}
		mantissa, exponent = number[:i], n
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := whole + fraction
	shift := exponent + scale - len(fraction)
	for shift < 0 && strings.HasSuffix(digits, "0") {
		digits, shift = digits[:len(digits)-1], shift+1
	}
	if digits == "" || digits == "-" {
		digits, shift = digits+"0", 0
	}
	if shift < 0 {
		return 0, fmt.Errorf("%s has %d decimals at most", code, scale)
	}
	minor, err := strconv.ParseInt(digits+strings.Repeat("0", min(shift, 20)), 10, 64)
	if err != nil || shift > 20 {
		return 0, fmt.Errorf("%q is not an amount of %s", number, code)
	}
	return minor, nil
}

// Default is the currency of an amount that names none.
const Default = "USD"
