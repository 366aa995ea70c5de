package files

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/entwine-go/entwine/kit/store/statement"
)

var (
	holdersText   = statement.Of(`SELECT id, holder FROM file_usages WHERE id > $1 ORDER BY id LIMIT $2`)
	lockUsageText = statement.Of(`SELECT bytes FROM file_usages WHERE holder = $1 FOR UPDATE`)
	ownerSumText  = statement.Of(`SELECT ` + ownerSum)
	tenantSumText = statement.Of(`SELECT ` + tenantSum)
	uncountText   = statement.Of(`DELETE FROM file_usages WHERE holder = $1`)
	mendText      = statement.Of(`UPDATE file_usages SET bytes = $2 WHERE holder = $1`)
)

// Recount compares the count of each holder with the stored bytes, and corrects it. It is
// needed after a process of an older version has stored files, which counts nothing. It
// returns how many counts were wrong. Each is locked while it is compared, with the
// statements that an index of the holder's rows answers.
func (k *Keeper) Recount(ctx context.Context) (wrong int, err error) {
	ctx = system(ctx)
	for after := int64(0); ; {
		type counted struct {
			id   int64
			name string
		}
		var all []counted
		err := holdersText.Query(ctx, k.DB, func(rows *sql.Rows) error {
			var c counted
			err := rows.Scan(&c.id, &c.name)
			all = append(all, c)
			return err
		}, after, batch)
		if err != nil {
			return wrong, fmt.Errorf("list counts of stored files: %w", err)
		}
		if len(all) == 0 {
			return wrong, nil
		}
		for _, c := range all {
			after = c.id
			differs, err := k.recount(ctx, c.name)
			if err != nil {
				return wrong, fmt.Errorf("count what is stored for %s: %w", c.name, err)
			}
			if differs {
				wrong++
			}
		}
	}
}

// recount mends the count of a holder, and reports whether it was wrong. The release before
// counted the service's own files, too.
func (k *Keeper) recount(ctx context.Context, name string) (differs bool, err error) {
	if name == new(File).owner() {
		_, err = uncountText.Exec(ctx, k.DB, name)
		return false, err
	}
	err = k.DB.InTx(ctx, func(ctx context.Context) error {
		var before, now int64
		found, err := lockUsageText.Row(ctx, k.DB, []any{&before}, name)
		if err != nil || !found {
			return err
		}
		var tenant int64
		if _, scan := fmt.Sscanf(name, tenantBegin+"%d", &tenant); scan == nil {
			_, err = tenantSumText.Row(ctx, k.DB, []any{&now}, tenant)
		} else {
			_, err = ownerSumText.Row(ctx, k.DB, []any{&now}, name)
		}
		if differs = now != before; err != nil || !differs {
			return err
		}
		_, err = mendText.Exec(ctx, k.DB, name, now)
		return err
	})
	return differs, err
}
