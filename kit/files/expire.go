package files

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/entwine-go/entwine/kit/store/statement"
)

var (
	// One of them has ten thousand parts at most.
	expiredText = statement.Of(`SELECT id FROM file_uploads WHERE expires_at < now() ORDER BY expires_at LIMIT 10`)
	lapsedText  = statement.Of(`SELECT id, owner, coalesce(tenant, 0), CASE WHEN complete THEN 0 ELSE received END FROM file_uploads WHERE id = $1 AND expires_at < now() FOR UPDATE`)
	freeText    = statement.Of(`SELECT id, name FROM file_parts WHERE released_at < now() ORDER BY released_at LIMIT $1`)
	forgetParts = statement.Of(`DELETE FROM file_parts WHERE id IN (SELECT l.id FROM list($1) AS l(id bigint))`)
)

// sweepPartials removes uploads to which nothing was added for a day, and what is stored
// of those that have ended. Indexes find both.
func (k *Keeper) sweepPartials(ctx context.Context) error {
	for {
		var all []int64
		err := expiredText.Query(ctx, k.DB, func(rows *sql.Rows) error {
			var id int64
			err := rows.Scan(&id)
			all = append(all, id)
			return err
		})
		if err != nil {
			return fmt.Errorf("look for uploads that have expired: %w", err)
		}
		if len(all) == 0 {
			break
		}
		for _, id := range all {
			if err := k.endIf(ctx, lapsedText, id); err != nil { // something may have arrived meanwhile
				return err
			}
		}
	}
	for n := batch; n == batch; {
		var err error
		if n, err = k.sweepParts(ctx); err != nil {
			return err
		}
	}
	return nil
}

// sweepParts removes a batch of parts that no upload needs, and returns how many these
// are. Their rows go after what is stored, so that what a crash leaves is found again.
func (k *Keeper) sweepParts(ctx context.Context) (int, error) {
	type part struct {
		ID int64 `json:"id"`
	}
	var all []part
	var names []string
	err := freeText.Query(ctx, k.DB, func(rows *sql.Rows) error {
		var one part
		var name string
		err := rows.Scan(&one.ID, &name)
		all, names = append(all, one), append(names, name)
		return err
	}, batch)
	if err != nil {
		return 0, fmt.Errorf("look for parts of uploads that can go: %w", err)
	}
	if len(all) == 0 {
		return 0, nil
	}
	if err := atOnce(names, func(name string) error { return k.Store.Remove(ctx, blobKey(name)) }); err != nil {
		return 0, fmt.Errorf("remove parts of uploads: %w", err)
	}
	list, err := json.Marshal(all)
	if err != nil {
		return 0, err
	}
	if _, err := forgetParts.Exec(ctx, k.DB, string(list)); err != nil {
		return 0, fmt.Errorf("remove rows of parts of uploads: %w", err)
	}
	return len(all), nil
}
