package strictjson

import (
	"strconv"
	"strings"
)

// Whole reads a number as JSON writes one: whether it is a whole number,
// however it is written, and whether that fits in 64 bits.
func Whole(text string) (n int64, whole, fits bool) {
	mantissa, exponent := text, 0
	huge := false
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		var err error
		mantissa = text[:i]
		if exponent, err = strconv.Atoi(text[i+1:]); err != nil || exponent < -10_000 || exponent > 10_000 {
			huge = true
		}
	}
	sign := ""
	if unsigned, negative := strings.CutPrefix(mantissa, "-"); negative {
		sign, mantissa = "-", unsigned
	}
	before, after, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(before+after, "0")
	if strings.Trim(before+after, "0123456789") != "" || before == "" {
		return 0, false, false // such as NaN
	}
	if digits == "" {
		return 0, true, true
	}
	if huge {
		return 0, !strings.HasPrefix(text[strings.IndexAny(text, "eE")+1:], "-"), false
	}
	significant := strings.TrimRight(digits, "0")
	exponent += len(digits) - len(significant) - len(after)
	switch {
	case exponent < 0:
		return 0, false, false
	case exponent+len(significant) > 19:
		return 0, true, false
	}
	n, err := strconv.ParseInt(sign+significant+strings.Repeat("0", exponent), 10, 64)
	return n, true, err == nil
}
