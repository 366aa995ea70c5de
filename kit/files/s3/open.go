package s3

import (
	"context"
	"fmt"
	"io"

	"github.com/minio/minio-go/v7"

	"github.com/entwine-go/entwine/kit/files"
)

// Open implements [files.Store]: by a request for the range. The store has answered it when
// Open returns.
func (b *Bucket) Open(ctx context.Context, key string, offset, length int64) (*files.Content, error) {
	var o minio.GetObjectOptions
	ranged := offset > 0 || length > 0
	if ranged {
		end := int64(0) // to the end
		if length >= 0 {
			end = offset + length - 1
		}
		if err := o.SetRange(offset, end); err != nil {
			return nil, fmt.Errorf("read %d bytes from %d on: %w", length, offset, err)
		}
	}
	w, ctx := watch(ctx, b.patience)
	body, info, header, err := b.core.GetObject(ctx, b.name, b.prefix+key, o)
	if err != nil {
		w.end()
		return nil, b.meaning(err)
	}
	content := &files.Content{ReadCloser: &reader{w, body}, Size: info.Size}
	if ranged {
		content.Size, err = partOf(header.Get("Content-Range"), offset, length)
	}
	if err != nil {
		content.Close()
		return nil, fmt.Errorf("read %s of %s: %w", key, b, err)
	}
	return content, nil
}

// partOf is the size of an object, of which a part was answered. Its error says that it is
// another part.
func partOf(contentRange string, offset, length int64) (size int64, err error) {
	var first, last int64
	if _, err := fmt.Sscanf(contentRange, "bytes %d-%d/%d", &first, &last, &size); err != nil {
		return 0, fmt.Errorf("the answer to a request for a range has the Content-Range %q", contentRange)
	}
	if first != offset || length >= 0 && last != offset+length-1 || length < 0 && last != size-1 {
		return 0, fmt.Errorf("the answer has %q, where %d bytes from %d on were asked for", contentRange, length, offset)
	}
	return size, nil
}

// reader is the body of an answer, which is given up where it does not go on.
type reader struct {
	*watcher
	body io.ReadCloser
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	r.more()
	n, err := r.body.Read(p)
	r.pause()
	return n, err
}

// Close implements io.Closer.
func (r *reader) Close() error {
	r.end()
	return r.body.Close()
}
