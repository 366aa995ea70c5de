package money_test

import (
	"fmt"

	"github.com/entwine-go/entwine/kit/money"
)

// An amount is an integer of minor units: its decimals are those of the currency.
func ExampleParse() {
	for _, c := range []struct{ number, currency string }{{"19.99", "EUR"}, {"1200", "JPY"}, {"1.234", "BHD"}, {"19.999", "EUR"}} {
		minor, err := money.Parse(c.number, c.currency)
		fmt.Println(c.currency, minor, err != nil)
	}
	// Output:
	// EUR 1999 false
	// JPY 1200 false
	// BHD 1234 false
	// EUR 0 true
}

// Format writes an amount as the APIs show it.
func ExampleFormat() {
	fmt.Println(money.Format(1990, "EUR"), money.Format(1200, "JPY"))
	// Output: 19.90 1200
}
