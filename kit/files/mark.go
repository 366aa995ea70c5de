package files

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/store/statement"
)

// A mark says that a blob may have no row: it is stored before the blob and its row are,
// and before its row is removed and it goes. A process that is killed in between leaves a
// mark, so that what has no row is found without looking at all that is stored.

// markEnd is the suffix of the keys of marks.
const markEnd = ".mark"

func markKey(name string) string { return drafts + "/" + name + markEnd }

// mark marks the blob with the name.
func mark(ctx context.Context, s Store, name string) error {
	if err := s.Put(ctx, markKey(name), nil); err != nil {
		return unavailable(fmt.Errorf("mark a file: %w", err))
	}
	return nil
}

// unmark removes a mark. One that stays is settled later.
func unmark(ctx context.Context, s Store, name string) { _ = s.Remove(ctx, markKey(name)) }

// drop removes a blob that has a mark, and the mark.
func drop(ctx context.Context, s Store, name string) error {
	if err := s.Remove(ctx, blobKey(name)); err != nil {
		return fmt.Errorf("remove a file: %w", err)
	}
	unmark(ctx, s, name)
	return nil
}

var storedText = statement.Of(`SELECT 1 FROM blobs WHERE name = $1 UNION ALL SELECT 1 FROM file_parts WHERE name = $1`)

// recorded reports whether the blob with the name, or the part of an upload, has a row.
func (k *Keeper) recorded(ctx context.Context, name string) (bool, error) {
	var one int
	found, err := storedText.Row(ctx, k.DB, []any{&one}, name)
	if err != nil {
		return false, fmt.Errorf("look for the row of a file: %w", err)
	}
	return found, nil
}

// settle removes uploads that were broken off, and marked blobs that have no row: those
// from before the time, for no process is between two steps for as long.
func (k *Keeper) settle(ctx context.Context, s Store, before time.Time) error {
	err := s.Each(ctx, drafts, func(o Object) error {
		name, marked := strings.CutSuffix(strings.TrimPrefix(o.Key, drafts+"/"), markEnd)
		if !marked || !storedName.MatchString(name) || !o.Since.Before(before) {
			return nil
		}
		found, err := k.recorded(ctx, name)
		if err != nil {
			return err
		}
		if found {
			unmark(ctx, s, name)
			return nil
		}
		return drop(ctx, s, name)
	})
	return errors.Join(err, s.Tidy(ctx, before))
}
