package gql

import (
	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/graph/variables"
	"github.com/entwine-go/entwine/kit/runtime/reading"
)

// arguments are a field's arguments, with variables and defaults filled in.
// Null stands for an absent one.
type arguments map[string]any

func (p *planner) arguments(f graphql.CollectedField) arguments {
	given := f.ArgumentMap(p.op.Variables)
	for name, value := range given {
		if value == nil {
			delete(given, name)
		}
	}
	return given
}

// size is a number of rows: the default where it is absent, and at most
// [reading.MaxLimit].
func (a arguments) size(name string, otherwise int) (int, error) {
	value, ok := a[name]
	if !ok {
		return otherwise, nil
	}
	n, ok := variables.Whole(value)
	if !ok || n < 0 {
		return 0, problem.Inputs(problem.Invalidf(name, value, "must not be negative"))
	}
	return int(min(n, reading.MaxLimit)), nil
}

// atLeast1 is a number that counts from 1.
func (a arguments) atLeast1(name string, otherwise int) (int, error) {
	value, ok := a[name]
	if !ok {
		return otherwise, nil
	}
	n, ok := variables.Whole(value)
	if !ok || n < 1 {
		return 0, problem.Inputs(problem.Invalidf(name, value, "must be at least 1"))
	}
	return int(n), nil
}

// text is a text, empty where it is absent.
func (a arguments) text(name string) string {
	text, _ := a[name].(string)
	return text
}

// cursor is a place in a list, empty where it is absent. Anything but a text
// passes gqlparser, which knows nothing of the scalar.
func (a arguments) cursor(name string) (string, error) {
	switch value := a[name].(type) {
	case nil:
		return "", nil
	case string:
		return value, nil
	default:
		return "", problem.Inputs(problem.Invalidf(name, value, "must be a cursor"))
	}
}

// listOf is a list in a literal or a variable, where a single value stands
// for a list of one.
func listOf(value any) []any {
	if list, ok := value.([]any); ok {
		return list
	}
	return []any{value}
}
