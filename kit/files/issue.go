package files

import (
	"context"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Issue is a file that the service makes itself, such as a document.
type Issue struct {
	// Target is its field, which has expose.Issued.
	Target Target
	// Name and MediaType are those of downloads.
	Name, MediaType string
}

// Issue stores what was written to a draft as a file of the service's own: no user's bytes count
// for it, a tenant's do whatever the quota is, and no scanner is asked. It calls attach with the
// file, which in one transaction calls record, for its rows, and sets the field of a row to its
// address. Where attach fails nothing of the file stays. attach may be called once, and record as
// often as its transaction is tried.
func (k *Keeper) Issue(ctx context.Context, i Issue, d *Draft, attach func(ctx context.Context, f *File, record func(context.Context) error) error) (*File, error) {
	f := &File{
		Address: expose.FilePath + newKey(), Entity: i.Target.Entity.Name, Field: i.Target.Field.Name,
		Name: baseName(i.Name), MediaType: i.MediaType, Tenant: viewer.From(ctx).Tenant, Scanned: true, issued: true,
	}
	for _, h := range k.holders(f.owner(), f.Tenant) { // its row is there before the transaction
		if _, err := k.used(ctx, h); err != nil {
			return nil, err
		}
	}
	err := k.keep(ctx, d, f, func(ctx context.Context, f *File, stored string) error {
		return attach(ctx, f, func(ctx context.Context) error { return k.record(ctx, f, stored, 0) })
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}
