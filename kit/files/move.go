package files

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Moved counts the work of [Keeper.Move].
type Moved struct {
	// Files and Bytes were moved.
	Files, Bytes int64
	// Left stay where they were: no row has them, or not yet.
	Left int64
	// Damaged stay, too: they have other bytes than were stored.
	Damaged []string
}

// ErrNotMoving says that there is one store only.
var ErrNotMoving = errors.New("files are in one store only: ENTWINE_FILES_FROM names another one, from which they are moved")

// Move moves all blobs that have rows from the store that files come from to the one that
// they are moved to, while both are in use. It can be killed and called again: a blob is
// removed from the one when it is whole in the other.
func (k *Keeper) Move(ctx context.Context) (m Moved, err error) {
	stores, moving := k.Store.(*Moving)
	if !moving {
		return m, ErrNotMoving
	}
	ctx = system(ctx)
	var counting sync.Mutex
	err = k.shelves(ctx, stores.From, func(s shelf) error {
		var names []string
		for name := range s.objects {
			if _, known := s.rows[name]; known {
				names = append(names, name)
			} else {
				m.Left++
			}
		}
		return atOnce(names, func(name string) error {
			sound, err := k.moveOne(ctx, stores, name, s.rows[name].sum)
			counting.Lock()
			defer counting.Unlock()
			switch {
			case err == nil && sound:
				m.Files, m.Bytes = m.Files+1, m.Bytes+s.objects[name].Size
			case err == nil:
				m.Damaged = append(m.Damaged, name)
			}
			return err
		})
	})
	if err != nil {
		return m, err
	}
	return m, stores.From.Each(ctx, partFolder, func(Object) error { // uploads that are under way
		m.Left++
		return nil
	})
}

// moveOne moves a blob, and reports whether it has the bytes that its row says.
func (k *Keeper) moveOne(ctx context.Context, m *Moving, name, sum string) (bool, error) {
	if err := mark(ctx, m.To, name); err != nil { // its row may go meanwhile
		return false, err
	}
	whole, failed := copyBlob(ctx, m.From, m.To, name, sum)
	found, err := k.recorded(ctx, name)
	switch {
	case err != nil:
		return false, err
	case !found: // a sweep removes it, from either
		return true, drop(ctx, m.To, name)
	case failed != nil || !whole:
		return false, failed
	}
	unmark(ctx, m.To, name)
	if err := m.From.Remove(ctx, blobKey(name)); err != nil {
		return false, fmt.Errorf("remove a file that was moved: %w", err)
	}
	return true, nil
}

// copyBlob copies a blob from one store to another, and reports whether it has the bytes
// of the sum: it is not stored otherwise.
func copyBlob(ctx context.Context, from, to Store, name, sum string) (bool, error) {
	content, err := from.Open(ctx, blobKey(name), 0, -1)
	if err != nil {
		return false, err
	}
	defer content.Close()
	d, err := newDraft(to)
	if err != nil {
		return false, err
	}
	defer d.Discard()
	n, err := io.Copy(d, content)
	if err != nil {
		return false, err
	}
	if n != content.Size || hex.EncodeToString(d.Sum()) != sum {
		return false, nil
	}
	return true, to.Put(ctx, blobKey(name), d.file)
}
