package files

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"time"

	"github.com/entwine-go/entwine/kit/store/statement"
)

// Report lists the differences between rows and stored bytes.
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
	sumsText  = statement.Of(`SELECT (SELECT COUNT(*) FROM files WHERE original_id IS NULL), (SELECT coalesce(SUM(size), 0) FROM blobs)`)
	blobsText = statement.Of(`SELECT name, size, sha256 FROM blobs WHERE name >= $1 AND name < $2`)
)

// Check compares rows with stored bytes, and reads all of these where it is to verify
// them. It changes nothing. Blobs that were stored within the last hour do not count
// as useless: their rows may be about to be written.
func (k *Keeper) Check(ctx context.Context, verify bool) (r Report, err error) {
	ctx = system(ctx)
	if _, err := sumsText.Row(ctx, k.DB, []any{&r.Files, &r.Bytes}); err != nil {
		return r, fmt.Errorf("count files: %w", err)
	}
	before := time.Now().Add(-settled)
	err = k.shelves(ctx, k.Store, func(s shelf) error {
		useless, err := k.useless(ctx, s, before)
		if err != nil {
			return err
		}
		r.Useless = append(r.Useless, useless...)
		for _, name := range slices.Sorted(maps.Keys(s.rows)) {
			if err := k.checkOne(ctx, s, name, verify, &r); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return r, err
	}
	parts, err := k.uselessParts(ctx, before)
	r.Useless = append(r.Useless, parts...)
	return r, err
}

// uselessParts are the parts of uploads that no row has, as after the database was restored.
func (k *Keeper) uselessParts(ctx context.Context, before time.Time) ([]string, error) {
	s := shelf{nil, map[string]Object{}}
	if err := s.look(ctx, k.Store, partFolder); err != nil {
		return nil, err
	}
	return k.useless(ctx, s, before)
}

// checkOne adds to the report what is wrong with a blob that has a row.
func (k *Keeper) checkOne(ctx context.Context, s shelf, name string, verify bool, r *Report) error {
	o, stored := s.objects[name]
	switch {
	case !stored:
		// A sweep may have removed it meanwhile, row and all.
		if found, err := k.recorded(ctx, name); err != nil || !found {
			return err
		}
		r.Missing = append(r.Missing, name)
		return nil
	case o.Size != s.rows[name].size:
		r.Damaged = append(r.Damaged, name)
		return nil
	case !verify:
		return nil
	}
	sound, err := sound(ctx, k.Store, name, s.rows[name].sum)
	if errors.Is(err, fs.ErrNotExist) {
		delete(s.objects, name)
		return k.checkOne(ctx, s, name, false, r)
	}
	if err == nil && !sound {
		r.Damaged = append(r.Damaged, name)
	}
	return err
}

// Collect removes stored bytes that no row has, and were there before the time. It
// returns their names.
func (k *Keeper) Collect(ctx context.Context, before time.Time) (all []string, err error) {
	ctx = system(ctx)
	if err := k.settle(ctx, k.Store, before); err != nil {
		return nil, err
	}
	err = k.shelves(ctx, k.Store, func(s shelf) error {
		names, err := k.useless(ctx, s, before)
		if err != nil {
			return err
		}
		all = append(all, names...)
		return atOnce(names, func(name string) error { return drop(ctx, k.Store, name) })
	})
	if err != nil {
		return all, err
	}
	parts, err := k.uselessParts(ctx, before)
	if err != nil {
		return all, err
	}
	return append(all, parts...), atOnce(parts, func(name string) error { return drop(ctx, k.Store, name) })
}

// useless are the blobs of a shelf without a row that were there before the time. No row
// comes to a blob later: each upload has a name of its own.
func (k *Keeper) useless(ctx context.Context, s shelf, before time.Time) (names []string, err error) {
	for name, o := range s.objects {
		if _, known := s.rows[name]; known || !o.Since.Before(before) {
			continue
		}
		found, err := k.recorded(ctx, name) // by a row that was written meanwhile
		if err != nil {
			return nil, err
		}
		if !found {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// row has the size and the sum of a blob by its row.
type row struct {
	size int64
	sum  string
}

// shelf has the blobs whose names begin with the same two digits, by name: what rows say, and
// what is stored.
type shelf struct {
	rows    map[string]row
	objects map[string]Object
}

// shelves calls do with each of the 256 shelves of a store, so that one of them is in memory. Rows
// are read first: a blob is stored before its row.
func (k *Keeper) shelves(ctx context.Context, in Store, do func(shelf) error) error {
	for digits := range 256 {
		s := shelf{map[string]row{}, map[string]Object{}}
		from, to := fmt.Sprintf("%02x", digits), fmt.Sprintf("%02x", digits+1)
		if digits == 255 {
			to = "g"
		}
		err := blobsText.Query(ctx, k.DB, func(rows *sql.Rows) error {
			var name string
			var r row
			err := rows.Scan(&name, &r.size, &r.sum)
			s.rows[name] = r
			return err
		}, from, to)
		if err != nil {
			return fmt.Errorf("read rows of stored files: %w", err)
		}
		if err := s.look(ctx, in, from); err != nil {
			return err
		}
		if err := do(s); err != nil {
			return err
		}
	}
	return nil
}

// look notes what is stored in a folder.
func (s shelf) look(ctx context.Context, in Store, folder string) error {
	err := in.Each(ctx, folder, func(o Object) error {
		if name := path.Base(o.Key); storedName.MatchString(name) {
			s.objects[name] = o
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("look at stored files: %w", err)
	}
	return nil
}
