package files

import (
	"context"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Partial is an upload that arrives in several requests, to any process of the service.
// Its state is a row, and what has arrived is in the store, in parts. When it is whole it
// is taken as any other upload ([Keeper.Take]), and becomes the file with its key.
//
//	begun      [Keeper.Begin]: its owner alone reads, continues and ends it.
//	complete   [Keeper.Append] has made the file of it. It says so for a day.
//	gone       its owner has ended it, its content was refused, or nothing has come for a day.
type Partial struct {
	ID     int64
	Key    string
	Target Target
	Name   string
	// Length is how many bytes the file has, -1 where the client has not said it yet, and
	// Received is how many have arrived and outlast a crash.
	Length, Received int64
	Complete         bool
	// ExpiresAt is when it goes, unless something arrives.
	ExpiresAt time.Time
	// Repeated is set where an upload was begun with the same key before, and Ended once its
	// content was refused.
	Repeated, Ended bool

	sha256  []byte
	owner   string
	tenant  int64
	parts   int
	learned bool // the length is what a request says, and not stored yet
}

// The bounds of uploads in several requests.
const (
	// mostPartials are how many of one owner's are under way.
	mostPartials = 100
	// mostParts are in how many parts one is stored.
	mostParts = 10_000
	// partSize bounds the bytes of a part, which a crash can lose.
	partSize = 16 << 20
)

// size is how many bytes the file may have.
func (p *Partial) size() int64 {
	if p.Length >= 0 {
		return p.Length
	}
	return p.Target.Field.File.Size
}

var (
	beginText = statement.Of(`INSERT INTO file_uploads (key, owner, entity, field, name, sha256, length, tenant, received, parts, complete, expires_at, created_at)
		SELECT $1::varchar, $2::varchar, $3::varchar, $4::varchar, $5::varchar, $6::varchar, $7::bigint, $9::bigint, 0, 0, FALSE, later(86400), now()
		WHERE (SELECT COUNT(*) FROM file_uploads WHERE owner = $2::varchar AND complete = FALSE) < $8
		ON CONFLICT (key) DO NOTHING RETURNING id, expires_at`)
	partialText = statement.Of(`SELECT id, key, entity, field, name, coalesce(length, -1), received, complete, expires_at, coalesce(sha256, ''), owner, coalesce(tenant, 0), parts FROM file_uploads
		WHERE key = $1 AND expires_at > now()`)
)

// Begin begins an upload of so many bytes, -1 where it is not known yet. The Body of u is
// not read. It fails as [Keeper.Take] does, and with a problem of the kind Conflict where
// the viewer has too many under way.
func (k *Keeper) Begin(ctx context.Context, u Upload, length int64) (*Partial, error) {
	if err := k.Admit(ctx, u.Target); err != nil {
		return nil, err
	}
	switch {
	case length == 0:
		return nil, errEmpty
	case length > u.Target.Field.File.Size:
		return nil, u.Target.tooLarge()
	}
	f := u.file(viewer.From(ctx))
	if err := k.name(ctx, &u, f); err != nil {
		return nil, err
	}
	u.Length = length
	if err := k.admitSize(ctx, &u, f); err != nil {
		return nil, err
	}
	p := &Partial{Key: f.Key(), Target: u.Target, Name: f.Name, Length: length, sha256: u.SHA256, owner: f.owner(), tenant: f.Tenant}
	var bytes any
	if length > 0 {
		bytes = length
	}
	made, err := beginText.Row(ctx, k.DB, []any{&p.ID, &p.ExpiresAt}, p.Key, p.owner, f.Entity, f.Field, p.Name, orNull(hex.EncodeToString(u.SHA256)), bytes, mostPartials, orNull(f.Tenant))
	if err != nil {
		return nil, fmt.Errorf("begin an upload: %w", err)
	}
	if made {
		return p, nil
	}
	before, err := k.Partial(ctx, p.Key)
	switch {
	case problem.KindOf(err) == problem.NotFound:
		return nil, problem.New(problem.Conflict, "%d uploads are under way, and more are not allowed: complete some, or end them by DELETE", mostPartials)
	case err != nil:
		return nil, err
	case before.Target != p.Target || before.Name != p.Name || before.Length != length && length >= 0:
		return nil, errReused
	}
	before.Repeated = true
	return before, nil
}

// Partial is the viewer's upload with the key. The error is of the kind NotFound where
// there is none, or it is another's.
func (k *Keeper) Partial(ctx context.Context, key string) (*Partial, error) {
	p, f := new(Partial), new(File)
	var sum string
	found, err := partialText.Row(ctx, k.DB, []any{&p.ID, &p.Key, &f.Entity, &f.Field, &p.Name, &p.Length, &p.Received, &p.Complete, &p.ExpiresAt, &sum, &p.owner, &p.tenant, &p.parts}, key)
	if err != nil {
		return nil, fmt.Errorf("find an upload: %w", err)
	}
	v := viewer.From(ctx)
	t, known := k.of(f)
	if !found || !known || !v.System && (!v.Authenticated() || p.owner != ownerOf(v)) {
		return nil, noPartial()
	}
	p.Target = t
	p.sha256, err = hex.DecodeString(sum)
	return p, err
}

// ownerOf is the owner of the files that the viewer uploads.
func ownerOf(v *viewer.Viewer) string {
	return (&File{UserID: max(v.UserID, 0), KeyID: v.KeyID}).owner()
}

// noPartial answers for an upload that does not exist, or not for this viewer.
func noPartial() error {
	p := problem.New(problem.NotFound, "upload not found: it has expired, was ended, or is not yours")
	p.Subject = "upload"
	return p
}

// Learn has the upload have the length, which is passed over where it is below 0, from the
// next piece that is added on. It fails
// where the upload has another one, or the field does not take as much.
func (p *Partial) Learn(length int64) error {
	switch {
	case length < 0 || length == p.Length:
	case p.Length >= 0:
		return problem.New(problem.Invalid, "the upload was begun for %d bytes: by this request there are %d", p.Length, length)
	case length > p.Target.Field.File.Size:
		return p.Target.tooLarge()
	case length < p.Received:
		return problem.New(problem.Invalid, "the upload has %d bytes already: by this request the file has %d", p.Received, length)
	default:
		p.Length, p.learned = length, true
	}
	return nil
}

// Address is where the file is once the upload is complete.
func (p *Partial) Address() string { return expose.FilePath + p.Key }

var (
	lockPartialText  = statement.Of(`SELECT id, owner, coalesce(tenant, 0), CASE WHEN complete THEN 0 ELSE received END FROM file_uploads WHERE id = $1 FOR UPDATE`)
	releasePartsText = statement.Of(`UPDATE file_parts SET released_at = later($2) WHERE upload_id = $1`)
	endText          = statement.Of(`DELETE FROM file_uploads WHERE id = $1`)
)

// End ends an upload, and removes the bytes that have arrived. A file that was
// made of it stays.
func (k *Keeper) End(ctx context.Context, p *Partial) error {
	return k.endIf(ctx, lockPartialText, p.ID)
}

// endIf ends an upload if the statement, which locks its row, finds it.
func (k *Keeper) endIf(ctx context.Context, lock statement.Statement, id int64) error {
	err := k.DB.InTx(ctx, func(ctx context.Context) error {
		var owner string
		var tenant, bytes int64
		found, err := lock.Row(ctx, k.DB, []any{&id, &owner, &tenant, &bytes}, id)
		if err != nil || !found {
			return err
		}
		if err := k.releaseParts(ctx, id); err != nil {
			return err
		}
		if _, err = endText.Exec(ctx, k.DB, id); err != nil {
			return err
		}
		return k.adjust(ctx, k.holders(owner, tenant), -bytes)
	})
	if err != nil {
		return fmt.Errorf("end an upload: %w", err)
	}
	return nil
}

// releaseParts has the parts of an upload go: at once, or once none of their addresses is good any
// more, so that nothing is put there after they have gone.
func (k *Keeper) releaseParts(ctx context.Context, id int64) error {
	seconds := 0
	if k.signs() {
		seconds = int(addressLife / time.Second)
	}
	_, err := releasePartsText.Exec(ctx, k.DB, id, seconds)
	return err
}
