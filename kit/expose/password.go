package expose

import (
	"unicode/utf8"

	"entgo.io/ent/schema"

	"github.com/entwine-go/entwine/kit/problem"
)

// Password bounds a text to what a new password may be: see [CheckPassword]. It
// is never echoed.
func Password[B interface {
	Validate(func(string) error) B
	Annotations(...schema.Annotation) B
}](b B) B {
	return b.Validate(func(s string) error { return problem.Inputs(CheckPassword("", s)...) }).Annotations(Secret())
}

// CheckPassword returns what is wrong with a new password, to be shown at
// field, and nil for one that is good: 8 to 128 characters, one of them a digit.
func CheckPassword(field, password string) []problem.Detail {
	var all []problem.Detail
	if n := utf8.RuneCountInString(password); n < 8 || n > 128 {
		all = append(all, problem.Rulef(field, nil, "must be 8 to 128 characters"))
	}
	for _, c := range password {
		if '0' <= c && c <= '9' {
			return all
		}
	}
	return append(all, problem.Rulef(field, nil, "must have a digit"))
}
