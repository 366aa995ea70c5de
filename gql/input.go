package gql

import (
	"github.com/entwine-go/entwine/kit/problem"
)

// ofInput gives the details of an operation's problem their place in the
// argument.
func ofInput(err error) error {
	return problem.Retold(err, func(d problem.Detail) problem.Detail {
		d.Field = "input." + d.Field
		return d
	})
}

// renamed gives the inputs that an error is about the names of arguments.
func renamed(err error, names map[string]string) error {
	return problem.Retold(err, func(d problem.Detail) problem.Detail {
		if name, ok := names[d.Field]; ok {
			d.Field = name
		}
		return d
	})
}

// optional is a text that may be absent.
func optional(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
