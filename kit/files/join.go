package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// join makes a blob of a draft that begins with parts in the store: by the store, or where that
// can't by a copy.
func (d *Draft) join(ctx context.Context, key string) error {
	err := errors.ErrUnsupported
	if j, can := d.store.(Joiner); can {
		tail := d.file
		if d.size == d.before {
			tail = nil
		}
		err = j.Join(ctx, key, d.parts, tail)
	}
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	whole, err := newDraft(d.store)
	if err != nil {
		return err
	}
	defer whole.Discard()
	content := d.content(ctx)
	defer content.Close()
	if _, err := pour(whole.file, io.Discard, content); err != nil {
		return err
	}
	return d.store.Put(ctx, key, whole.file)
}

// content reads all of a draft: the parts that it begins with, and its file.
func (d *Draft) content(ctx context.Context) io.ReadCloser {
	parts := &joined{ctx: ctx, store: d.store, left: d.parts}
	return struct {
		io.Reader
		io.Closer
	}{io.MultiReader(parts, io.NewSectionReader(d.file, 0, d.size-d.before)), parts}
}

// joined reads parts one after the other.
type joined struct {
	ctx   context.Context
	store Store
	left  []Object
	open  io.ReadCloser
	rest  int64 // of the open one
}

// Read implements io.Reader.
func (j *joined) Read(b []byte) (int, error) {
	for {
		if j.open == nil {
			if len(j.left) == 0 {
				return 0, io.EOF
			}
			if err := j.next(); err != nil {
				return 0, err
			}
		}
		n, err := j.open.Read(b)
		j.rest -= int64(n)
		switch {
		case n > 0:
			return n, nil
		case errors.Is(err, io.EOF) && j.rest == 0:
			_ = j.Close() // all of it was read
		case err != nil:
			return 0, unavailable(fmt.Errorf("read a part of an upload, of which %d bytes are left: %w", j.rest, err))
		}
	}
}

// next opens the next part.
func (j *joined) next() error {
	p := j.left[0]
	c, err := j.store.Open(j.ctx, p.Key, 0, -1)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return err // the database is older or newer than the store
	case err != nil:
		return unavailable(fmt.Errorf("open a part of an upload: %w", err))
	case c.Size != p.Size:
		c.Close()
		return unavailable(fmt.Errorf("open a part of an upload: it has %d bytes, want %d", c.Size, p.Size))
	}
	j.open, j.rest, j.left = c, p.Size, j.left[1:]
	return nil
}

// Close closes the part that is open.
func (j *joined) Close() error {
	if j.open == nil {
		return nil
	}
	err := j.open.Close()
	j.open = nil
	return err
}

// Join implements [Joiner], where the parts are in the store that is moved to.
func (m *Moving) Join(ctx context.Context, key string, parts []Object, tail *os.File) error {
	j, can := m.To.(Joiner)
	if !can {
		return errors.ErrUnsupported
	}
	err := j.Join(ctx, key, parts, tail)
	if errors.Is(err, fs.ErrNotExist) {
		return errors.ErrUnsupported // reading them says whether they are in the other one
	}
	return err
}
