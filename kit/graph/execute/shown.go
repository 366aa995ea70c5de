package execute

import (
	"context"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/read"
)

// Shown is a row that has been read as the selection asks.
type Shown struct {
	JSON []byte
	Info read.Info
}

// Selection returns the fields that the root field of the context selects of a row
// of the entity, for a write that returns the row by its own statement. It is nil
// where the field answers with something else, and where the selection is wrong,
// which is reported when the row is read.
func Selection(ctx context.Context, e *entity.Entity) *read.Selection {
	r, ok := ctx.Value(resolvedKey{}).(*resolved)
	if !ok || r.operation == nil || r.slot.field.Definition.Type.NamedType != e.Name {
		return nil
	}
	planner := *r.operation.planner
	planner.Alias = r.slot.field.Alias
	s, err := planner.RowSelection(e, r.slot.field.Selections)
	if err != nil {
		return nil
	}
	return s
}
