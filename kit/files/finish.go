package files

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// finish makes the file of an upload whose last bytes are in the draft, and which has the
// sums. These bytes count with the file's row: where the process is killed before, the
// client sends them again.
func (k *Keeper) finish(ctx context.Context, p *Partial, tail *Draft, whole Sums) (*File, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishingTime)
	defer cancel()
	parts, err := k.stored(ctx, p)
	if err != nil {
		return nil, err
	}
	content := &joined{ctx: ctx, store: k.Store, left: parts}
	defer content.Close()
	u := Upload{Target: p.Target, Name: p.Name, Sums: whole, Body: io.MultiReader(content, io.NewSectionReader(tail.file, 0, tail.size))}
	if len(p.sha256) > 0 {
		u.SHA256 = p.sha256
	}
	f := p.file()
	received, settled := p.Received+tail.size, false
	err = k.take(ctx, u, f, func(ctx context.Context, f *File, name string) error {
		return k.DB.InTx(ctx, func(ctx context.Context) (err error) {
			if settled, err = k.settlePartial(ctx, p, received); err != nil || !settled {
				return err
			}
			return k.record(ctx, f, name, p.Received)
		})
	})
	switch {
	case err == nil && settled:
		p.Received, p.Length, p.Complete = received, received, true
		return f, nil
	case err == nil:
		if err := k.overtaken(ctx, p); !p.Complete {
			return nil, err
		}
		return k.find(ctx, p.Key)
	case errors.Is(err, fs.ErrNotExist):
		return nil, &refusedError{errors.Join(noPartial(), err)}
	}
	if _, full := errors.AsType[*quotaError](err); full {
		return nil, err // the upload stays until there is room
	}
	switch problem.KindOf(err) {
	case problem.Invalid, problem.TooLarge, problem.UnsupportedMedia, problem.Unprocessable, problem.KeyReused, problem.NotFound:
		return nil, &refusedError{err}
	}
	return nil, err
}

// file is the file that the upload becomes, without its content.
func (p *Partial) file() *File {
	f := &File{Address: p.Address(), Entity: p.Target.Entity.Name, Field: p.Target.Field.Name, Name: p.Name, Tenant: p.tenant}
	if _, err := fmt.Sscanf(p.owner, "user %d", &f.UserID); err != nil {
		_, _ = fmt.Sscanf(p.owner, "api key %d", &f.KeyID) // or it is the system's
	}
	return f
}

var completeText = statement.Of(`UPDATE file_uploads SET received = $3, length = $3, complete = TRUE, expires_at = later(86400)
	WHERE id = $1 AND received = $2 AND complete = FALSE RETURNING expires_at`)

// settlePartial says that the upload is a file, unless another request has changed it:
// then settled is false. Its stored bytes can be removed.
func (k *Keeper) settlePartial(ctx context.Context, p *Partial, received int64) (settled bool, err error) {
	if settled, err = completeText.Row(ctx, k.DB, []any{&p.ExpiresAt}, p.ID, p.Received, received); err == nil && settled {
		_, err = releasePartsText.Exec(ctx, k.DB, p.ID)
	}
	if err != nil {
		return false, fmt.Errorf("complete an upload: %w", err)
	}
	return settled, nil
}

var storedPartsText = statement.Of(`SELECT name, size FROM file_parts WHERE upload_id = $1 AND released_at IS NULL ORDER BY position`)

// storedPart is a part of an upload in the store.
type storedPart struct {
	name string
	size int64
}

// stored are the parts of an upload, in their order.
func (k *Keeper) stored(ctx context.Context, p *Partial) (all []storedPart, err error) {
	err = storedPartsText.Query(ctx, k.DB, func(rows *sql.Rows) error {
		var one storedPart
		err := rows.Scan(&one.name, &one.size)
		all = append(all, one)
		return err
	}, p.ID)
	if err != nil {
		return nil, fmt.Errorf("list the parts of an upload: %w", err)
	}
	return all, nil
}

// joined reads parts one after the other.
type joined struct {
	ctx   context.Context
	store Store
	left  []storedPart
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
			j.Close()
		case err != nil:
			return 0, unavailable(fmt.Errorf("read a part of an upload, of which %d bytes are left: %w", j.rest, err))
		}
	}
}

// next opens the next part.
func (j *joined) next() error {
	p := j.left[0]
	c, err := j.store.Open(j.ctx, blobKey(p.name), 0, -1)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return err // the database is older or newer than the store
	case err != nil:
		return unavailable(fmt.Errorf("open a part of an upload: %w", err))
	case c.Size != p.size:
		c.Close()
		return unavailable(fmt.Errorf("open a part of an upload: it has %d bytes, want %d", c.Size, p.size))
	}
	j.open, j.rest, j.left = c, p.size, j.left[1:]
	return nil
}

// Close closes the part that is open.
func (j *joined) Close() {
	if j.open != nil {
		j.open.Close()
		j.open = nil
	}
}
