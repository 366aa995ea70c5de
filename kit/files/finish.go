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
	if len(p.sha256) > 0 {
		whole.SHA256 = p.sha256
	}
	f := p.file()
	received, settled := p.Received+tail.size, false
	d, err := k.whole(ctx, p, parts, tail)
	if err == nil {
		if d != tail {
			defer k.discard(ctx, d)
		}
		f.MediaType, err = p.judgeWhole(ctx, d, tail, whole)
	}
	if err == nil {
		err = k.admitted(ctx, p.Target, d, f, func(ctx context.Context, f *File, name string) error {
			return k.DB.InTx(ctx, func(ctx context.Context) (err error) {
				if settled, err = k.settlePartial(ctx, p, received); err != nil || !settled {
					return err
				}
				return k.record(ctx, f, name, p.Received)
			})
		})
	}
	switch {
	case err == nil && settled:
		p.Received, p.Length, p.Complete = received, received, true
		return f, nil
	case err == nil:
		if err := k.overtaken(ctx, p); !p.Complete {
			return nil, err
		}
		return k.find(ctx, p.Key)
	case errors.Is(err, fs.ErrNotExist) && k.signs(): // its client can send it again
		return nil, errAbsent
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

// judgeWhole reads a draft of the upload, and returns what it is. The sum of the tail is known.
func (p *Partial) judgeWhole(ctx context.Context, d, tail *Draft, sums Sums) (mediaType string, err error) {
	content := d.content(ctx)
	defer content.Close()
	var to io.Writer = d.sum
	if d == tail {
		to = io.Discard
	}
	u := Upload{Target: p.Target, Sums: sums, Body: content}
	return u.receive(d, io.Discard, to)
}

// discard removes what an upload was put together to, unless it is kept.
func (k *Keeper) discard(ctx context.Context, d *Draft) {
	switch {
	case d.joined == "":
		d.Discard()
	case !d.kept:
		_ = drop(ctx, k.Store, d.joined) // if it fails, the mark stays
	}
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
		err = k.releaseParts(ctx, p.ID)
	}
	if err != nil {
		return false, fmt.Errorf("complete an upload: %w", err)
	}
	return settled, nil
}

var storedPartsText = statement.Of(`SELECT name, size FROM file_parts WHERE upload_id = $1 AND released_at IS NULL ORDER BY position`)

// stored are the parts of an upload, in their order.
func (k *Keeper) stored(ctx context.Context, p *Partial) (all []Object, err error) {
	err = storedPartsText.Query(ctx, k.DB, func(rows *sql.Rows) error {
		var name string
		var size int64
		err := rows.Scan(&name, &size)
		all = append(all, Object{Key: blobKey(name), Size: size})
		return err
	}, p.ID)
	if err != nil {
		return nil, fmt.Errorf("list the parts of an upload: %w", err)
	}
	return all, nil
}
