package files

import (
	"context"
	"fmt"
	"path"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"
)

// Around returns the package's checks around writes, by the entity's name: a write
// is refused that gives a field the address of a file it can't have.
func (k *Keeper) Around() map[string]*write.Around {
	all := map[string]*write.Around{}
	for _, t := range k.Targets {
		all[t.Entity.Name] = write.Both(all[t.Entity.Name], k.around(t))
	}
	return all
}

func (k *Keeper) around(t Target) *write.Around {
	return &write.Around{
		When: func(c *write.Change) bool { return addressIn(c, t) != "" },
		Write: func(ctx context.Context, c *write.Change, _ any, write func(context.Context) (write.Row, error)) (row write.Row, err error) {
			given := addressIn(c, t)
			err = k.DB.InTx(ctx, func(ctx context.Context) error {
				if own := expose.FilePath + path.Base(given); own != given {
					if _, err := k.held(ctx, t, own); err == nil {
						return problem.Inputs(problem.Rulef(t.Field.REST, given, "must be %s: it is a file of this service", own))
					} else if problem.As(err) == nil {
						return err
					}
					row, err = write(ctx)
					return err
				}
				f, err := k.held(ctx, t, given)
				if err != nil {
					return err
				}
				if row, err = write(ctx); err != nil {
					return err
				}
				// The trigger has attached a file that no row had, and no other.
				if f.EntityID.IsZero() && f.mine(viewer.From(ctx)) || !f.EntityID.IsZero() && f.EntityID == row.ID {
					return nil
				}
				return refused(t, f.Address)
			})
			return row, err
		},
	}
}

// addressIn is the address of a file that a write gives the field, empty where it gives none. One
// of another server that ends as such an address does may be this service by its full name.
func addressIn(c *write.Change, t Target) string {
	if address, _ := c.Values[t.Field.Name].(string); expose.IsFile(expose.FilePath + path.Base(address)) {
		return address
	}
	return ""
}

var heldText = statement.Of(`SELECT entity_id, entity_text, coalesce(user_id, 0), coalesce(api_key_id, 0) FROM files
	WHERE address = $1 AND entity = $2 AND field = $3 FOR UPDATE`)

// held locks a file that a write gives to a row, so that no sweep removes it meanwhile.
func (k *Keeper) held(ctx context.Context, t Target, address string) (*File, error) {
	f := &File{Address: address}
	found, err := heldText.Row(ctx, k.DB, []any{&f.EntityID, (*gid.TextColumn)(&f.EntityID), &f.UserID, &f.KeyID}, address, t.Entity.Name, t.Field.Name)
	if err != nil {
		return nil, fmt.Errorf("look for the file of a row: %w", err)
	}
	if !found {
		return nil, refused(t, address)
	}
	return f, nil
}

// refused answers for an address that the field can't have.
func refused(t Target, address string) error {
	return problem.Inputs(problem.Rulef(t.Field.REST, address, "must be the address of a file that you have uploaded for %s and that no other row has", t.Name()))
}
