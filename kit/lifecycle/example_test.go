package lifecycle_test

import (
	"fmt"
	"time"

	"github.com/entwine-go/entwine/kit/lifecycle"
)

// A version goes from one state to the next by the dates of its plan.
func ExampleVersion_State() {
	day := func(month time.Month) time.Time { return time.Date(2027, month, 1, 0, 0, 0, 0, time.UTC) }
	plan := lifecycle.Plan{Versions: []*lifecycle.Version{
		{Major: "1", Stable: day(time.February), Deprecated: day(time.April), Sunset: day(time.October), Successor: "2"},
	}}
	for _, month := range []time.Month{time.January, time.March, time.May, time.November} {
		fmt.Println(month, plan.Of("1").State(day(month)))
	}
	fmt.Println(plan.Of("2").State(day(time.May)))
	// Output:
	// January active
	// March stable
	// May deprecated
	// November retired
	// active
}
