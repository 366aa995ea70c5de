package files_test

import (
	"errors"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/expose"
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
		const buffer = 128 << 10
		if limit := int(target.Field.File.Size); body.most > buffer || body.read > limit+buffer {
			t.Errorf("%d bytes were read, %d at once: %d and %d are allowed", body.read, body.most, limit+buffer, buffer)
		}
	})
}

// The allocation for a file that is uploaded by several requests does not depend on its
// size: 4 MB for 80 MiB, which come in parts and are read back.
func TestAnUploadInPartsIsNotInMemory(t *testing.T) {
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		const size = 80 << 20
		k := keeper(db, &files.Folder{Path: t.TempDir()})
		field := *k.Targets[0].Field
		field.File = &expose.FileRule{Size: size}
		k.Targets[0].Field = &field
		ctx := viewer.With(t.Context(), viewer.System())
		made := uint64(math.MaxUint64)
		for range 3 { // during one of them the other database may be migrated
			p, err := k.Begin(ctx, files.Upload{Target: k.Targets[0]}, size)
			if err != nil {
				t.Fatal(err)
			}
			body := &endless{begin: strings.NewReader("%PDF-1.7\n")}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if f, err := k.Append(ctx, p, files.Piece{Body: io.LimitReader(body, size/2)}); f != nil || err != nil {
				t.Fatalf("half of it is %v (%v)", f, err)
			}
			f, err := k.Append(ctx, p, files.Piece{Offset: size / 2, Body: io.LimitReader(body, size/2), Last: true})
			runtime.ReadMemStats(&after)
			if err != nil || f.Size != size {
				t.Fatalf("the file is %+v (%v)", f, err)
			}
			if body.most > 128<<10 {
				t.Errorf("%d bytes were read at once", body.most)
			}
			if made = min(made, after.TotalAlloc-before.TotalAlloc); made <= 4<<20 {
				return
			}
		}
		t.Errorf("%d bytes were allocated for a file of %d", made, size)
	})
}
