package files

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/write"
)

var abandonText = statement.Of(`UPDATE files SET released_at = now() WHERE id = $1 AND entity_id IS NULL AND released_at IS NULL`)

// Remove takes a file from its row, whose field becomes null: the viewer has to be able
// to change the row. Of one that is attached to no row its uploader disposes. Its bytes
// go with the next sweep.
func (k *Keeper) Remove(ctx context.Context, key string, api *write.API) error {
	f, err := k.Find(ctx, key)
	if err != nil {
		return err
	}
	if f.EntityID.IsZero() {
		if _, err := abandonText.Exec(ctx, k.DB, f.ID); err != nil {
			return fmt.Errorf("release a file: %w", err)
		}
		return nil
	}
	t, _ := k.of(f)
	if t.Field.File.Issued {
		return problem.New(problem.Forbidden, "the file is the service's own: it goes with its row")
	}
	_, err = k.Engine.Update(ctx, write.Call{
		Entity: k.written(t.Entity), ID: f.EntityID,
		Input: write.Input{API: api, Members: map[string]any{api.Field(t.Field): nil}},
	}, false)
	return err
}

// written is the entity as the engine writes it.
func (k *Keeper) written(e *entity.Entity) *write.Entity {
	for _, w := range k.Engine.Entities {
		if w.Entity == e {
			return w
		}
	}
	panic("files: " + e.Name + " is written nowhere")
}

var abandonAllText = statement.Of(`UPDATE files SET released_at = now()
	WHERE address IN (SELECT l.address FROM list($1) AS l(address text)) AND entity_id IS NULL AND released_at IS NULL`)

// Abandon releases those of the files with the ids that no row has got.
func (k *Keeper) Abandon(ctx context.Context, ids []string) error {
	type file struct {
		Address string `json:"address"`
	}
	var all []file
	for _, id := range ids {
		all = append(all, file{expose.FilePath + id})
	}
	list, err := json.Marshal(all)
	if err == nil {
		_, err = abandonAllText.Exec(ctx, k.DB, string(list))
	}
	if err != nil {
		return fmt.Errorf("release files: %w", err)
	}
	return nil
}
