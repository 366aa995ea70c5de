package files_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// endless begins as a PNG and goes on, and keeps how much was asked of it at once.
type endless struct {
	begin      io.Reader
	most, read int
}

// Read implements io.Reader.
func (e *endless) Read(p []byte) (int, error) {
	e.most = max(e.most, len(p))
	if n, err := e.begin.Read(p); !errors.Is(err, io.EOF) {
		return n, err
	}
	e.read += len(p)
	return len(p), nil
}

func TestAnUploadIsReadUpToItsLimitInASmallBuffer(t *testing.T) {
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		k := keeper(db, &files.Folder{Path: t.TempDir()})
		target, _ := k.Target("profile.avatar")
		body := &endless{begin: strings.NewReader("\x89PNG\r\n\x1a\n")}
		_, err := k.Take(viewer.With(t.Context(), viewer.System()), files.Upload{Target: target, Body: body})
		if problem.KindOf(err) != problem.TooLarge {
			t.Fatalf("an upload without an end: %v, want a problem of the kind TooLarge", err)
		}
		const buffer = 64 << 10
		if limit := int(target.Field.File.Size); body.most > buffer || body.read > limit+buffer {
			t.Errorf("%d bytes were read, %d at once: %d and %d are allowed", body.read, body.most, limit+buffer, buffer)
		}
	})
}
