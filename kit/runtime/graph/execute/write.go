package execute

import (
	"context"

	"github.com/entwine-go/entwine/kit/runtime/graph/variables"
)

// Write carries out a root mutation, whose arguments are as
// [variables.Arguments] returns them. It returns what the field answers with: a
// [Row], a scalar, a struct or a map of these, or a list.
type Write func(ctx context.Context, arguments map[string]any) (any, error)

// carryOut runs a root field that has a write.
func (o *operation) carryOut(ctx context.Context, s *slot) {
	defer o.recover(ctx, s)
	arguments, err := variables.Arguments(o.Schema, s.field.Field, o.planner.Op.Variables)
	if err != nil {
		o.fail(ctx, s, err)
		return
	}
	r := &resolved{}
	r.value, r.err = s.write(context.WithValue(ctx, resolvedKey{}, r), arguments)
	o.show(ctx, s, r)
}
