package plan

import (
	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/kit/internal/graph/variables"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
)

// Arguments are a field's arguments, with variables and defaults filled in.
// Null stands for an absent one. They are only read: other requests have the same.
type Arguments map[string]any

// Arguments returns those of a field.
func (p *Planner) Arguments(f graphql.CollectedField) Arguments {
	return p.Prepared.Arguments(p.Op, f)
}

// Size is a number of rows: otherwise where it is absent, and at most
// [read.MaxLimit].
func (a Arguments) Size(name string, otherwise int) (int, error) {
	value, ok := a[name]
	if !ok {
		return otherwise, nil
	}
	n, ok := variables.Whole(value)
	if !ok || n < 0 {
		return 0, problem.Inputs(problem.Invalidf(name, value, "must not be negative"))
	}
	return int(min(n, read.MaxLimit)), nil
}

// AtLeast1 is a number that counts from 1: otherwise where it is absent.
func (a Arguments) AtLeast1(name string, otherwise int) (int, error) {
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

// Text is a text, empty where it is absent.
func (a Arguments) Text(name string) string {
	text, _ := a[name].(string)
	return text
}

// Cursor is a place in a list, empty where it is absent. Anything but a text
// passes gqlparser, which knows nothing of the scalar.
func (a Arguments) Cursor(name string) (string, error) {
	switch value := a[name].(type) {
	case nil:
		return "", nil
	case string:
		return value, nil
	default:
		return "", problem.Inputs(problem.Invalidf(name, value, "must be a cursor"))
	}
}

// ListOf is a list in a literal or a variable, where a single value stands
// for a list of one.
func ListOf(value any) []any {
	if list, ok := value.([]any); ok {
		return list
	}
	return []any{value}
}
