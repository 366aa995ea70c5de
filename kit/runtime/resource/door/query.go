package door

import (
	"slices"
	"sort"
	"strings"

	"github.com/entwine-go/entwine/kit/problem"
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
	for name := range x.Request.URL.Query() {
		if !slices.Contains(names, name) {
			// An unknown parameter may hold a secret: its value is not repeated.
			details = append(details, problem.Invalidf(name, nil, "is not a parameter of this request; allowed: %s", allowed))
		}
	}
	sort.Slice(details, func(i, j int) bool { return details[i].Field < details[j].Field })
	return problem.Inputs(details...)
}
