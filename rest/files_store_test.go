package rest_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/files/s3/s3test"
	"github.com/entwine-go/entwine/kit/store/statement"
)

var filesText = statement.Of(`SELECT COUNT(*) FROM files`)

// largePicture is a PNG of about 90,000 bytes.
func largePicture() string {
	var b bytes.Buffer
	m := image.NewGray(image.Rect(0, 0, 300, 300))
	noise := rand.New(rand.NewPCG(1, 1))
	for i := range m.Pix {
		m.Pix[i] = byte(noise.Uint32())
	}
	if err := png.Encode(&b, m); err != nil {
		panic(err)
	}
	return b.String()
}

// fileRows is how many files have rows.
func (w *world) fileRows() (n int) {
	w.t.Helper()
	if _, err := filesText.Row(w.system, w.db, []any{&n}); err != nil {
		w.t.Fatal(err)
	}
	return n
}

func TestFilesInAnObjectStore(t *testing.T) {
	each(t, func(w *world) {
		w.files.Store = s3test.Start(w.t).Open(w.t, "files")
		content := largePicture()
		address := w.upload(w.ada, content)
		w.avatar(w.ada, w.ada, address).want(200)
		if got := w.send(w.bob, "GET", address, "").want(200); got.Raw != content {
			w.t.Errorf("%d bytes are downloaded, want the %d that were uploaded", len(got.Raw), len(content))
		}
		for asked, want := range map[string]string{"bytes=0-9": content[:10], "bytes=1000-": content[1000:], "bytes=-7": content[len(content)-7:]} {
			if got := w.send(w.bob, "GET", address, "", "Range", asked).want(206); got.Raw != want {
				w.t.Errorf("%s has %d bytes, want %d", asked, len(got.Raw), len(want))
			}
		}
		w.upload(w.ada, content)
		if w.stored() != 1 {
			w.t.Errorf("%d are stored, want the one that was taken twice", w.stored())
		}
		w.send(w.ada, "DELETE", address, "").want(204)
		other := w.upload(w.ada, picture(2))
		w.send(w.ada, "DELETE", other, "").want(204)
		w.swept(2)
		if w.stored() != 1 {
			w.t.Errorf("%d are stored after the sweep, want the one that is not used yet", w.stored())
		}
		if _, err := w.files.Collect(w.t.Context(), time.Now().Add(time.Minute)); err != nil { // an hour later
			w.t.Fatal(err)
		}
		w.sound()
	})
}

// sound fails where rows and what is stored differ, or marks are left.
func (w *world) sound() {
	w.t.Helper()
	if r, err := w.files.Check(w.t.Context(), true); err != nil || !r.Sound() {
		w.t.Errorf("the check says %+v (%v)", r, err)
	}
	err := w.files.Store.Each(w.t.Context(), "drafts", func(o files.Object) error {
		w.t.Errorf("%s is left", o.Key)
		return nil
	})
	if err != nil {
		w.t.Error(err)
	}
}

func TestAStoreOfFilesThatFails(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"is gone", "answers 500", "answers 404", "answers with a page of something", "has lost what was stored"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			each(t, func(w *world) {
				server := s3test.Start(w.t)
				w.files.Store = server.Open(w.t, "files")
				address := w.upload(w.ada, picture(1))
				server.Fail(server.Faults()[name])
				for _, a := range []*answer{
					w.send(w.ada, "GET", address, ""),
					w.send(w.ada, "GET", address, "", "Range", "bytes=0-9"),
					w.send(w.ada, "POST", "/api/v1/files?for=profile.avatar", picture(2), "Content-Type", "image/png"),
				} {
					if a.Status != http.StatusServiceUnavailable || a.Header.Get("Retry-After") == "" || a.Header.Get("Content-Range") != "" || a.Header.Get("Etag") != "" {
						w.t.Errorf("%s: %d with %v: %s", a.asked, a.Status, a.Header, a.Raw)
					}
				}
				if n := w.fileRows(); n != 1 {
					w.t.Errorf("%d files have rows, want 1", n)
				}
				server.Fail(nil)
				w.send(w.ada, "GET", address, "").want(200)
				w.upload(w.ada, picture(2))
				// Objects that were put before the store failed are removed.
				if _, err := w.files.Collect(w.t.Context(), time.Now().Add(time.Minute)); err != nil {
					w.t.Fatal(err)
				}
				w.sound()
			})
		})
	}
}

func TestNoHalfFileIsServed(t *testing.T) {
	each(t, func(w *world) {
		server := s3test.Start(w.t)
		w.files.Store = server.Open(w.t, "files")
		address := w.upload(w.ada, largePicture())
		server.Fail(server.Cut(50_000))
		broken := func() (aborted any) {
			defer func() { aborted = recover() }()
			w.send(w.ada, "GET", address, "")
			return nil
		}()
		if broken != http.ErrAbortHandler { //nolint:errorlint // as package http compares it
			w.t.Errorf("an answer whose content ends early is not broken off: %v", broken)
		}
	})
}

func TestFilesAreMovedWhileTheyAreServed(t *testing.T) {
	each(t, func(w *world) {
		folder := w.files.Store
		bucket := s3test.Start(w.t).Open(w.t, "files")
		addresses := map[string]string{}
		for i := range 5 {
			content := picture(i)
			addresses[w.upload(w.ada, content)] = content
		}
		all := func(when string) {
			w.t.Helper()
			for address, content := range addresses {
				if a := w.send(w.ada, "GET", address, ""); a.Status != 200 || a.Raw != content {
					w.t.Errorf("%s: GET %s is answered %d with %d bytes", when, address, a.Status, len(a.Raw))
				}
			}
			w.sound()
		}
		for _, way := range []files.Moving{{To: bucket, From: folder}, {To: folder, From: bucket}} {
			w.files.Store = &way
			all("before " + way.String())
			content := picture(len(addresses))
			addresses[w.upload(w.ada, content)] = content
			m, err := w.files.Move(w.t.Context())
			if err != nil || int(m.Files) != len(addresses)-1 || m.Left != 0 || len(m.Damaged) > 0 {
				w.t.Fatalf("moved %+v (%v), want %d files", m, err, len(addresses)-1)
			}
			all("after " + way.String())
			w.files.Store = way.To
			all("in " + way.To.String())
			n := 0
			_ = way.From.Each(w.t.Context(), "", func(o files.Object) error {
				if !strings.HasSuffix(o.Key, ".part") {
					n++
				}
				return nil
			})
			if n > 0 {
				w.t.Errorf("%d are left in %s", n, way.From)
			}
		}
	})
}

// The copy of a move that was killed before it removed the original is found again, and so
// are both where the row is removed.
func TestAMoveThatWasKilledGoesOn(t *testing.T) {
	each(t, func(w *world) {
		from, to := w.files.Store, &files.Folder{Path: filepath.Join(w.t.TempDir(), "to")}
		address := w.upload(w.ada, picture(1))
		gone := w.upload(w.ada, picture(2))
		both := &files.Moving{To: to, From: from}
		w.files.Store = both
		// The state after a kill: in both, with a mark.
		w.files.Store = &files.Moving{To: to, From: kept{from}}
		if _, err := w.files.Move(w.t.Context()); err != nil {
			w.t.Fatal(err)
		}
		w.files.Store = both
		w.send(w.ada, "DELETE", gone, "").want(204)
		w.swept(1)
		if m, err := w.files.Move(w.t.Context()); err != nil || m.Files != 1 {
			w.t.Errorf("moved %+v (%v), want 1 file", m, err)
		}
		w.files.Store = to
		w.send(w.ada, "GET", address, "").want(200)
		if n := w.stored(); n != 1 {
			w.t.Errorf("%d are stored, want 1", n)
		}
		w.sound()
		w.files.Store = from
		if n := w.stored(); n != 0 {
			w.t.Errorf("%d are left, want none", n)
		}
	})
}

// kept is a store from which nothing can be removed.
type kept struct{ files.Store }

// Remove implements files.Store.
func (kept) Remove(context.Context, string) error { return nil }

func TestADamagedFileIsNotMoved(t *testing.T) {
	each(t, func(w *world) {
		from, to := w.files.Store, &files.Folder{Path: filepath.Join(w.t.TempDir(), "to")}
		w.upload(w.ada, picture(1))
		w.files.Store = &files.Moving{To: to, From: damaged{from}}
		m, err := w.files.Move(w.t.Context())
		if err != nil || len(m.Damaged) != 1 || m.Files != 0 {
			w.t.Errorf("moved %+v (%v), want one that is damaged", m, err)
		}
		w.files.Store = to
		if n := w.stored(); n != 0 {
			w.t.Errorf("%d are stored, want none", n)
		}
	})
}

// damaged is a store that has other bytes than were stored.
type damaged struct{ files.Store }

// Open implements files.Store.
func (d damaged) Open(ctx context.Context, key string, offset, length int64) (*files.Content, error) {
	c, err := d.Store.Open(ctx, key, offset, length)
	if err != nil {
		return nil, err
	}
	c.Close()
	return &files.Content{ReadCloser: http.NoBody, Size: c.Size}, nil
}

func TestCopiesThatNoBackupNeedsGo(t *testing.T) {
	each(t, func(w *world) {
		copies := &files.Folder{Path: filepath.Join(w.t.TempDir(), "copies")}
		w.upload(w.ada, picture(1))
		gone := w.upload(w.ada, picture(2))
		thin := func(oldest time.Time) int {
			w.t.Helper()
			n, err := w.files.Thin(w.t.Context(), copies, oldest)
			if err != nil {
				w.t.Fatal(err)
			}
			return n
		}
		for range 2 { // the second time nothing is copied
			c, err := w.files.Copy(w.t.Context(), w.files.Store, copies)
			if err != nil || !c.Sound() || c.Files > 2 {
				w.t.Fatalf("copied %+v (%v)", c, err)
			}
		}
		if n := thin(time.Now().Add(time.Hour)); n != 0 {
			w.t.Errorf("%d copies of files go that rows have", n)
		}
		w.send(w.ada, "DELETE", gone, "").want(204)
		w.swept(1)
		if n := thin(time.Now().Add(time.Hour)); n != 0 {
			w.t.Errorf("%d copies go before it is known since when no row has them", n)
		}
		if n := thin(time.Now().Add(-time.Hour)); n != 0 {
			w.t.Errorf("%d copies go that a backup may need", n)
		}
		if n := thin(time.Now().Add(time.Hour)); n != 1 {
			w.t.Errorf("%d copies go that no backup needs, want 1", n)
		}
		w.files.Store = copies
		w.sound()
	})
}
