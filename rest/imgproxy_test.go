package rest_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/entwine-go/entwine/kit/files/imgproxy"
)

// fakeProxy answers as imgproxy does, for files below a store that it reads by itself.
type fakeProxy struct {
	w      *world
	asked  atomic.Int64
	answer http.HandlerFunc // in place of a picture, where it is not nil
}

var proxied = regexp.MustCompile(`^/([\w-]+)(/rs:(fit|fill-down):(\d+):(\d+):0/ar:1/sm:1/scp:0/q:82/([\w-]+)\.(jpg|png|webp))$`)

// ServeHTTP implements http.Handler.
func (f *fakeProxy) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	f.asked.Add(1)
	part := proxied.FindStringSubmatch(r.URL.Path)
	if part == nil {
		f.w.t.Errorf("imgproxy is asked for %s", r.URL.Path)
		rw.WriteHeader(http.StatusNotFound)
		return
	}
	mac := hmac.New(sha256.New, []byte("key"))
	_, _ = io.WriteString(mac, "salt"+part[2])
	if part[1] != base64.RawURLEncoding.EncodeToString(mac.Sum(nil)) {
		f.w.t.Errorf("%s is not signed", r.URL.Path)
		rw.WriteHeader(http.StatusForbidden)
		return
	}
	source, err := base64.RawURLEncoding.DecodeString(part[6])
	key, local := strings.CutPrefix(string(source), "local:///")
	if err != nil || !local {
		f.w.t.Errorf("imgproxy is to read %s", source)
	}
	original, err := f.w.files.Store.Open(r.Context(), key, 0, -1)
	if err != nil {
		f.w.t.Errorf("imgproxy reads %s: %v", key, err)
		rw.WriteHeader(http.StatusNotFound)
		return
	}
	original.Close()
	if f.answer != nil {
		f.answer(rw, r)
		return
	}
	var width, height int
	_, _ = fmt.Sscan(part[4], &width)
	_, _ = fmt.Sscan(part[5], &height)
	_, _ = rw.Write(drawn(width, height))
}

// drawn is a JPEG that says who has made it, in its metadata.
func drawn(width, height int) []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, width, height)), nil); err != nil {
		panic(err)
	}
	const comment = "\xff\xfe\x00\x0eby a stranger"
	return append([]byte(b.String()[:2]+comment), b.Bytes()[2:]...)
}

func TestImgproxyMakesVariants(t *testing.T) {
	each(t, func(w *world) {
		fake := &fakeProxy{w: w}
		server := httptest.NewServer(fake)
		w.t.Cleanup(server.Close)
		proxy, err := imgproxy.Open(strings.Replace(server.URL, "://", "://6b6579:73616c74@", 1) + "?source=local:///")
		if err != nil {
			w.t.Fatal(err)
		}
		w.files.Maker = proxy
		upload := func(n int) string {
			w.t.Helper()
			return w.send(w.ada, "POST", "/api/v1/files?for=profile.avatar&name=ada.jpg", snapshot(1200+n, 900), "Content-Type", "image/jpeg").want(201).data()["url"].(string)
		}
		address := upload(0)
		small := w.send(w.ada, "GET", address+"?variant=small", "").want(200)
		if got := sized(w.t, small.Raw); got != "jpeg 96 × 96" || strings.Contains(small.Raw, "stranger") || fake.asked.Load() != 1 {
			w.t.Errorf("the variant is %s after %d requests, with metadata: %v", got, fake.asked.Load(), strings.Contains(small.Raw, "stranger"))
		}
		w.send(w.bob, "GET", address+"?variant=small", "").want(404) // it is asked for nothing that a caller can't read
		if again := w.send(w.ada, "GET", address+"?variant=small", "").want(200); again.Raw != small.Raw || fake.asked.Load() != 1 {
			w.t.Errorf("a variant that is there is made again: %d requests", fake.asked.Load())
		}

		// After any other answer the variant is made here.
		for n, answer := range []http.HandlerFunc{
			func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusInternalServerError) },
			func(rw http.ResponseWriter, _ *http.Request) {
				http.Redirect(rw, &http.Request{}, "http://169.254.169.254/", http.StatusFound)
			},
			func(rw http.ResponseWriter, _ *http.Request) {
				_, _ = io.WriteString(rw, "<html><script>alert(1)</script>")
			},
			func(rw http.ResponseWriter, _ *http.Request) { _, _ = rw.Write(drawn(96, 96)[:200]) },
			func(rw http.ResponseWriter, _ *http.Request) { _, _ = rw.Write(drawn(97, 96)) },
			func(rw http.ResponseWriter, _ *http.Request) { _, _ = io.Copy(rw, io.LimitReader(endlessly{}, 64<<20)) },
			func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		} {
			fake.answer = answer
			before := fake.asked.Load()
			other := upload(1 + n)
			made := w.send(w.ada, "GET", other+"?variant=small", "").want(200)
			if got := sized(w.t, made.Raw); got != "jpeg 96 × 96" || fake.asked.Load() != before+1 {
				w.t.Errorf("answer %d: the variant is %s after %d requests", n, got, fake.asked.Load()-before)
			}
		}
		w.sound()
	})
}

// endlessly are bytes without an end.
type endlessly struct{}

// Read implements io.Reader.
func (endlessly) Read(p []byte) (int, error) { return len(p), nil }

func TestTheAddressOfImgproxyIsJudged(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"", "imgproxy:8080", "http://imgproxy:8080", "http://6b:73@imgproxy:8080", "http://key:73@imgproxy?source=local:///", "http://6b@imgproxy?source=local:///",
		"ftp://6b:73@imgproxy?source=local:///", "http://6b:73@imgproxy?source=/files",
	} {
		if _, err := imgproxy.Open(address); err == nil || !strings.Contains(err.Error(), "http://KEY:SALT@HOST:PORT?source=local:///") || strings.Contains(err.Error(), "6b") {
			t.Errorf("%q: %v", address, err)
		}
	}
}
