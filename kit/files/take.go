package files

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha1" //nolint:gosec // the checksum of tus: it guards against accidents, and nothing is trusted for it
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gabriel-vasile/mimetype"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Upload is a client's upload.
type Upload struct {
	Target Target
	// Name is the client's name of the file, from which folders are removed.
	Name string
	Body io.Reader
	// Length is how many bytes the body says it has, below 1 where it does not.
	Length int64
	// Key makes repetitions of an upload by the same caller one file: those of the same content,
	// for the same field and of the same name. Empty: none.
	Key string
	// ID is the file's id in addresses, one of [Keeper.NewID]. Empty: a new one.
	ID string
	Sums

	// room is the rest of the quotas.
	room *room
}

// Sums are those that a client says a content has. Nil: it says none.
type Sums struct{ SHA1, SHA256, SHA512 []byte }

// ErrDigest is the cause of the error for a content that has another sum than the client says.
var ErrDigest = errors.New("another digest")

// on is the writer that makes the sums of a content, by the one that makes the draft's, and
// compare then fails where they are of another content.
func (s Sums) on(d *Draft, to io.Writer) (all io.Writer, compare func() error) {
	all = to
	want := map[hash.Hash][]byte{}
	for sum, h := range map[*[]byte]func() hash.Hash{&s.SHA1: sha1.New, &s.SHA512: sha512.New} {
		if *sum != nil {
			own := h()
			want[own] = *sum
			all = io.MultiWriter(all, own)
		}
	}
	return all, func() error {
		same := s.SHA256 == nil || bytes.Equal(s.SHA256, d.Sum())
		for own, sum := range want {
			same = same && bytes.Equal(sum, own.Sum(nil))
		}
		if !same {
			return problem.Wrap(ErrDigest, problem.Unprocessable, "the content has another digest than the request says: it was changed on its way, or the digest is of something else")
		}
		return nil
	}
}

// Admit returns nil if the viewer may write the field of some row: it is asked before
// the content is read. The error is as those of policies.
func (k *Keeper) Admit(ctx context.Context, t Target) error {
	v := viewer.From(ctx)
	if !v.System && !v.Authenticated() {
		return problem.ErrAuthRequired
	}
	if t.Rules.Check(v, policy.Create) == nil {
		return nil
	}
	return t.Rules.Check(v, policy.Update)
}

// head is how much of a content says what it is.
const head = 4096

// Take stores a file as the viewer's, for them to set the field to its address. It fails
// with problem.TooLarge or problem.UnsupportedMedia for what the field does not take, as
// soon as enough was read to tell, and with problem.Unprocessable for another content than
// the sums are of, and for what is no picture where the field takes pictures. No more than
// a buffer of the content is in memory, but for a picture while it is decoded.
func (k *Keeper) Take(ctx context.Context, u Upload) (*File, error) {
	if err := k.Admit(ctx, u.Target); err != nil {
		return nil, err
	}
	f := u.file(viewer.From(ctx))
	if err := k.name(ctx, &u, f); err != nil {
		return nil, err
	}
	err := k.admitSize(ctx, &u, f)
	if has, failed := k.has(ctx, f, u.SHA256); has || failed != nil {
		u.room, err = nil, failed
	}
	if err != nil {
		return nil, err
	}
	err = k.take(ctx, u, f, func(ctx context.Context, f *File, stored string) error { return k.record(ctx, f, stored, 0) })
	if err != nil {
		return nil, err
	}
	return f, nil
}

// admitSize bounds the content to what the owner's quota leaves, before any of it is read. The
// repetition of an upload is answered whatever the quota is.
func (k *Keeper) admitSize(ctx context.Context, u *Upload, f *File) (err error) {
	u.room, err = k.room(ctx, k.holders(f.owner(), f.Tenant), u.Length)
	if _, full := errors.AsType[*quotaError](err); !full || u.Key == "" {
		return err
	}
	known, failed := k.known(ctx, f.Address)
	if known {
		return nil
	}
	return cmp.Or(failed, err)
}

var hasText = statement.Of(`SELECT 1 FROM blobs WHERE owner = $1 AND sha256 = $2`)

// has reports whether the file's owner has a content with the sum, which their quota counts
// already. The content of others does not count.
func (k *Keeper) has(ctx context.Context, f *File, sum []byte) (found bool, err error) {
	if sum == nil {
		return false, nil
	}
	var one int
	if found, err = hasText.Row(ctx, k.DB, []any{&one}, f.owner(), hex.EncodeToString(sum)); err != nil {
		return false, fmt.Errorf("look for the same content: %w", err)
	}
	return found, nil
}

// file is the file that the viewer uploads, without its address and its content.
func (u *Upload) file(v *viewer.Viewer) *File {
	return &File{
		Entity: u.Target.Entity.Name, Field: u.Target.Field.Name, Name: baseName(u.Name),
		UserID: max(v.UserID, 0), KeyID: v.KeyID, Tenant: v.Tenant,
	}
}

// take receives the content of a file, and has record write its rows.
func (k *Keeper) take(ctx context.Context, u Upload, f *File, record func(ctx context.Context, f *File, stored string) error) error {
	d, err := k.Draft()
	if err != nil {
		return err
	}
	defer d.Discard()
	if f.MediaType, err = u.receive(d, counted{d}, d.sum); err != nil {
		return err
	}
	return k.admitted(ctx, u.Target, d, f, record)
}

// admitted has a content that was received cleaned and scanned, and kept.
func (k *Keeper) admitted(ctx context.Context, t Target, d *Draft, f *File, record func(ctx context.Context, f *File, stored string) error) error {
	if t.Field.File.Cleans(f.MediaType) {
		clean, err := k.clean(ctx, d, f, t)
		if err != nil {
			return err
		}
		defer clean.Discard()
		d = clean
	}
	if err := k.scanDraft(ctx, d, f); err != nil {
		return err
	}
	return k.keep(ctx, d, f, record)
}

// keep makes a blob of a draft, and has record write the rows of the file. Where these
// have another blob of the same content, this one goes.
func (k *Keeper) keep(ctx context.Context, d *Draft, f *File, record func(ctx context.Context, f *File, stored string) error) error {
	f.Size, f.SHA256 = d.size, hex.EncodeToString(d.Sum())
	stored, err := d.Keep(ctx)
	if err != nil {
		return err
	}
	err = record(ctx, f, stored)
	switch {
	case problem.KindOf(err) == problem.Unavailable:
		return err // whether it was committed is unknown: its mark is settled later
	case err != nil || f.Stored != stored: // its owner has the same content already
		_ = drop(ctx, k.Store, stored) // if it fails, the mark stays
	default:
		unmark(ctx, k.Store, stored)
	}
	return err
}

// receive writes the content to the draft and to its sum, and returns what it is.
func (u *Upload) receive(d *Draft, file, sum io.Writer) (mediaType string, err error) {
	rule := u.Target.Field.File
	if u.Length > rule.Size {
		return "", u.Target.tooLarge()
	}
	first := make([]byte, head)
	n, err := io.ReadFull(u.Body, first)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", err
	}
	first = first[:n]
	if n == 0 {
		return "", errEmpty
	}
	if mediaType, err = u.Target.judge(first); err != nil {
		return "", err
	}
	sums, compare := u.on(d, sum)
	most := rule.Size
	if u.room != nil {
		most = min(most, u.room.left())
	}
	rest := io.LimitReader(io.MultiReader(bytes.NewReader(first), u.Body), most+1)
	size, err := pour(file, sums, rest)
	switch {
	case err != nil:
		return "", err
	case size > rule.Size:
		return "", u.Target.tooLarge()
	case size > most:
		return "", u.room.full(max(u.Length, 0))
	}
	return mediaType, compare()
}

var errEmpty = problem.New(problem.Invalid, "the file is empty")

// judge is the media type of a content that begins so. The error says that the field does
// not take it.
func (t Target) judge(first []byte) (mediaType string, err error) {
	mediaType = mimetype.Detect(first).String()
	plain, _, _ := strings.Cut(mediaType, ";")
	if !t.Field.File.Takes(plain) {
		return "", t.takesNot(plain)
	}
	return mediaType, nil
}

// takesNot answers for a file of a media type that the field does not take.
func (t Target) takesNot(mediaType string) error {
	return problem.New(problem.UnsupportedMedia, "the content is %s: %s takes %s", mediaType, t.Name(), strings.Join(t.Field.File.Types, ", "))
}

// tooLarge answers for a file that is larger than the field takes.
func (t Target) tooLarge() error {
	return problem.New(problem.TooLarge, "the file is larger than %d bytes, which %s takes at most", t.Field.File.Size, t.Name())
}

var (
	blobText = statement.Of(`INSERT INTO blobs (owner, sha256, name, size, tenant, created_at) VALUES ($1, $2, $3, $4, $5, now())
		ON CONFLICT (owner, sha256) DO UPDATE SET size = excluded.size RETURNING id, name`)
	fileText = statement.Of(`INSERT INTO files (address, entity, field, user_id, api_key_id, name, media_type, blob_id, width, height, blur_hash, scanned_at, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, CASE WHEN $12 = 1 THEN now() END, now())
		ON CONFLICT (address) DO NOTHING RETURNING id, created_at`)
)

// record makes the rows of a file. Where its owner has a blob of the same content, the
// file has that one: locking it keeps a sweep from removing it meanwhile. Bytes that no blob
// has yet count, less the credit: those of the upload that counted before.
func (k *Keeper) record(ctx context.Context, f *File, stored string, credit int64) error {
	err := k.DB.InTx(ctx, func(ctx context.Context) error {
		var blob int64
		if _, err := blobText.Row(ctx, k.DB, []any{&blob, &f.Stored}, f.owner(), f.SHA256, stored, f.Size, orNull(f.Tenant)); err != nil {
			return err
		}
		bytes := -credit
		if f.Stored == stored {
			bytes += f.Size
		}
		count := k.charge
		if f.issued {
			count = k.adjust
		}
		if err := count(ctx, k.holders(f.owner(), f.Tenant), bytes); err != nil {
			return err
		}
		for _, address := range f.also {
			if known, err := k.known(ctx, address); known || err != nil {
				f.Address = address
				return cmp.Or(err, k.again(ctx, f))
			}
		}
		made, err := fileText.Row(ctx, k.DB, []any{&f.ID, &f.CreatedAt}, f.Address, f.Entity, f.Field, orNull(f.UserID), orNull(f.KeyID), f.Name, f.MediaType, blob,
			orNull(f.Width), orNull(f.Height), orNull(f.BlurHash), flag(f.Scanned))
		if err != nil || made {
			return err
		}
		return k.again(ctx, f)
	})
	if err != nil {
		return fmt.Errorf("record a file: %w", err)
	}
	return nil
}

// owner is the owner whose files share stored bytes.
func (f *File) owner() string {
	switch {
	case f.UserID > 0:
		return fmt.Sprintf("user %d", f.UserID)
	case f.KeyID > 0:
		return fmt.Sprintf("api key %d", f.KeyID)
	}
	return "system"
}

// flag is 1 where b is set: PostgreSQL takes it for a number, as SQLite does.
func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// orNull is the value, and NULL where it is the zero value.
func orNull[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}

// longestName is how many characters of a file's name are kept.
const longestName = 200

// baseName is the last part of a name, in whichever way folders are written, without
// what does not show: control characters and marks that change the direction of a text.
func baseName(name string) string {
	name = strings.ToValidUTF8(name, "")
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, name)
	name = strings.Trim(name, " .")
	if runes := []rune(name); len(runes) > longestName {
		name = string(runes[len(runes)-longestName:]) // with what it ends in
	}
	if name == "" {
		return "file"
	}
	return name
}
