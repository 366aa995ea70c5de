package money

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Decimal is a number that amounts of any currency are compared with.
type Decimal struct{ units int64 } // of 10^-MaxScale

// ParseDecimal reads a number, as JSON writes one, of at most as many
// decimals as a currency has.
func ParseDecimal(number string) (Decimal, error) {
	digits, exponent, err := read(number)
	if err != nil {
		return Decimal{}, err
	}
	units, exact, err := scaled(digits, exponent+MaxScale)
	if err != nil || !exact {
		return Decimal{}, fmt.Errorf("%.40q is not an amount", number)
	}
	return Decimal{units}, nil
}

// Units returns the decimal as a number of 10^-[MaxScale], which is what SQL's
// [Units] makes of an amount.
func (d Decimal) Units() int64 { return d.units }

// UnitsOf returns an amount of minor units of a currency as a number of 10^-[MaxScale], and
// whether that is one of 64 bits: what SQL's [Units] makes of it.
func UnitsOf(minor int64, code string) (units int64, ok bool) {
	scale, err := Scale(code)
	if err != nil {
		scale = 2
	}
	of := unit(scale)
	return minor * of, minor <= math.MaxInt64/of && minor >= math.MinInt64/of
}

var errNumber = errors.New("is not a number")

// read splits a number of JSON into its digits, with their sign, and the
// exponent of the last.
func read(number string) (digits string, exponent int, err error) {
	mantissa := number
	if i := strings.IndexAny(number, "eE"); i >= 0 {
		// A number with a longer exponent is either beyond all bounds or zero.
		if exponent, err = strconv.Atoi(number[i+1:]); err != nil || exponent < -1000 || exponent > 1000 {
			return "", 0, errNumber
		}
		mantissa = number[:i]
	}
	unsigned := strings.TrimPrefix(mantissa, "-")
	whole, fraction, pointed := strings.Cut(unsigned, ".")
	if !decimal(whole) || pointed && !decimal(fraction) {
		return "", 0, errNumber
	}
	digits = strings.TrimLeft(whole+fraction, "0")
	exponent -= len(fraction)
	for strings.HasSuffix(digits, "0") {
		digits, exponent = digits[:len(digits)-1], exponent+1
	}
	if digits == "" {
		return "0", 0, nil
	}
	if len(unsigned) < len(mantissa) {
		digits = "-" + digits
	}
	return digits, exponent, nil
}

func decimal(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// scaled returns digits times ten to the power of the exponent, and whether
// that is a whole number.
func scaled(digits string, exponent int) (n int64, exact bool, err error) {
	switch {
	case digits == "0":
		return 0, true, nil
	case exponent < 0:
		return 0, false, nil
	case exponent > 18:
		return 0, false, strconv.ErrRange
	}
	n, err = strconv.ParseInt(digits+strings.Repeat("0", exponent), 10, 64)
	return n, true, err
}
