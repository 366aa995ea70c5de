package files_test

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// BenchmarkUpload compares a file that is taken over HTTP with one that a handler copies to
// the same disk by io.Copy and syncs, with its SHA-256 sum and without: go test -bench Upload
// ./internal/conformance/files.
func BenchmarkUpload(b *testing.B) {
	const size = 1 << 30
	folder := b.TempDir()
	db := migratetest.Schema(b).SQLite(b)
	k := keeper(db, &files.Folder{Path: filepath.Join(folder, "files")})
	field := *k.Targets[0].Field
	field.File = &expose.FileRule{Size: size}
	k.Targets[0].Field = &field
	copied := func(body io.Reader) error {
		f, err := os.CreateTemp(folder, "copy")
		if err != nil {
			return err
		}
		_, err = io.Copy(f, body)
		return errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name()))
	}
	for _, c := range []struct {
		name string
		take func(*http.Request) error
	}{
		{"io.Copy", func(r *http.Request) error { return copied(r.Body) }},
		{"io.Copy and SHA-256", func(r *http.Request) error { return copied(io.TeeReader(r.Body, sha256.New())) }},
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
			for b.Loop() {
				body := io.LimitReader(&endless{begin: strings.NewReader(string(binary.BigEndian.AppendUint64(nil, sent.Add(1))))}, size)
				r, err := http.Post(server.URL, "application/octet-stream", body)
				if err != nil {
					b.Fatal(err)
				}
				r.Body.Close()
			}
		})
	}
}

// sent counts contents: each begins with its number, so that it is no other's and its bytes are stored.
var sent atomic.Uint64
