package rest_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/files/s3/s3test"
	"github.com/entwine-go/entwine/kit/upload"
	"github.com/entwine-go/entwine/kit/viewer"
)

// as sends requests to the service as a user, and has one of each number break off.
type as struct {
	token string
	cut   map[int]bool
	asked []string
}

// Do implements upload.Doer.
func (a *as) Do(r *http.Request) (*http.Response, error) {
	r.Header.Set("Authorization", "Bearer "+a.token)
	a.asked = append(a.asked, r.Method)
	if a.cut[len(a.asked)] && r.Body != nil {
		r.Body = io.NopCloser(io.MultiReader(io.LimitReader(r.Body, 10), failing{}))
	}
	answer, err := http.DefaultClient.Do(r)
	if err == nil && a.cut[len(a.asked)] {
		answer.Body.Close()
		return nil, errors.New("the connection was cut") // before the answer has come
	}
	return answer, err
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("cut") }

// uploadsAs serves the API to a user.
func (w *world) uploadsAs(v *viewer.Viewer) string {
	service := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		of := w.nobody
		if r.Header.Get("Authorization") == "Bearer ada" {
			of = v
		}
		w.handler.ServeHTTP(rw, r.WithContext(viewer.With(r.Context(), of)))
	}))
	w.t.(*testing.T).Cleanup(service.Close)
	return service.URL + "/api/v1"
}

// A program in Go uploads a file: requests and answers that break off are made again, what was paused
// goes on, in another process too, and it is said how much has been sent.
func TestAFileIsUploadedInGo(t *testing.T) {
	each(t, func(w *world) {
		api, content := w.uploadsAs(w.ada), largePicture()
		by := &as{token: "ada", cut: map[int]bool{1: true, 4: true, 6: true}}
		ctx, pause := context.WithCancel(w.t.Context())
		var sent []int64
		f := &upload.File{
			API: api, For: "profile.avatar", Name: "ada.png", Content: strings.NewReader(content), Size: int64(len(content)), Client: by,
			PartSize: 20_000, Backoff: time.Nanosecond,
		}
		f.Progress = func(n int64) {
			if sent = append(sent, n); n >= 60_000 {
				pause()
			}
		}
		if _, err := f.Send(ctx); !errors.Is(err, context.Canceled) {
			w.t.Fatalf("a pause ends with %v", err)
		}
		other := &upload.File{API: api, ID: f.ID, Content: f.Content, Size: f.Size, Client: &as{token: "ada"}}
		made, err := other.Send(w.t.Context())
		if err != nil {
			w.t.Fatal(err)
		}
		if got := w.send(w.ada, "GET", made.URL, "").want(200).Raw; got != content || made.Name != "ada.png" {
			w.t.Errorf("%d bytes of %s are stored, want the %d that were sent", len(got), made.Name, len(content))
		}
		again, err := f.Send(w.t.Context())
		if err != nil || again.URL != made.URL {
			w.t.Errorf("the first one goes on to %v (%v)", again, err)
		}
		begun := strings.Count(strings.Join(by.asked, " "), "POST")
		if begun != 2 || slices.Max(sent) < 60_000 || slices.Max(sent) >= f.Size || w.fileRows() != 1 {
			w.t.Errorf("it has asked %v, and sent %v: there are %d files", by.asked, sent, w.fileRows())
		}
	})
	t.Run("to a bucket", func(t *testing.T) {
		each(t, func(w *world) {
			server := s3test.Start(w.t)
			w.files.Store = server.Direct(w.t, "files")
			by, content := &as{token: "ada"}, strings.Repeat("a note ", 6<<20/7)
			f := &upload.File{API: w.uploadsAs(w.ada), For: "comment_attachment.file", Content: strings.NewReader(content), Size: int64(len(content)), Client: by}
			made, err := f.Send(w.t.Context())
			if err != nil || made.Size != f.Size || slices.Contains(by.asked, http.MethodPatch) {
				w.t.Errorf("it is %v (%v), for which %v were asked", made, err, by.asked)
			}
		})
	})
}

// A file that the service does not take is refused at once, without further tries.
func TestAnUploadInGoIsRefused(t *testing.T) {
	each(t, func(w *world) {
		api := w.uploadsAs(w.ada)
		for name, c := range map[string]struct {
			f      upload.File
			token  string
			status int
		}{
			"no one sends it":          {upload.File{For: "profile.avatar"}, "", 401},
			"no field has it":          {upload.File{For: "profile.bio"}, "ada", 400},
			"it is a text":             {upload.File{For: "profile.avatar"}, "ada", 415},
			"the upload is not theirs": {upload.File{ID: strings.Repeat("a", 26)}, "ada", 404},
		} {
			f, by := c.f, &as{token: c.token}
			f.API, f.Content, f.Size, f.Client = api, strings.NewReader("a text"), 6, by
			_, err := f.Send(w.t.Context())
			var refused *upload.RefusedError
			if !errors.As(err, &refused) || refused.Status != c.status || refused.Code == "" || len(by.asked) > 3 {
				t.Errorf("where %s: %v after %v, want %d", name, err, by.asked, c.status)
			}
		}
	})
}
