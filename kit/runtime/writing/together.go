package writing

import (
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/problem"
)

// Judge says what is wrong with the input of an action beyond what its fields
// say of themselves, in the names of the schema: of two fields together, or by
// what an activity knows. The values are those of fields in which nothing is
// wrong: right reports whether nothing is in the ones with the names, which may
// have been left out.
type Judge func(in Values, right func(names ...string) bool) []problem.Detail

// together notes what the judge says, but of fields in which something is wrong
// already.
func (f *form) together(judge Judge) {
	if judge == nil {
		return
	}
	wrong := map[string]bool{}
	for _, field := range f.Fields {
		wrong[field.Name] = f.failed(field)
	}
	right := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return wrong[name] })
	}
	for _, d := range judge(f.values, right) {
		name := d.Field
		if i := strings.IndexAny(name, "[."); i >= 0 {
			name = name[:i]
		}
		if wrong[name] {
			continue
		}
		if path, ok := f.in.path(f.Fields, d.Field); ok {
			d.Field = f.in.prefix() + path
		}
		f.bad = append(f.bad, d)
	}
}
