package s3

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/minio/minio-go/v7"

	"github.com/entwine-go/entwine/kit/files"
)

// partSize is how many bytes are sent in one request. A store takes ten thousand parts of
// an object, and so 160 GB.
const partSize = 16 << 20

// contentType is the type of all objects: only the database knows the files' own types.
const contentType = "application/octet-stream"

// Put implements [files.Store]. Requests are signed with the sum of what they send, which
// is read for it first: the other way, a signature for each 64 KiB of a stream, leaves
// garbage of the size of what is sent.
func (b *Bucket) Put(ctx context.Context, key string, content *os.File) error {
	w, ctx := watch(ctx, b.patience)
	defer w.end()
	size, err := sizeOf(content)
	switch {
	case err != nil:
	case size <= partSize:
		err = b.putWhole(ctx, w, key, content, size)
	default:
		err = b.putParts(ctx, w, key, nil, content, size)
	}
	if err != nil {
		return fmt.Errorf("put %s into %s: %w", key, b, err)
	}
	if content == nil {
		return nil
	}
	return b.there(ctx, w, key, size)
}

// there returns nil if so many bytes are stored: a proxy may have answered in place of the store.
func (b *Bucket) there(ctx context.Context, w *watcher, key string, size int64) error {
	w.more()
	info, err := b.core.StatObject(ctx, b.name, b.prefix+key, minio.StatObjectOptions{})
	if err == nil && info.Size != size {
		err = fmt.Errorf("%d bytes are there, want %d", info.Size, size)
	}
	if err != nil {
		return fmt.Errorf("look for %s, which was put into %s: %w", key, b, b.meaning(err))
	}
	return nil
}

// sizeOf is the size of a file, 0 of none.
func sizeOf(f *os.File) (int64, error) {
	if f == nil {
		return 0, nil
	}
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// putWhole puts an object by one request.
func (b *Bucket) putWhole(ctx context.Context, w *watcher, key string, content *os.File, size int64) error {
	o := minio.PutObjectOptions{ContentType: contentType, DisableContentSha256: true} // of a stream: the request has it
	if content == nil {
		_, err := b.core.PutObject(ctx, b.name, b.prefix+key, strings.NewReader(""), 0, "", "", o)
		return err
	}
	sent, sum, err := signed(w, content, 0, size)
	if err != nil {
		return err
	}
	_, err = b.core.PutObject(ctx, b.name, b.prefix+key, sent, size, "", sum, o)
	return err
}

// leastPart is how many bytes a part has at least that is not the last, and mostParts how many
// parts an object has at most.
const (
	leastPart = 5 << 20
	mostParts = 10_000
)

// Join implements [files.Joiner]: the store copies the parts. It takes none of less than 5 MiB but
// the last, and some stores copy no parts at all.
func (b *Bucket) Join(ctx context.Context, key string, parts []files.Object, tail *os.File) error {
	size, err := sizeOf(tail)
	if err != nil {
		return err
	}
	if int64(len(parts))+size/partSize+1 > mostParts {
		return errors.ErrUnsupported
	}
	total := size
	for i, p := range parts {
		if total += p.Size; p.Size < leastPart && (i < len(parts)-1 || size > 0) {
			return errors.ErrUnsupported
		}
	}
	w, ctx := watch(ctx, b.patience)
	defer w.end()
	if err := b.putParts(ctx, w, key, parts, tail, size); err != nil {
		return fmt.Errorf("join %d parts to %s in %s: %w", len(parts), key, b, err)
	}
	return b.there(ctx, w, key, total)
}

// copied has the store copy objects to parts of another one.
func (b *Bucket) copied(ctx context.Context, w *watcher, key, id string, objects []files.Object) (parts []minio.CompletePart, err error) {
	for i, o := range objects {
		w.more()
		p, err := b.core.CopyObjectPart(ctx, b.name, b.prefix+o.Key, b.name, key, id, i+1, 0, -1, nil)
		if err = b.meaning(err); err != nil {
			if code := minio.ToErrorResponse(err).StatusCode; code == http.StatusNotImplemented || code >= 400 && code < 500 {
				err = errors.Join(errors.ErrUnsupported, err)
			}
			return nil, err
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// putParts puts an object by a request for each part, one after the other: those that the store has,
// and those of a file.
func (b *Bucket) putParts(ctx context.Context, w *watcher, key string, objects []files.Object, content *os.File, size int64) (err error) {
	key = b.prefix + key
	o := minio.PutObjectOptions{ContentType: contentType}
	id, err := b.core.NewMultipartUpload(ctx, b.name, key, o)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = b.core.AbortMultipartUpload(context.WithoutCancel(ctx), b.name, key, id) // or Tidy does
		}
	}()
	parts, err := b.copied(ctx, w, key, id, objects)
	if err != nil {
		return err
	}
	for offset := int64(0); offset < size; offset += partSize {
		n := min(partSize, size-offset)
		sent, sum, err := signed(w, content, offset, n)
		if err != nil {
			return err
		}
		p, err := b.core.PutObjectPart(ctx, b.name, key, id, len(parts)+1, sent, n, minio.PutObjectPartOptions{Sha256Hex: sum, DisableContentSha256: true})
		if err != nil {
			return err
		}
		parts = append(parts, minio.CompletePart{PartNumber: p.PartNumber, ETag: p.ETag})
	}
	w.more()
	_, err = b.core.CompleteMultipartUpload(ctx, b.name, key, id, parts, o)
	return err
}

// signed is a part of a file, and its SHA-256 sum in hexadecimal digits.
func signed(w *watcher, f *os.File, offset, size int64) (*sending, string, error) {
	part := &sending{io.NewSectionReader(f, offset, size), w}
	sum := sha256.New()
	if _, err := io.Copy(sum, part); err != nil {
		return nil, "", err
	}
	_, err := part.Seek(0, io.SeekStart)
	return part, hex.EncodeToString(sum.Sum(nil)), err
}

// sending is a part of a file that says when it is read. It can be sent again.
type sending struct {
	*io.SectionReader
	w *watcher
}

// Read implements io.Reader.
func (s *sending) Read(p []byte) (int, error) {
	s.w.more()
	return s.SectionReader.Read(p)
}

// WriteTo hides that of the section, which would pass Read over.
func (s *sending) WriteTo(w io.Writer) (int64, error) {
	return io.Copy(w, struct{ io.Reader }{s})
}
