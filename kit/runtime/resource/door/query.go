package door

import (
	"slices"
	"sort"
	"strings"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/reading"
)

// OnlyQuery refuses query parameters other than the named ones.
func (x *Exchange) OnlyQuery(names ...string) error {
	if x.Request.URL.RawQuery == "" {
		return nil
	}
	allowed := "none"
	if len(names) > 0 {
		allowed = strings.Join(names, ", ")
	}
	var details []problem.Detail
	for name, given := range x.Request.URL.Query() {
		switch {
		case !slices.Contains(names, name):
			// An unknown parameter may hold a secret: its value is not repeated.
			details = append(details, problem.Invalidf(name, nil, "is not a parameter of this request; allowed: %s", allowed))
		case len(given) > 1:
			details = append(details, problem.Invalidf(name, reading.Shown(given), "is given %d times; once is allowed", len(given)))
		}
	}
	sort.Slice(details, func(i, j int) bool { return details[i].Field < details[j].Field })
	return problem.Inputs(details...)
}
