package write

import (
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/problem"
)

// Judge finds faults in an action's input that its fields do not find by
// themselves, in the names of the schema: of two fields together, or by an
// activity's knowledge. The values are those of fields in which nothing is wrong:
// right reports whether nothing is in the ones with the names, which may have been
// left out.
type Judge func(in Values, right func(names ...string) bool) []problem.Detail

// BothJudge joins two judges of one input. Findings of the second about a field in
// which the first found one are left out, so that each field is reported once. A nil
// judge finds nothing.
func BothJudge(first, second Judge) Judge {
	if first == nil {
		return second
	}
	if second == nil {
		return first
	}
	return func(in Values, right func(names ...string) bool) []problem.Detail {
		found := first(in, right)
		wrong := func(name string) bool {
			return slices.ContainsFunc(found, func(d problem.Detail) bool { return member(d.Field) == name })
		}
		more := second(in, func(names ...string) bool { return right(names...) && !slices.ContainsFunc(names, wrong) })
		return append(found, slices.DeleteFunc(more, func(d problem.Detail) bool { return wrong(member(d.Field)) })...)
	}
}

// member is the field of the input that the path begins with: items in items[0].id.
func member(path string) string {
	if i := strings.IndexAny(path, "[."); i >= 0 {
		return path[:i]
	}
	return path
}

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
		if wrong[member(d.Field)] {
			continue
		}
		if path, ok := f.in.path(f.Fields, d.Field); ok {
			d.Field = f.in.prefix() + path
		}
		f.bad = append(f.bad, d)
	}
}
