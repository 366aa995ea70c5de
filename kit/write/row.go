package write

import (
	"context"
	"encoding/json"

	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/kit/internal/removal"
	"github.com/entwine-go/entwine/kit/mutation"
	"github.com/entwine-go/entwine/kit/policy"
)

// The columns of rows that are deleted softly: see tables.SoftDelete.
const (
	deletedAt   = "deleted_at"
	deletedWith = "deleted_with"
)

// get returns the fields of the row that the conditions admit and the viewer can
// read, by their names in the schema: values as inputs are decoded, nil for null.
func (e *Engine) get(ctx context.Context, of *Entity, where ...func(*sql.Selector)) (func(field string) any, error) {
	row, err := of.Rows.Query(e.DB.Driver(), where...).Only(ctx)
	if err != nil {
		return nil, err
	}
	return func(name string) any {
		value := row.Field(name)
		raw, isJSON := value.(json.RawMessage)
		field := of.Field(name)
		if !isJSON || field == nil {
			return value
		}
		return field.held(raw)
	}, nil
}

// held is a row's value in a field of JSON, in the form of decoded inputs.
func (f *Field) held(raw json.RawMessage) any {
	if f.Decode == nil {
		return raw
	}
	value, err := f.Decode(raw)
	if err != nil {
		return raw
	}
	return value
}

// remove deletes the row of the call for good, and returns how many it touched. Where much
// refers to the row it is hidden from all readers, and a job removes it.
func (e *Engine) remove(ctx context.Context, c *Call) (int, error) {
	if c.ID.IsZero() {
		return c.Entity.Rows.Delete(ctx, e.DB.Driver(), c.conditions()...)
	}
	if c.Entity.InSteps {
		few, err := removal.Of(e.DB).Few(ctx, c.Entity.Table, c.ID.Any())
		if err != nil {
			return 0, err
		}
		if !few {
			return e.withdraw(ctx, c)
		}
	}
	return c.Entity.Rows.DeleteOne(ctx, e.DB.Driver(), c.ID, append(c.below(), c.versions()...)...)
}

// withdraw hides the row for good: a trigger of the database makes the job that removes it,
// and leaves its unique values to others.
func (e *Engine) withdraw(ctx context.Context, c *Call) (int, error) {
	u := e.updates(c)
	u.WhereP(sql.FieldIsNull(deletedAt))
	n, err := c.shift(ctx, u, map[string]any{deletedAt: u.Now(), deletedWith: int64(0)})
	if err != nil || n > 0 {
		return n, err
	}
	u = e.updates(c)
	u.WhereP(sql.FieldNotNull(deletedAt), sql.OrPredicates(sql.FieldIsNull(deletedWith), sql.FieldNEQ(deletedWith, 0)))
	return c.shift(ctx, u, map[string]any{deletedWith: int64(0)})
}

// hide deletes the row softly: the database takes along what goes with it
// (expose.DeletedWith). It returns how many rows of the entity it touched: none that is
// deleted, hidden from the viewer or not theirs to delete.
func (e *Engine) hide(ctx context.Context, c *Call) (int, error) {
	u := e.updates(c)
	u.WhereP(sql.FieldIsNull(deletedAt))
	return c.shift(policy.As(ctx, policy.Delete), u, map[string]any{deletedAt: u.Now()})
}

// restore brings the row back, and what its deletion took along.
func (e *Engine) restore(ctx context.Context, c *Call) (int, error) {
	u := e.updates(c)
	u.WhereP(sql.FieldNotNull(deletedAt))
	return c.shift(policy.As(ctx, policy.Restore), u, map[string]any{deletedAt: nil, deletedWith: nil})
}

// shift sets columns of the row of the call, which u changes.
func (c *Call) shift(ctx context.Context, u *mutation.Mutation, values map[string]any) (int, error) {
	if err := u.Set(values); err != nil {
		return 0, err
	}
	u.WhereP(c.versions()...)
	return u.Save(ctx)
}
