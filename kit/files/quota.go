package files

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// Quotas bound how many bytes of files are stored. 0 is no bound.
type Quotas struct {
	// Owner is for the files of one user or API key, Tenant for all of one tenant.
	Owner, Tenant int64
}

// holder is an owner of files or a tenant, whose bytes are counted. Its name is that of its
// row.
type holder struct {
	name   string
	tenant int64 // 0 for an owner
	quota  int64
	// whose is how messages call its files.
	whose string
}

// tenantBegin is the prefix of tenants among the names of holders.
const tenantBegin = "tenant "

// holders are those among whose bytes an owner's count, in the order in which transactions
// lock them. The service itself has no quota, and is none: all that store a file of its own,
// such as the result of a job, would wait for the row that counts them.
func (k *Keeper) holders(owner string, tenant int64) (all []holder) {
	if owner != new(File).owner() {
		all = append(all, holder{name: owner, quota: k.Quotas.Owner, whose: "your files"})
	}
	if tenant > 0 {
		all = append(all, holder{fmt.Sprint(tenantBegin, tenant), tenant, k.Quotas.Tenant, "the files of your organisation"})
	}
	slices.SortFunc(all, byName)
	return all
}

// byName is the order in which transactions lock the rows of holders.
func byName(a, b holder) int { return strings.Compare(a.name, b.name) }

// room is the rest of the tightest quota. Nil: there is none.
type room struct {
	holder
	used int64
}

// left is how many bytes more may be stored.
func (r *room) left() int64 { return max(r.quota-r.used, 0) }

// full answers for a content of so many bytes, 0 where that is not known.
func (r *room) full(size int64) error {
	needs, details := "", []problem.Detail{
		problem.Rulef("limit", r.quota, "%d bytes are allowed for %s", r.quota, r.whose),
		problem.Rulef("used", r.used, "%d bytes are used", r.used),
	}
	if size > 0 {
		needs = fmt.Sprintf(", and %d are needed", size)
		details = append(details, problem.Rulef("asked", size, "%d bytes are needed", size))
	}
	full := problem.New(problem.TooLarge, "%d of %d bytes are used by %s: %d more are allowed%s", r.used, r.quota, r.whose, r.left(), needs)
	full.Details = details
	return &quotaError{full}
}

// room is the rest of the holders' quotas. The error says that this is less than size, or
// nothing: it is asked before bytes are read.
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

var (
	chargeText = statement.Of(`UPDATE file_usages SET bytes = bytes + $2::bigint WHERE holder = $1 AND ($3::bigint = 0 OR bytes + $2::bigint <= $3::bigint)`)
	adjustText = statement.Of(`UPDATE file_usages SET bytes = CASE WHEN bytes + $2::bigint > 0 THEN bytes + $2::bigint ELSE 0 END WHERE holder = $1`)
)

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
