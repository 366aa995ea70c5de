package money_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/money"
)

func TestAmounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		number, code string
		minor        int64
		shown, full  string
	}{
		{"19.99", "USD", 1999, "19.99", "19.99"},
		{"0.1", "EUR", 10, "0.1", "0.10"},
		{"1e3", "USD", 100_000, "1000", "1000.00"},
		{"1999E-2", "USD", 1999, "19.99", "19.99"},
		{"19.9900", "USD", 1999, "19.99", "19.99"},
		{"-0.05", "USD", -5, "-0.05", "-0.05"},
		{"1200", "JPY", 1200, "1200", "1200"},
		{"1200.0", "JPY", 1200, "1200", "1200"},
		{"1.25", "KWD", 1250, "1.25", "1.250"},
		{"0.001", "IQD", 1, "0.001", "0.001"},
		{"0.0001", "CLF", 1, "0.0001", "0.0001"},
		{"0", "USD", 0, "0", "0.00"},
		{"-0", "JPY", 0, "0", "0"},
		{"0e99", "USD", 0, "0", "0.00"},
		{"92233720368547758.07", "USD", math.MaxInt64, "92233720368547758.07", "92233720368547758.07"},
		{"-92233720368547758.08", "USD", math.MinInt64, "-92233720368547758.08", "-92233720368547758.08"},
	} {
		minor, err := money.Parse(c.number, c.code)
		if shown := string(money.Append(nil, minor, c.code)); err != nil || minor != c.minor || shown != c.shown || money.Format(minor, c.code) != c.full {
			t.Errorf("%s %s is %d, shown as %s and %s, %v; want %d, %s and %s", c.number, c.code, minor, shown, money.Format(minor, c.code), err, c.minor, c.shown, c.full)
		}
	}
	for number, code := range map[string]string{
		"19.999": "USD", "1200.5": "JPY", "1.2345": "KWD", "92233720368547758.08": "USD", "1e400": "USD", "1e-5": "USD",
		"": "USD", ".": "USD", "-": "USD", "+5": "USD", ".5": "USD", "5.": "USD", "1_0": "USD", "0x10": "USD", "NaN": "USD", "Inf": "USD", "1e": "USD", "--1": "USD", " 1": "USD", "１": "USD",
		"1": "XXX", "2": "DEM", "3": "usd", "4": "XAU", "5.0": "",
	} {
		if minor, err := money.Parse(number, code); err == nil {
			t.Errorf("%q %s is %d, want an error", number, code, minor)
		}
	}
}

// Every printed amount is parsed as the same amount, also as a float.
func TestAmountsSurvive(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	codes := []string{"USD", "JPY", "KWD", "CLF"}
	for range 50_000 {
		code := codes[r.IntN(len(codes))]
		minor := r.Int64() >> r.IntN(63)
		if r.IntN(2) == 0 {
			minor = -minor
		}
		text := string(money.Append(nil, minor, code))
		if got, err := money.Parse(text, code); err != nil || got != minor || !json.Valid([]byte(text)) {
			t.Fatalf("%d %s is shown as %s, which is %d, %v", minor, code, text, got, err)
		}
		if nearest, err := strconv.ParseFloat(text, 64); err != nil || money.Float(minor, code) != nearest {
			t.Fatalf("%d %s is %v as a float, want %v", minor, code, money.Float(minor, code), nearest)
		}
		if minor > 999_999_999_999_999 || minor < -999_999_999_999_999 {
			continue
		}
		if float := strconv.FormatFloat(money.Float(minor, code), 'f', -1, 64); float != text {
			t.Fatalf("%d %s is %s as a float, want %s", minor, code, float, text)
		}
	}
}

func TestDecimalsHaveUnits(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]int64{"12.34": 123_400, "-12.34": -123_400, "12": 120_000, "0.0001": 1, "1e3": 10_000_000} {
		if d, err := money.ParseDecimal(number); err != nil || d.Units() != want {
			t.Errorf("%s is %d, %v; want %d", number, d.Units(), err, want)
		}
	}
	for _, bad := range []string{"1.23456", "1e15", "x", ""} {
		if _, err := money.ParseDecimal(bad); err == nil {
			t.Errorf("%q is a decimal", bad)
		}
	}
}

// The databases convert an amount to the decimal that is printed of it.
func TestUnitsAreThoseOfWhatIsShown(t *testing.T) {
	t.Parallel()
	for code, number := range map[string]string{"USD": "19.99", "JPY": "1200", "KWD": "1.25", "CLF": "0.0001"} {
		most, err := money.ParseDecimal(string(money.Append(nil, money.Most(code), code)))
		if err != nil || most.Units() <= 0 {
			t.Errorf("the largest amount of %s is %d, %v", code, most.Units(), err)
		}
		minor, err := money.Parse(number, code)
		d, err2 := money.ParseDecimal(number)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		factor := d.Units() / minor
		if text := money.Units("a", "c"); code != "USD" && !strings.Contains(text, fmt.Sprintf(" WHEN '%s' THEN %d ", code, factor)) || !strings.HasSuffix(text, " ELSE 100 END") {
			t.Errorf("a minor unit of %s is %d units; %s", code, factor, text)
		}
	}
}

// An amount with too many decimals is beyond the bounds that the next one from zero is beyond.
func TestDecimalsBeyondBounds(t *testing.T) {
	for number, outward := range map[string]int64{"-1.234": -124, "1.234": 124, "-0.001": -1, "0.009": 1, "1e-40": 1, "-12345678901234567890.5555": -math.MaxInt64, "99.999": 10000} {
		_, err := money.Parse(number, "EUR")
		if many := (*money.DecimalsError)(nil); !errors.As(err, &many) || many.Outward != outward || err.Error() != "EUR has 2 decimals at most" {
			t.Errorf("%s: %v, want what is beyond %d", number, err, outward)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"19.99", "-0", "1e3", "1E+2", "0.10", "9223372036854775807", "-92233720368547758.08", "1.e5", "00.1", "1e-1000", "0e1000", "１٫٠"} {
		f.Add(seed, "USD")
		f.Add(seed, "JPY")
		f.Add(seed, "KWD")
	}
	f.Fuzz(func(t *testing.T, number, code string) {
		minor, err := money.Parse(number, code)
		if err != nil {
			return
		}
		if strings.ContainsAny(number, "_xXpP/") {
			t.Fatalf("%q is read as %d", number, minor)
		}
		scale, _ := money.Scale(code)
		want, ok := new(big.Rat).SetString(number)
		unit := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil))
		if !ok || want.Mul(want, unit).Cmp(new(big.Rat).SetInt64(minor)) != 0 {
			t.Fatalf("%q %s is read as %d minor units", number, code, minor)
		}
		if again, err := money.Parse(string(money.Append(nil, minor, code)), code); err != nil || again != minor {
			t.Fatalf("%d %s is written as %s", minor, code, money.Append(nil, minor, code))
		}
	})
}
