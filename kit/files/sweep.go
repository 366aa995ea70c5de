package files

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/entwine-go/entwine/kit/store/statement"
)

// batch is how many files a transaction of a sweep removes.
const batch = 100

// settled is how old what is under way may be: a transaction takes seconds at most.
const settled = time.Hour

var (
	releasedText = statement.Of(`SELECT f.id, f.blob_id, b.name FROM files AS f JOIN blobs AS b ON b.id = f.blob_id
		WHERE f.released_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM files AS v WHERE v.original_id = f.id) ORDER BY f.released_at LIMIT $1`)
	// An upload that no row has had for a day: 86,400 seconds.
	abandonedText = statement.Of(`SELECT f.id, f.blob_id, b.name FROM files AS f JOIN blobs AS b ON b.id = f.blob_id
		WHERE f.entity_id IS NULL AND f.original_id IS NULL AND f.created_at < later(-86400)
		AND NOT EXISTS (SELECT 1 FROM files AS v WHERE v.original_id = f.id) ORDER BY f.created_at LIMIT $1`)
	// Those that a row has got meanwhile stay, and so do those that have a variant.
	leavingText = statement.Of(`SELECT f.id, f.blob_id FROM files AS f WHERE f.id IN (SELECT l.id FROM list($1) AS l(id bigint))
		AND (f.released_at IS NOT NULL OR f.entity_id IS NULL AND f.original_id IS NULL)
		AND NOT EXISTS (SELECT 1 FROM files AS v WHERE v.original_id = f.id) FOR UPDATE SKIP LOCKED`)

	// Variants go before their original does.
	releasedVariantsText = statement.Of(`UPDATE files SET released_at = now() WHERE id IN (SELECT v.id FROM files AS f JOIN files AS v ON v.original_id = f.id
		WHERE f.released_at IS NOT NULL AND v.released_at IS NULL LIMIT $1)`)
	abandonedVariantsText = statement.Of(`UPDATE files SET released_at = now() WHERE id IN (SELECT v.id FROM files AS f JOIN files AS v ON v.original_id = f.id
		WHERE f.entity_id IS NULL AND f.original_id IS NULL AND f.created_at < later(-86400) AND v.released_at IS NULL LIMIT $1)`)

	removeText  = statement.Of(`DELETE FROM files WHERE id IN (SELECT l.id FROM list($1) AS l(id bigint))`)
	lockText    = statement.Of(`SELECT id FROM blobs WHERE id IN (SELECT l.blob FROM list($1) AS l(blob bigint)) ORDER BY id FOR UPDATE`)
	uselessText = statement.Of(`SELECT id, name, owner, coalesce(tenant, 0), size FROM blobs WHERE id IN (SELECT l.blob FROM list($1) AS l(blob bigint))
		AND NOT EXISTS (SELECT 1 FROM files WHERE files.blob_id = blobs.id)`)
	forgetText = statement.Of(`DELETE FROM blobs WHERE id IN (SELECT l.id FROM list($1) AS l(id bigint))`)
)

// Run sweeps until ctx ends. Every process may: each file is removed by one of them.
func (k *Keeper) Run(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if _, err := k.Sweep(ctx); err != nil && ctx.Err() == nil {
			k.Log.WarnContext(ctx, "files that can go could not be removed yet", "err", err)
		}
		if n, err := k.Scan(ctx); err != nil && ctx.Err() == nil {
			k.Log.WarnContext(ctx, "files wait for their scan: the scanner gives no verdict", "scanned", n, "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Sweep removes files that no row has any more, with their variants, uploads without a row for a
// day, uploads that were not completed within a day, and leftovers of processes that were killed.
// It returns how many files went. Its transactions lock a hundred rows at a time, which indexes
// find, however many files there are.
func (k *Keeper) Sweep(ctx context.Context) (total int, err error) {
	ctx = system(ctx)
	for _, text := range []statement.Statement{releasedVariantsText, abandonedVariantsText} {
		for n := int64(batch); n == batch; {
			if n, err = text.Exec(ctx, k.DB, batch); err != nil {
				return 0, fmt.Errorf("release variants of pictures: %w", err)
			}
		}
	}
	for _, text := range []statement.Statement{releasedText, abandonedText} {
		for n := 1; n > 0; { // what had variants can go once they have gone
			n, err = k.step(ctx, text)
			if total += n; err != nil {
				return total, err
			}
		}
	}
	if err := k.sweepPartials(ctx); err != nil {
		return total, err
	}
	return total, k.settle(ctx, k.Store, time.Now().Add(-settled))
}

// leaving is a file that goes, as an argument of statements.
type leaving struct {
	ID   int64 `json:"id"`
	Blob int64 `json:"blob"`
}

// step removes the rows of a batch of files, and after the commit the bytes that no row
// has then. The store is asked outside of the transaction: marks are there before it, and
// those of blobs that stay are settled later.
func (k *Keeper) step(ctx context.Context, text statement.Statement) (n int, err error) {
	var seen []leaving
	var names []string
	err = text.Query(ctx, k.DB, func(rows *sql.Rows) error {
		var l leaving
		var name string
		err := rows.Scan(&l.ID, &l.Blob, &name)
		seen, names = append(seen, l), append(names, name)
		return err
	}, batch)
	if err != nil {
		return 0, fmt.Errorf("look for files that can go: %w", err)
	}
	if len(seen) == 0 {
		return 0, nil
	}
	if err := atOnce(names, func(name string) error { return mark(ctx, k.Store, name) }); err != nil {
		return 0, err
	}
	if n, names, err = k.release(ctx, seen); err != nil {
		return 0, fmt.Errorf("remove rows of files: %w", err)
	}
	return n, atOnce(names, func(name string) error { return drop(ctx, k.Store, name) })
}

// release removes the rows of those files that can still go, in a transaction. It returns
// how many these are, and the names of the blobs that have no row any more.
func (k *Keeper) release(ctx context.Context, seen []leaving) (n int, names []string, err error) {
	list, err := json.Marshal(seen)
	if err != nil {
		return 0, nil, err
	}
	err = k.DB.InTx(ctx, func(ctx context.Context) error {
		n, names = 0, nil
		var all []leaving
		err := leavingText.Query(ctx, k.DB, func(rows *sql.Rows) error {
			var l leaving
			err := rows.Scan(&l.ID, &l.Blob)
			all = append(all, l)
			return err
		}, string(list))
		if n = len(all); err != nil || n == 0 {
			return err
		}
		names, err = k.forget(ctx, all)
		return err
	})
	return n, names, err
}

// forget removes the rows of files, and those of blobs that have no others. It returns
// what these are stored as: they can go once the transaction is committed.
func (k *Keeper) forget(ctx context.Context, all []leaving) (names []string, err error) {
	list, err := json.Marshal(all)
	if err != nil {
		return nil, err
	}
	if _, err := removeText.Exec(ctx, k.DB, string(list)); err != nil {
		return nil, err
	}
	// An upload of the same content waits for the lock, or has been committed: the
	// statement after it sees its file.
	if err := lockText.Query(ctx, k.DB, func(*sql.Rows) error { return nil }, string(list)); err != nil {
		return nil, err
	}
	var useless []leaving
	freed := map[holder]int64{}
	err = uselessText.Query(ctx, k.DB, func(rows *sql.Rows) error {
		var l leaving
		var name, owner string
		var tenant, size int64
		err := rows.Scan(&l.ID, &name, &owner, &tenant, &size)
		useless, names = append(useless, l), append(names, name)
		for _, h := range k.holders(owner, tenant) {
			freed[h] += size
		}
		return err
	}, string(list))
	if err != nil || len(useless) == 0 {
		return nil, err
	}
	if list, err = json.Marshal(useless); err != nil {
		return nil, err
	}
	if _, err = forgetText.Exec(ctx, k.DB, string(list)); err != nil {
		return nil, err
	}
	for _, h := range slices.SortedFunc(maps.Keys(freed), byName) { // as others lock them
		if err := k.adjust(ctx, []holder{h}, -freed[h]); err != nil {
			return nil, err
		}
	}
	return names, nil
}
