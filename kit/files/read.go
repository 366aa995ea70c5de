package files

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

const fileColumns = `SELECT f.id, f.address, f.entity, f.field, f.entity_id, f.entity_text, coalesce(f.user_id, 0), coalesce(f.api_key_id, 0),
	f.name, f.media_type, b.size, b.sha256, b.name, coalesce(f.width, 0), coalesce(f.height, 0), coalesce(f.blur_hash, ''), f.created_at, f.released_at IS NOT NULL, coalesce(b.tenant, 0), f.scanned_at IS NOT NULL, coalesce(f.threat, '') FROM files AS f JOIN blobs AS b ON b.id = f.blob_id `

var findText = statement.Of(fileColumns + `WHERE f.address = $1 AND f.original_id IS NULL`)

// Find returns the file with the key, if the viewer can read it, and an error of the kind
// NotFound otherwise. An attached file is read by those who read its field in its row,
// with the rules of policies, soft deletion and tenants in force. One that is not
// attached yet is read by its uploader.
func (k *Keeper) Find(ctx context.Context, key string) (*File, error) {
	f, err := k.find(ctx, key)
	if err != nil {
		return nil, err
	}
	readable, err := k.readable(ctx, f)
	if err != nil {
		return nil, err
	}
	if !readable {
		return nil, NotFound()
	}
	return f, nil
}

// find is [Keeper.Find] without the question who reads it.
func (k *Keeper) find(ctx context.Context, key string) (*File, error) {
	address := expose.FilePath + key
	if !expose.IsFile(address) {
		return nil, NotFound()
	}
	f := new(File)
	found, err := findText.Row(ctx, k.DB, f.columns(), address)
	if err != nil {
		return nil, fmt.Errorf("find a file: %w", err)
	}
	if !found {
		return nil, NotFound()
	}
	return f, nil
}

// columns are where fileColumns are scanned into.
func (f *File) columns() []any {
	return []any{
		&f.ID, &f.Address, &f.Entity, &f.Field, &f.EntityID, (*gid.TextColumn)(&f.EntityID), &f.UserID, &f.KeyID, &f.Name, &f.MediaType, &f.Size, &f.SHA256, &f.Stored, &f.Width, &f.Height, &f.BlurHash, &f.CreatedAt, &f.Released,
		&f.Tenant, &f.Scanned, &f.Threat}
}

// readable reports whether the viewer can read the file. The row is asked, as an API
// asks it: a field that is hidden from the viewer, in this row or in all, hides its file.
func (k *Keeper) readable(ctx context.Context, f *File) (bool, error) {
	v := viewer.From(ctx)
	t, known := k.of(f)
	switch {
	case f.Released || !known:
		return false, nil
	case f.EntityID.IsZero():
		return f.mine(v), nil
	}
	all, some := t.Field.Sees(v)
	if !some {
		return false, nil
	}
	s := read.Select(t.Entity)
	s.Show("address", t.Field, v)
	text, info, err := k.Reader.One(ctx, nil, s, read.ByID(t.Entity, f.EntityID), false)
	if err != nil {
		return false, err
	}
	if info.Count == 0 {
		return k.reached(ctx, t.Entity, f.EntityID, all)
	}
	var row struct{ Address *string }
	if err := json.Unmarshal(text, &row); err != nil {
		return false, fmt.Errorf("read what was written of %s: %w", t.Entity.Name, err)
	}
	return row.Address != nil && *row.Address == f.Address, nil
}

// Open reads length bytes of a file from offset on, to the end where length is below 0.
// The caller closes the content. The error is of the kind Unavailable where the store
// does not answer, or not with what its row says.
func (k *Keeper) Open(ctx context.Context, f *File, offset, length int64) (io.ReadCloser, error) {
	content, err := k.Store.Open(ctx, blobKey(f.Stored), offset, length)
	if err != nil {
		return nil, unavailable(fmt.Errorf("open file %s: %w", f.Key(), err))
	}
	if content.Size != f.Size {
		content.Close()
		return nil, unavailable(fmt.Errorf("open file %s: %d bytes are stored, want %d", f.Key(), content.Size, f.Size))
	}
	return content, nil
}
