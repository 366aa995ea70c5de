package files_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// BenchmarkUpload compares a file that is taken over HTTP with one that a handler copies to
// the same disk by io.Copy and syncs: go test -bench Upload ./internal/conformance/files.
func BenchmarkUpload(b *testing.B) {
	const size = 256 << 20
	folder := b.TempDir()
	db := migratetest.Schema(b).SQLite(b)
	k := keeper(db, &files.Folder{Path: filepath.Join(folder, "files")})
	field := *k.Targets[0].Field
	field.File = &expose.FileRule{Size: size}
	k.Targets[0].Field = &field
	for _, c := range []struct {
		name string
		take func(*http.Request) error
	}{
		{"io.Copy", func(r *http.Request) error {
			f, err := os.CreateTemp(folder, "copy")
			if err != nil {
				return err
			}
			_, err = io.Copy(f, r.Body)
			return errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name()))
		}},
		{"Take", func(r *http.Request) error {
			f, err := k.Take(viewer.With(r.Context(), viewer.System()), files.Upload{Target: k.Targets[0], Body: r.Body, Length: r.ContentLength})
			if err != nil {
				return err
			}
			return os.Remove(filepath.Join(folder, "files", f.Stored[:2], f.Stored))
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if err := c.take(r); err != nil {
					b.Error(err)
				}
			}))
			defer server.Close()
			b.SetBytes(size)
			for n := byte(0); b.Loop(); n++ {
				body := io.LimitReader(&endless{begin: io.LimitReader(onlyByte(n), 1000)}, size)
				r, err := http.Post(server.URL, "application/octet-stream", body)
				if err != nil {
					b.Fatal(err)
				}
				r.Body.Close()
			}
		})
	}
}

// onlyByte is one byte over and over. It begins a content that is no other's, so that its
// bytes are stored.
type onlyByte byte

// Read implements io.Reader.
func (o onlyByte) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(o)
	}
	return len(p), nil
}
