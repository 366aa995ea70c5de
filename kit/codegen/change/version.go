package change

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/contract"
	"github.com/entwine-go/entwine/kit/codegen/naming"
)

// Version is a version of REST, and whether it writes names in camelCase.
type Version struct {
	Name  string
	Camel bool
}

// Each says of the findings what they do to clients of each of the versions:
// names are not the same in all, and the rest is.
func Each(found []Finding, versions []Version) {
	for i := range found {
		f := &found[i]
		f.Versions = map[string]Effect{}
		for _, v := range versions {
			of := f.snake
			if v.Camel {
				of = f.camel
			}
			f.Versions[v.Name] = f.Effects.REST
			if of != nil {
				f.Versions[v.Name] = min(f.Effects.REST, *of)
			}
		}
	}
}

// in names the versions that have the effect: "REST v2", and "REST" where all have it.
func (f *Finding) in(e Effect) string {
	var some []string
	for _, name := range slices.Sorted(maps.Keys(f.Versions)) {
		if f.Versions[name] == e {
			some = append(some, name)
		}
	}
	if len(some) == len(f.Versions) {
		return "REST"
	}
	return "REST " + strings.Join(some, ", ")
}

// restNames compares what REST calls a field: in snake_case, and in camelCase, where
// it has the first name of GraphQL.
func restNames(was, now *contract.Shown) (snake, camel Effect) {
	if was.REST != now.REST && was.REST != now.WasREST {
		snake = Breaks
	}
	had, has := first(was.GraphQL), first(now.GraphQL)
	if had != has && (now.WasREST == "" || had != naming.Camel(now.WasREST)) {
		camel = Breaks
	}
	return snake, camel
}

func first(names []string) string { return cmp.Or(append(slices.Clone(names), "")...) }
