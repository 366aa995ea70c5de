package files

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Quotas bound how many bytes of files are stored. 0 is no bound.
type Quotas struct {
	// Owner is for the files of one user or API key, Tenant for all of one tenant.
	Owner, Tenant int64
}

// Usage is how many bytes are stored for a viewer, and for their tenant: nil where they
// have none. It is what both APIs answer with.
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

// holder is whose bytes are counted: an owner of files, or a tenant. Its name is that of its
// row.
type holder struct {
	name  string
	quota int64
	// whose is how messages call its files.
	whose string
}

// tenantBegin is what the names of tenants begin with among holders.
const tenantBegin = "tenant "

// holders are those among whose bytes an owner's count, in the order in which transactions
// lock them.
func (k *Keeper) holders(owner string, tenant int64) []holder {
	all := []holder{{owner, k.Quotas.Owner, "your files"}}
	if owner == new(File).owner() {
		all[0].quota = 0 // what the service stores by itself
	}
	if tenant > 0 {
		all = append(all, holder{fmt.Sprint(tenantBegin, tenant), k.Quotas.Tenant, "the files of your organisation"})
	}
	slices.SortFunc(all, byName)
	return all
}

// byName is the order in which transactions lock the rows of holders.
func byName(a, b holder) int { return strings.Compare(a.name, b.name) }

// What is stored for an owner, and for a tenant. The sums find it by indexes.
const (
	ownerSum = `CAST((SELECT coalesce(SUM(size), 0) FROM blobs WHERE owner = $1::varchar)
		+ (SELECT coalesce(SUM(received), 0) FROM file_uploads WHERE owner = $1::varchar AND complete = FALSE) AS bigint)`
	tenantSum = `CAST((SELECT coalesce(SUM(size), 0) FROM blobs WHERE tenant = $1::bigint)
		+ (SELECT coalesce(SUM(received), 0) FROM file_uploads WHERE tenant = $1::bigint AND complete = FALSE) AS bigint)`
)

var (
	usedText = statement.Of(`SELECT bytes FROM file_usages WHERE holder = $1`)
	// A new row counts what was stored before there were any.
	beginOwnerText  = statement.Of(`INSERT INTO file_usages (holder, bytes, created_at) SELECT $1::varchar, ` + ownerSum + `, now() ON CONFLICT (holder) DO NOTHING`)
	beginTenantText = statement.Of(`INSERT INTO file_usages (holder, bytes, created_at) SELECT $2::varchar, ` + tenantSum + `, now() ON CONFLICT (holder) DO NOTHING`)
	chargeText      = statement.Of(`UPDATE file_usages SET bytes = bytes + $2::bigint WHERE holder = $1 AND ($3::bigint = 0 OR bytes + $2::bigint <= $3::bigint)`)
	adjustText      = statement.Of(`UPDATE file_usages SET bytes = CASE WHEN bytes + $2::bigint > 0 THEN bytes + $2::bigint ELSE 0 END WHERE holder = $1`)

	holdersText   = statement.Of(`SELECT id, holder FROM file_usages WHERE id > $1 ORDER BY id LIMIT $2`)
	lockUsageText = statement.Of(`SELECT bytes FROM file_usages WHERE holder = $1 FOR UPDATE`)
	ownerSumText  = statement.Of(`SELECT ` + ownerSum)
	tenantSumText = statement.Of(`SELECT ` + tenantSum)
	mendText      = statement.Of(`UPDATE file_usages SET bytes = $2 WHERE holder = $1`)
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
	var tenant int64
	if _, scan := fmt.Sscanf(h.name, tenantBegin+"%d", &tenant); scan == nil {
		_, err = beginTenantText.Exec(ctx, k.DB, tenant, h.name)
	} else {
		_, err = beginOwnerText.Exec(ctx, k.DB, h.name)
	}
	return err
}

// room is what the tightest quota leaves. Nil: there is none.
type room struct {
	holder
	used int64
}

// left is how many bytes more may be stored.
func (r *room) left() int64 { return max(r.quota-r.used, 0) }

// full answers for a content of so many bytes, 0 where that is not known.
func (r *room) full(size int64) error {
	needs := ""
	if size > 0 {
		needs = fmt.Sprintf(", and %d are needed", size)
	}
	return &quotaError{problem.New(problem.TooLarge, "%d of %d bytes are used by %s: %d more are allowed%s", r.used, r.quota, r.whose, r.left(), needs)}
}

// room is what the quotas of the holders leave. The error says that this is less than size,
// or nothing: it is asked before bytes are read.
func (k *Keeper) room(ctx context.Context, all []holder, size int64) (least *room, err error) {
	for _, h := range all {
		used, err := k.used(ctx, h)
		if err != nil {
			return nil, err
		}
		if r := (&room{h, used}); h.quota > 0 && (least == nil || r.left() < least.left()) {
			least = r
		}
	}
	if least != nil && least.left() < max(size, 1) {
		return nil, least.full(max(size, 0))
	}
	return least, nil
}

// quotaError says that the quota is used up: the content is taken once there is room.
type quotaError struct{ error }

// Unwrap returns the problem.
func (e *quotaError) Unwrap() error { return e.error }

// charge counts bytes in the transaction that stores them, or removes them where they are
// below 0. The WHERE of the update is the lock: of writers at once those pass that fit.
func (k *Keeper) charge(ctx context.Context, all []holder, bytes int64) error {
	if bytes <= 0 {
		return k.adjust(ctx, all, bytes)
	}
	for _, h := range all {
		n, err := chargeText.Exec(ctx, k.DB, h.name, bytes, h.quota)
		if err != nil {
			return fmt.Errorf("count stored bytes of files: %w", err)
		}
		if n == 0 {
			used, err := k.used(ctx, h)
			if err != nil {
				return err
			}
			return (&room{h, used}).full(bytes)
		}
	}
	return nil
}

// adjust counts bytes that come and go whatever the quota is, in the transaction that writes
// their rows.
func (k *Keeper) adjust(ctx context.Context, all []holder, change int64) error {
	if change == 0 {
		return nil
	}
	for _, h := range all {
		if _, err := adjustText.Exec(ctx, k.DB, h.name, change); err != nil {
			return fmt.Errorf("count stored bytes of files: %w", err)
		}
	}
	return nil
}

// Usage is how many bytes are stored of the viewer's files, and of those of their tenant. The
// error is problem.ErrAuthRequired for a viewer without an account.
func (k *Keeper) Usage(ctx context.Context) (*Usage, error) {
	v, u := viewer.From(ctx), new(Usage)
	if !v.System && !v.Authenticated() {
		return nil, problem.ErrAuthRequired
	}
	for _, h := range k.holders(ownerOf(v), v.Tenant) {
		used, err := k.used(ctx, h)
		if err != nil {
			return nil, err
		}
		a := &Amount{Used: used}
		if h.quota > 0 {
			a.Quota = &h.quota
		}
		if strings.HasPrefix(h.name, tenantBegin) {
			u.Tenant = a
		} else {
			u.Own = a
		}
	}
	return u, nil
}

// Recount compares what is counted for each holder with what is stored, and mends it: after a
// process of an older version has stored files, which counts nothing. It returns how many
// counts were wrong. Each is locked while it is compared, with the statements that an index
// of the holder's rows answers.
func (k *Keeper) Recount(ctx context.Context) (wrong int, err error) {
	ctx = system(ctx)
	for after := int64(0); ; {
		type counted struct {
			id   int64
			name string
		}
		var all []counted
		err := holdersText.Query(ctx, k.DB, func(rows *sql.Rows) error {
			var c counted
			err := rows.Scan(&c.id, &c.name)
			all = append(all, c)
			return err
		}, after, batch)
		if err != nil {
			return wrong, fmt.Errorf("list counts of stored files: %w", err)
		}
		if len(all) == 0 {
			return wrong, nil
		}
		for _, c := range all {
			after = c.id
			differs, err := k.recount(ctx, c.name)
			if err != nil {
				return wrong, fmt.Errorf("count what is stored for %s: %w", c.name, err)
			}
			if differs {
				wrong++
			}
		}
	}
}

// recount mends the count of a holder, and reports whether it was wrong.
func (k *Keeper) recount(ctx context.Context, name string) (differs bool, err error) {
	err = k.DB.InTx(ctx, func(ctx context.Context) error {
		var before, now int64
		found, err := lockUsageText.Row(ctx, k.DB, []any{&before}, name)
		if err != nil || !found {
			return err
		}
		var tenant int64
		if _, scan := fmt.Sscanf(name, tenantBegin+"%d", &tenant); scan == nil {
			_, err = tenantSumText.Row(ctx, k.DB, []any{&now}, tenant)
		} else {
			_, err = ownerSumText.Row(ctx, k.DB, []any{&now}, name)
		}
		if differs = now != before; err != nil || !differs {
			return err
		}
		_, err = mendText.Exec(ctx, k.DB, name, now)
		return err
	})
	return differs, err
}
