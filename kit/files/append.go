package files

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// Piece is the part of an upload that one request sends.
type Piece struct {
	// Offset is how many bytes of the file come before it.
	Offset int64
	Body   io.Reader
	// Size is how many bytes the body says it has, below 1 where it does not.
	Size int64
	// Sums are of the body, and Whole are of the file that ends with it.
	Sums, Whole Sums
	// Last says that the file ends with the body, if that is as long as the upload says.
	Last bool
}

// The times that what an upload has sent may take to be kept, whatever becomes of its
// request: a part, and the file.
const (
	keepingTime   = 2 * time.Minute
	finishingTime = 30 * time.Minute
)

// Goes returns nil if a piece that begins at the offset can be added to the upload.
func (p *Partial) Goes(offset int64) error {
	switch {
	case p.Complete:
		return problem.New(problem.Conflict, "the upload is complete: nothing can be added to it")
	case offset != p.Received:
		return p.mismatched(offset)
	}
	return nil
}

// mismatched answers for a piece that begins elsewhere than the upload ends.
func (p *Partial) mismatched(offset int64) error {
	return problem.New(problem.Conflict, "the upload has %d bytes, and the request begins at %d: go on with what the header Upload-Offset says", p.Received, offset)
}

// Append adds a piece to an upload, and makes the file once it is whole. Bytes that have
// arrived are kept, in parts of 16 MiB, also where the body breaks off. p has their
// number. A body that has sums is kept as one part, once they are compared. No more than a
// buffer is in memory.
//
// The error is of the kind Conflict where the piece begins elsewhere than the upload ends,
// because another request was faster. A piece that is too long, or has another sum than it
// says, is refused, and the upload is as before. Content that [Keeper.Take] refuses ends it.
func (k *Keeper) Append(ctx context.Context, p *Partial, piece Piece) (f *File, err error) {
	defer func() {
		if err != nil && p.learned {
			p.Length = -1 // as before
		}
	}()
	if err := k.Admit(ctx, p.Target); err != nil {
		return nil, err
	}
	if err := p.Goes(piece.Offset); err != nil {
		return nil, err
	}
	if err := p.holds(piece.Size); err != nil {
		return nil, err
	}
	if piece.Size > 0 { // else each part is counted as it arrives
		if _, err := k.room(ctx, k.holders(p.owner, p.tenant), piece.Size); err != nil {
			return nil, err
		}
	}
	if len(p.sha256) > 0 && piece.Whole.SHA256 != nil && !bytes.Equal(p.sha256, piece.Whole.SHA256) {
		return nil, problem.New(problem.Invalid, "the digest of the file is another one than the upload was begun with")
	}
	for {
		f, more, err := k.appendPart(ctx, p, piece)
		if err != nil && refuses(err) {
			p.Ended = true
			return nil, errors.Join(err, k.End(context.WithoutCancel(ctx), p))
		}
		if !more || err != nil {
			return f, err
		}
	}
}

// refuses reports whether an error says that the content is not taken.
func refuses(err error) bool {
	_, refused := errors.AsType[*refusedError](err)
	return refused
}

// refusedError is an error of the content: sending it again would not help.
type refusedError struct{ error }

// Unwrap returns the problem.
func (e *refusedError) Unwrap() error { return e.error }

// part writes the next part of the body to the draft. More follows where the error is nil,
// and io.EOF says that the body has ended. One byte more than the upload holds is read, so
// that the part which would fill it is kept if the body ends there.
func (b *Piece) part(p *Partial, d *Draft) error {
	sums, compare := b.Sums.on(d, d.sum)
	most := p.size() - p.Received + 1
	if !b.summed() && most > partSize+1 {
		most = partSize
	}
	n, err := pour(counted{d}, sums, io.LimitReader(b.Body, most))
	if err == nil && n < most {
		return cmp.Or(compare(), io.EOF)
	}
	return err
}

// summed reports whether the body is compared with sums, which are those of all of it.
func (b *Piece) summed() bool {
	return b.Sums.SHA1 != nil || b.Sums.SHA256 != nil || b.Sums.SHA512 != nil
}

// appendPart adds the next part of the body. More says that there may be others.
func (k *Keeper) appendPart(ctx context.Context, p *Partial, piece Piece) (f *File, more bool, err error) {
	d, err := k.Draft()
	if err != nil {
		return nil, false, err
	}
	defer d.Discard()
	broken := piece.part(p, d)
	ended := errors.Is(broken, io.EOF)
	if err := p.holds(d.size); err != nil {
		return nil, false, err
	}
	if !ended && (piece.summed() || problem.KindOf(broken) == problem.Unavailable) { // it could not be compared, or not written
		return nil, false, broken
	}
	if err := k.judgePart(p, d); err != nil {
		return nil, false, &refusedError{err}
	}
	if ended && piece.Last && (p.Length < 0 || p.Received+d.size == p.Length) {
		f, err = k.finish(ctx, p, d, piece.Whole)
		return f, false, err
	}
	if d.size > 0 {
		if err := k.keepPart(ctx, p, d); err != nil {
			return nil, false, err
		}
	}
	if ended {
		return nil, false, nil
	}
	return nil, broken == nil, broken
}

// holds returns nil if so many bytes more are not too many.
func (p *Partial) holds(size int64) error {
	switch {
	case size <= p.size()-p.Received:
		return nil
	case p.Length < 0:
		return p.Target.tooLarge()
	}
	return problem.New(problem.Invalid, "the upload has %d of %d bytes, and the body has more than are left: none beyond them is kept", p.Received, p.Length)
}

// judgePart refuses the beginning of what the field does not take.
func (k *Keeper) judgePart(p *Partial, d *Draft) error {
	if p.Received > 0 || d.size < head {
		return nil // of a short one it is judged when it is whole
	}
	first := make([]byte, head)
	if _, err := d.file.ReadAt(first, 0); err != nil {
		return unavailable(fmt.Errorf("read what has arrived: %w", err))
	}
	_, err := p.Target.judge(first)
	return err
}

var (
	// It may go an hour later, if it has not become a part of its upload by then.
	partText   = statement.Of(`INSERT INTO file_parts (size, name, released_at, created_at) VALUES ($1, $2, later(3600), now()) RETURNING id`)
	attachText = statement.Of(`UPDATE file_uploads SET received = received + $3, parts = parts + 1, length = coalesce(length, $4), expires_at = later(86400)
		WHERE id = $1 AND received = $2 AND complete = FALSE RETURNING expires_at`)
	placeText = statement.Of(`UPDATE file_parts SET upload_id = $2, position = $3, released_at = NULL WHERE id = $1`)
	looseText = statement.Of(`UPDATE file_parts SET released_at = now() WHERE id = $1 AND upload_id IS NULL`)
)

// partBegin is the prefix of the names of parts, and partFolder their folder in the
// store: "up/up.k2…".
const (
	partFolder = "up"
	partBegin  = partFolder + "."
)

// keepPart stores a part and counts it, although the client may have gone.
func (k *Keeper) keepPart(ctx context.Context, p *Partial, d *Draft) error {
	if p.parts >= mostParts {
		return &refusedError{problem.New(problem.Invalid, "the upload has come in %d parts, and more are not allowed: it is ended. Send larger ones", p.parts)}
	}
	patience := keepingTime
	if d.size > partSize+1 {
		patience = finishingTime
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	name := partBegin + newKey()
	var part int64
	if _, err := partText.Row(ctx, k.DB, []any{&part}, d.size, name); err != nil {
		return fmt.Errorf("announce a part of an upload: %w", err)
	}
	err := k.Store.Put(ctx, blobKey(name), d.file)
	if err != nil {
		err = unavailable(err)
	} else {
		err = k.count(ctx, p, part, d.size)
	}
	if err != nil {
		_, _ = looseText.Exec(ctx, k.DB, part) // or it goes in an hour
	}
	return err
}

// count has a part that is stored be one of the upload, unless another one is there.
func (k *Keeper) count(ctx context.Context, p *Partial, part, size int64) error {
	var length any
	if p.Length >= 0 {
		length = p.Length
	}
	var counted bool
	err := k.DB.InTx(ctx, func(ctx context.Context) (err error) {
		if counted, err = attachText.Row(ctx, k.DB, []any{&p.ExpiresAt}, p.ID, p.Received, size, length); err != nil || !counted {
			return err
		}
		if _, err = placeText.Exec(ctx, k.DB, part, p.ID, p.Received); err != nil {
			return err
		}
		return k.charge(ctx, k.holders(p.owner, p.tenant), size)
	})
	switch {
	case err != nil:
		return fmt.Errorf("count a part of an upload: %w", err) // or the quota leaves no room for it
	case !counted:
		return k.overtaken(ctx, p)
	}
	p.Received, p.parts, p.learned = p.Received+size, p.parts+1, false
	return nil
}

// overtaken says what another request has done to the upload.
func (k *Keeper) overtaken(ctx context.Context, p *Partial) error {
	now, err := k.Partial(ctx, p.Key)
	if err != nil {
		return err
	}
	before := p.Received
	*p = *now
	return p.mismatched(before)
}
