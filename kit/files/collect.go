package files

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/entwine-go/entwine/kit/store/statement"
)

// Report is what is wrong between rows and stored bytes.
type Report struct {
	// Files and Bytes are how many files have rows, and how many bytes are stored for them.
	Files, Bytes int64
	// Missing are blobs whose rows are there and whose bytes are not, and Damaged those
	// whose bytes are others than were stored.
	Missing, Damaged []string
	// Useless are stored bytes that no row has.
	Useless []string
}

// Sound reports whether nothing is wrong.
func (r *Report) Sound() bool { return len(r.Missing)+len(r.Damaged)+len(r.Useless) == 0 }

var (
	sumsText  = statement.Of(`SELECT (SELECT COUNT(*) FROM files), (SELECT coalesce(SUM(size), 0) FROM blobs)`)
	blobsText = statement.Of(`SELECT id, name FROM blobs WHERE id > $1 ORDER BY id LIMIT 1000`)
)

// Check compares rows with stored bytes, and reads all of these where it is to verify
// them. It changes nothing. What was stored within the last hour is not among what is
// useless: its row may be about to be written.
func (k *Keeper) Check(ctx context.Context, verify bool) (r Report, err error) {
	ctx = system(ctx)
	if _, err := sumsText.Row(ctx, k.DB, []any{&r.Files, &r.Bytes}); err != nil {
		return r, fmt.Errorf("count files: %w", err)
	}
	err = k.each(ctx, func(name string) error {
		file, err := k.Folder.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			r.Missing = append(r.Missing, name)
			return nil
		}
		if err != nil {
			return err
		}
		defer file.Close()
		if verify {
			sound, err := k.Folder.verify(name)
			if err == nil && !sound {
				r.Damaged = append(r.Damaged, name)
			}
			return err
		}
		return nil
	})
	if err != nil {
		return r, err
	}
	r.Useless, err = k.useless(ctx, time.Now().Add(-settled))
	return r, err
}

// Collect removes stored bytes that no row has, and were there before the time. It
// returns their names.
func (k *Keeper) Collect(ctx context.Context, before time.Time) ([]string, error) {
	ctx = system(ctx)
	if err := k.settle(ctx, before); err != nil {
		return nil, err
	}
	names, err := k.useless(ctx, before)
	for _, name := range names {
		err = errors.Join(err, k.Folder.drop(name))
	}
	return names, err
}

// useless are blobs without a row that were there before the time. No row comes to a blob
// later: each upload has a name of its own.
func (k *Keeper) useless(ctx context.Context, before time.Time) (names []string, err error) {
	err = k.Folder.Each(func(name string, since time.Time) error {
		if !since.Before(before) {
			return nil
		}
		var one int
		found, err := storedText.Row(ctx, k.DB, []any{&one}, name)
		if err == nil && !found {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look at stored files: %w", err)
	}
	return names, nil
}

// each calls do with the name of each blob that has a row.
func (k *Keeper) each(ctx context.Context, do func(name string) error) error {
	for after := int64(0); ; {
		var names []string
		err := blobsText.Query(ctx, k.DB, func(rows *sql.Rows) error {
			var name string
			err := rows.Scan(&after, &name)
			names = append(names, name)
			return err
		}, after)
		if err != nil {
			return fmt.Errorf("read rows of stored files: %w", err)
		}
		for _, name := range names {
			if err := do(name); err != nil {
				return err
			}
		}
		if len(names) == 0 {
			return nil
		}
	}
}
