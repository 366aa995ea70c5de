package files

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// whole is a draft of the parts of an upload and its last bytes, which are in the tail: a blob that
// the store joins, or a copy on the disk where it can't, and of pictures, of which nothing is
// kept unless it was decoded. The judged content is the kept one: a client that has addresses
// of parts ([Signer]) can change these until the addresses expire.
func (k *Keeper) whole(ctx context.Context, p *Partial, parts []Object, tail *Draft) (*Draft, error) {
	if len(parts) == 0 {
		return tail, nil
	}
	if j, can := k.Store.(Joiner); can && !p.Target.Field.File.Image {
		d := &Draft{store: k.Store, joined: newSum() + "." + newKey(), file: tail.file, size: p.Received + tail.size, sum: sha256.New()}
		last := tail.file
		if tail.size == 0 {
			last = nil
		}
		err := mark(ctx, k.Store, d.joined)
		if err == nil {
			err = j.Join(ctx, blobKey(d.joined), parts, last)
		}
		if err == nil {
			return d, nil
		}
		_ = drop(ctx, k.Store, d.joined) // if it fails, the mark stays
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, err
		case !errors.Is(err, errors.ErrUnsupported):
			return nil, unavailable(err)
		}
	}
	d, err := k.Draft()
	if err != nil {
		return nil, err
	}
	content := &joined{ctx: ctx, store: k.Store, left: parts}
	defer func() { _ = content.Close() }()
	if _, err := pour(counted{d}, io.Discard, io.MultiReader(content, io.NewSectionReader(tail.file, 0, tail.size))); err != nil {
		d.Discard()
		return nil, err
	}
	return d, nil
}

// newSum stands in a name for a sum that is not known yet.
func newSum() string {
	digits := make([]byte, sha256.Size)
	_, _ = rand.Read(digits) // which never fails
	return hex.EncodeToString(digits)
}

// content reads all of a draft.
func (d *Draft) content(ctx context.Context) io.ReadCloser {
	if d.joined == "" {
		return io.NopCloser(io.NewSectionReader(d.file, 0, d.size))
	}
	return &joined{ctx: ctx, store: d.store, left: []Object{{Key: blobKey(d.joined), Size: d.size}}}
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
