package write

import (
	"context"

	"github.com/entwine-go/entwine/kit/gid"
)

// wrapper is how a row is written among what an activity does with it.
type wrapper struct {
	// wraps: there is something to do beside.
	wraps bool
	write func(context.Context, func(context.Context) (Row, error)) (Row, error)
}

// around has the activity that knows the entity prepare the write, and hands run
// how it is done.
func (e *Engine) around(ctx context.Context, f *form, id gid.ID, verb string, run func(context.Context, wrapper) (Row, error)) (Row, error) {
	w, err := e.prepare(ctx, f, id, verb)
	if err != nil {
		return Row{}, err
	}
	return run(ctx, w)
}

func (e *Engine) prepare(ctx context.Context, f *form, id gid.ID, verb string) (wrapper, error) {
	plain := wrapper{write: func(ctx context.Context, write func(context.Context) (Row, error)) (Row, error) { return write(ctx) }}
	a := e.Around[f.Name]
	c := &Change{Verb: verb, ID: id, Values: f.values}
	if a == nil || a.When != nil && !a.When(c) {
		return plain, nil
	}
	var prepared any
	if a.Prepare != nil {
		var err error
		if prepared, err = a.Prepare(ctx, c); err != nil {
			return plain, err
		}
	}
	if a.Write == nil {
		return plain, nil
	}
	return wrapper{wraps: true, write: func(ctx context.Context, write func(context.Context) (Row, error)) (Row, error) {
		return a.Write(ctx, c, prepared, write)
	}}, nil
}
