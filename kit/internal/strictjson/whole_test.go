package strictjson_test

import (
	"testing"

	"github.com/entwine-go/entwine/kit/internal/strictjson"
)

// A number without a fraction is a whole number, however it is written.
func TestWhole(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		n           int64
		whole, fits bool
	}{
		"0": {0, true, true}, "-0": {0, true, true}, "30": {30, true, true}, "30.0": {30, true, true}, "-30.00": {-30, true, true},
		"1e3": {1000, true, true}, "1E+3": {1000, true, true}, "1.5e1": {15, true, true}, "1500e-2": {15, true, true}, "1.5": {1, false, false},
		"0.1e1": {1, true, true}, "1e-1": {0, false, false}, "0e999999999999": {0, true, true}, "1e999999999999": {0, true, false},
		"1e-999999999999": {0, false, false}, "9223372036854775807": {9223372036854775807, true, true}, "9223372036854775808": {0, true, false},
		"-9223372036854775808": {-9223372036854775808, true, true}, "1e19": {0, true, false}, "1e18": {1_000_000_000_000_000_000, true, true},
		"100000000000000000000e-2": {1_000_000_000_000_000_000, true, true}, "NaN": {0, false, false}, "": {0, false, false}, "+Inf": {0, false, false},
	} {
		n, whole, fits := strictjson.Whole(text)
		if whole != want.whole || fits != want.fits || whole && fits && n != want.n {
			t.Errorf("%s is %d, %t, %t, want %+v", text, n, whole, fits, want)
		}
	}
}
