package write_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/write"
)

// A service gives the engine what happens around writes of an entity: here each text
// gets a title if it has none, and an event of the activity's own is noted in the same
// transaction.
func ExampleAround() {
	var noted []string
	texts := &write.Around{
		When: func(c *write.Change) bool { return c.Verb == "create" },
		Prepare: func(_ context.Context, c *write.Change) (any, error) { // in no transaction: it may take long
			if write.Of[string](c.Values, "body") == "" {
				return nil, errors.New("there is no text")
			}
			return strings.ToUpper(write.Of[string](c.Values, "body")[:3]), nil
		},
		Write: func(ctx context.Context, c *write.Change, prepared any, create func(context.Context) (write.Row, error)) (write.Row, error) {
			if write.Maybe[string](c.Values, "title") == nil {
				c.Values["title"] = prepared
			}
			row, err := create(ctx) // in the engine's transaction
			if err == nil {
				noted = append(noted, fmt.Sprintf("text %d is made", row.ID.Int()))
			}
			return row, err
		},
	}

	// The engine does this for a create whose input is good.
	ctx := context.Background()
	change := &write.Change{Verb: "create", Values: write.Values{"body": "engines"}}
	prepared, err := texts.Prepare(ctx, change)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = texts.Write(ctx, change, prepared, func(context.Context) (write.Row, error) {
		fmt.Println(change.Values)
		return write.Row{ID: gid.Int(7), Made: true}, nil
	})
	fmt.Println(noted, err)
	// Output:
	// map[body:engines title:ENG]
	// [text 7 is made] <nil>
}

// Loans has the methods of the actions that the schema of a loan declares.
type Loans struct{}

// Extend is an action that is answered with the row after it.
func (Loans) Extend(_ context.Context, id int64) (write.Result, error) {
	return write.Result{Row: write.Row{ID: gid.Int(id)}}, nil
}

// Remind is an action that a job does later: the answer is 202 with where the job is.
func (Loans) Remind(_ context.Context, id int64) (write.Result, error) {
	job := id + 100 // of package jobs
	return write.Result{Job: job}, nil
}

// Return is an action on a row whose state it may have missed.
func (Loans) Return(_ context.Context, _ int64) (write.Result, error) {
	return write.Result{}, write.ErrMoved // 409: it was returned already
}

func ExampleResult() {
	ctx := context.Background()
	for _, action := range []func(context.Context, int64) (write.Result, error){Loans{}.Extend, Loans{}.Remind, Loans{}.Return} {
		result, err := action(ctx, 7)
		fmt.Println(result.Row.ID, result.Job, errors.Is(err, write.ErrMoved))
	}
	// Output:
	// 7 0 false
	// 0 107 false
	// 0 0 true
}
