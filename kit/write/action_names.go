package write

import (
	"strings"

	"github.com/entwine-go/entwine/kit/problem"
)

// named gives what a method says of its input the names that the caller has for
// it: "items[0].product_id" is "input.items[0].productId" in GraphQL.
func (a *Action) named(in *Input, err error) error {
	if in.API == nil {
		return err
	}
	return problem.Retold(err, func(d problem.Detail) problem.Detail {
		if name, ok := in.path(a.Input, d.Field); ok {
			d.Field = in.prefix() + name
		}
		return d
	})
}

// path is a path of names in the schema in the caller's names.
func (in *Input) path(fields []*Field, path string) (string, bool) {
	name, rest := path, ""
	if i := strings.IndexAny(path, "[."); i >= 0 {
		name, rest = path[:i], path[i:]
	}
	f := named(fields, name)
	if f == nil {
		return path, false
	}
	if i := strings.IndexByte(rest, '.'); i >= 0 {
		if inner, ok := in.path(f.Members, rest[i+1:]); ok {
			rest = rest[:i+1] + inner
		}
	}
	return in.member(f, false) + rest, true
}
