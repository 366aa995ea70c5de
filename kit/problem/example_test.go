package problem_test

import (
	"errors"
	"fmt"

	"github.com/entwine-go/entwine/kit/problem"
)

// An error that a client may read has a kind, which decides the status and the
// code of both APIs. Its cause reaches the log alone.
func ExampleWrap() {
	cause := errors.New("dial tcp 10.0.0.7: connection refused")
	err := problem.Wrap(cause, problem.BadGateway, "the warehouse does not answer")
	fmt.Println(err.Message, problem.KindOf(fmt.Errorf("reserve: %w", err)) == problem.BadGateway, errors.Is(err, cause))
	// Output: the warehouse does not answer true true
}

// All that is wrong with an input is one error.
func ExampleInputs() {
	err := problem.Inputs(
		problem.Invalidf("quantity", "two", "must be a number"),
		problem.Rulef("email", "ada@", "must be an e-mail address"),
	)
	for _, d := range problem.As(err).Details {
		fmt.Println(d.Field, d.Message, d.Unprocessable)
	}
	fmt.Println(problem.Inputs())
	// Output:
	// quantity must be a number false
	// email must be an e-mail address true
	// <nil>
}
