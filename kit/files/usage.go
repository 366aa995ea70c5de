package files

import (
	"context"
	"errors"
	"fmt"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Usage is how many bytes are stored for a viewer, and for their tenant: nil where they
// have none. Both APIs answer with it.
type Usage struct {
	Own    *Amount `json:"own"`
	Tenant *Amount `json:"tenant"`
}

// Amount counts what is stored of files and of uploads that are not complete. Files of one
// owner with the same content count once.
type Amount struct {
	// Used is how many bytes are stored, and Quota how many may be, nil for any number.
	Used  int64  `json:"used"`
	Quota *int64 `json:"quota"`
}

// Usage is how many bytes are stored of the viewer's files, and of those of their tenant. The
// error is problem.ErrAuthRequired for a viewer without an account.
func (k *Keeper) Usage(ctx context.Context) (*Usage, error) {
	v, u := viewer.From(ctx), new(Usage)
	if !v.System && !v.Authenticated() {
		return nil, problem.ErrAuthRequired
	}
	for _, h := range k.holders(ownerOf(v), v.Tenant) {
		a := new(Amount)
		if err := k.read(ctx, h, &a.Used); err != nil {
			return nil, err
		}
		if h.quota > 0 {
			a.Quota = &h.quota
		}
		if h.tenant > 0 {
			u.Tenant = a
		} else {
			u.Own = a
		}
	}
	return u, nil
}

// read reads how many bytes are stored for a holder, and writes nothing: a replica may be asked.
func (k *Keeper) read(ctx context.Context, h holder, used *int64) (err error) {
	if h.tenant > 0 {
		_, err = tenantUsageText.Row(ctx, k.DB, []any{used}, h.tenant, h.name)
	} else {
		_, err = ownerUsageText.Row(ctx, k.DB, []any{used}, h.name)
	}
	if err != nil {
		return fmt.Errorf("read how many bytes of files are stored: %w", err)
	}
	return nil
}

// The bytes that are stored for an owner, and for a tenant. Both sums use indexes.
const (
	ownerSum = `CAST((SELECT coalesce(SUM(size), 0) FROM blobs WHERE owner = $1::varchar)
		+ (SELECT coalesce(SUM(received), 0) FROM file_uploads WHERE owner = $1::varchar AND complete = FALSE) AS bigint)`
	tenantSum = `CAST((SELECT coalesce(SUM(size), 0) FROM blobs WHERE tenant = $1::bigint)
		+ (SELECT coalesce(SUM(received), 0) FROM file_uploads WHERE tenant = $1::bigint AND complete = FALSE) AS bigint)`
)

var (
	usedText        = statement.Of(`SELECT bytes FROM file_usages WHERE holder = $1`)
	ownerUsageText  = statement.Of(`SELECT coalesce((SELECT bytes FROM file_usages WHERE holder = $1::varchar), ` + ownerSum + `)`)
	tenantUsageText = statement.Of(`SELECT coalesce((SELECT bytes FROM file_usages WHERE holder = $2::varchar), ` + tenantSum + `)`)
	// A new row counts what was stored before there were any.
	beginOwnerText  = statement.Of(`INSERT INTO file_usages (holder, bytes, created_at) SELECT $1::varchar, ` + ownerSum + `, now() ON CONFLICT (holder) DO NOTHING`)
	beginTenantText = statement.Of(`INSERT INTO file_usages (holder, bytes, created_at) SELECT $2::varchar, ` + tenantSum + `, now() ON CONFLICT (holder) DO NOTHING`)
)

// used is how many bytes are stored for a holder. It makes the row that counts them, before the
// transaction that changes it begins.
func (k *Keeper) used(ctx context.Context, h holder) (used int64, err error) {
	for range 2 {
		found, err := usedText.Row(ctx, k.DB, []any{&used}, h.name)
		if err != nil {
			return 0, fmt.Errorf("read how many bytes of files are stored: %w", err)
		}
		if found {
			return used, nil
		}
		if err := k.begin(ctx, h); err != nil {
			return 0, fmt.Errorf("count stored bytes of files: %w", err)
		}
	}
	return 0, errors.New("count stored bytes of files: their row is gone")
}

// begin makes the row of a holder that has none.
func (k *Keeper) begin(ctx context.Context, h holder) (err error) {
	if h.tenant > 0 {
		_, err = beginTenantText.Exec(ctx, k.DB, h.tenant, h.name)
	} else {
		_, err = beginOwnerText.Exec(ctx, k.DB, h.name)
	}
	return err
}
