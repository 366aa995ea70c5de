package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"sync"
	"time"
)

// Copied counts the work of [Keeper.Copy].
type Copied struct {
	// Files and Bytes were copied.
	Files, Bytes int64
	// Missing and Damaged are not in the store that was copied from, or not as they were stored.
	Missing, Damaged []string
}

// Sound reports whether nothing was missing or damaged.
func (c *Copied) Sound() bool { return len(c.Missing)+len(c.Damaged) == 0 }

// Copy copies all blobs that have rows from one store to another one, where that lacks
// them. It removes nothing.
func (k *Keeper) Copy(ctx context.Context, from, to Store) (c Copied, err error) {
	ctx = system(ctx)
	var counting sync.Mutex
	err = k.shelves(ctx, to, func(s shelf) error {
		var names []string
		for name, r := range s.rows {
			if o, there := s.objects[name]; !there || o.Size != r.size {
				names = append(names, name)
			}
		}
		return atOnce(names, func(name string) error {
			whole, err := copyBlob(ctx, from, to, name, s.rows[name].sum)
			gone := errors.Is(err, fs.ErrNotExist)
			if err != nil && !gone {
				return fmt.Errorf("copy a file: %w", err)
			}
			if gone {
				found, err := k.recorded(ctx, name) // or a sweep has removed it
				if err != nil || !found {
					return err
				}
			}
			counting.Lock()
			defer counting.Unlock()
			switch {
			case gone:
				c.Missing = append(c.Missing, name)
			case !whole:
				c.Damaged = append(c.Damaged, name)
			default:
				c.Files, c.Bytes = c.Files+1, c.Bytes+s.rows[name].size
			}
			return nil
		})
	})
	return c, err
}

// Thin removes from a store of copies what no row has had since before the oldest backup
// that is kept was made, and returns how many these are. Since when no row has a blob is
// kept in marks, which it makes.
func (k *Keeper) Thin(ctx context.Context, copies Store, oldest time.Time) (n int, err error) {
	ctx = system(ctx)
	marked := map[string]time.Time{}
	err = copies.Each(ctx, drafts, func(o Object) error {
		marked[path.Base(o.Key)] = o.Since
		return nil
	})
	if err != nil {
		return 0, err
	}
	err = k.shelves(ctx, copies, func(s shelf) error {
		for name := range s.objects {
			since, gone := marked[path.Base(markKey(name))]
			_, known := s.rows[name]
			var err error
			switch {
			case known && gone: // an older state of the database was put back
				unmark(ctx, copies, name)
			case known:
			case !gone:
				err = mark(ctx, copies, name)
			case since.Before(oldest):
				n++
				err = drop(ctx, copies, name)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}
