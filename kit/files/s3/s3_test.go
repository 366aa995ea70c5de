package s3_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/files/filestest"
	"github.com/entwine-go/entwine/kit/files/s3/s3test"
)

func TestABucketIsAStore(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"", "of/this service"} {
		t.Run(folder, func(t *testing.T) {
			t.Parallel()
			filestest.Suite(t, s3test.Start(t).Open(t, folder))
		})
	}
}

func TestLargeObjectsAreStoredInParts(t *testing.T) {
	t.Parallel()
	address := strings.Replace(s3test.Start(t).Address("a"), "timeout=2s", "timeout=1m", 1) // as much takes long on a busy machine
	s, err := files.OpenStore(t.Context(), address, filepath.Join(t.TempDir(), "spool"))
	if err != nil {
		t.Fatal(err)
	}
	content := strings.Repeat("0123456789abcdef", 40<<20/16)
	filestest.Put(t, s, "3a/large", content)
	if got := filestest.Read(t, s, "3a/large", 0, -1); got != content {
		t.Errorf("%d bytes are read, want the %d that were stored", len(got), len(content))
	}
	if got := filestest.Read(t, s, "3a/large", 20<<20, 16); got != content[:16] {
		t.Errorf("a part is %q", got)
	}
}

// A store copies parts that are large enough, and says where it can't: the caller copies then.
func TestPartsAreJoinedByTheStore(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	s := server.Open(t, "a")
	j := s.(files.Joiner)
	large := files.Object{Key: "up/large", Size: 5 << 20}
	filestest.Put(t, s, large.Key, strings.Repeat("x", int(large.Size)))
	small := files.Object{Key: "up/small", Size: 1}
	filestest.Put(t, s, small.Key, "y")
	if err := j.Join(t.Context(), "3a/one", []files.Object{large, small}, nil); err != nil || server.Copies.Load() != 2 {
		t.Errorf("Join: %v with %d copies, want 2", err, server.Copies.Load())
	}
	if err := j.Join(t.Context(), "3a/two", []files.Object{small, large}, nil); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("Join of a small part and another one: %v, want errors.ErrUnsupported", err)
	}
	for _, status := range []int{http.StatusNotImplemented, http.StatusLengthRequired} {
		server.Refuse(status)
		if err := j.Join(t.Context(), "3a/two", []files.Object{large}, nil); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("Join where the store answers %d to a copy: %v, want errors.ErrUnsupported", status, err)
		}
	}
}

func TestAStoreThatFailsIsSeen(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	content := strings.Repeat("x", 1000)
	for name, fault := range server.Faults() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := s3test.Start(t)
			s := server.Open(t, "a")
			filestest.Put(t, s, "3a/one", content)
			server.Fail(fault)
			draft := filepath.Join(t.TempDir(), "draft")
			if err := os.WriteFile(draft, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			file, err := os.Open(draft)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			if err := s.Put(t.Context(), "3a/two", file); err == nil {
				t.Error("Put returns no error")
			}
			if read, err := s.Open(t.Context(), "3a/one", 0, -1); err == nil {
				if read.Size == int64(len(content)) {
					t.Error("Open returns a content of the right size")
				}
				read.Close()
			}
			if read, err := s.Open(t.Context(), "3a/one", 10, 20); err == nil {
				read.Close()
				t.Error("Open of a part returns no error")
			}
			server.Fail(nil)
			filestest.Put(t, s, "3a/two", content)
		})
	}
}

func TestAStoreThatIsAwayIsNotReady(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	s := &files.Moving{To: &files.Folder{Path: t.TempDir()}, From: server.Open(t, "a")}
	for _, away := range []bool{false, true, false} {
		server.Fail(nil)
		if away {
			server.Fail(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
		}
		if err := s.Ready(t.Context()); (err != nil) != away {
			t.Errorf("away %v: Ready = %v", away, err)
		}
	}
}

func TestAnAnswerThatEndsEarlyIsAnError(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	s := server.Open(t, "a")
	filestest.Put(t, s, "3a/one", strings.Repeat("x", 1000))
	server.Fail(server.Cut(500))
	read, err := s.Open(t.Context(), "3a/one", 0, -1)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	if n, err := io.Copy(io.Discard, read); err == nil {
		t.Errorf("%d of 1000 bytes are read without an error", n)
	}
}

func TestABodyThatStopsIsGivenUp(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	s := server.Open(t, "a")
	server.Fail(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Last-Modified", "Fri, 01 Jan 2021 00:00:00 GMT")
		w.Header().Set("Content-Length", "1000")
		_, _ = w.Write(make([]byte, 500))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	read, err := s.Open(t.Context(), "3a/one", 0, -1)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	if n, err := io.Copy(io.Discard, read); n != 500 || err == nil {
		t.Errorf("%d bytes are read (%v), want 500 and an error", n, err)
	}
}

func TestABucketThatCanNotBeUsedIsRefused(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	there := server.Address("a")
	for name, c := range map[string]struct{ address, want string }{
		"its bucket is not there":     {strings.Replace(there, "@bucket/", "@other/", 1), "there is no bucket of this name"},
		"nothing listens there":       {"s3://a:b@bucket/?timeout=1s&endpoint=http://127.0.0.1:1", "connection refused"},
		"its endpoint is malformed":   {"s3://a:b@bucket/?endpoint=minio", "https:// or http:// and a host"},
		"a parameter is unknown":      {"s3://a:b@bucket/?acl=public", "not acl"},
		"its region is not said":      {there + "&public=https://s3.example.com", "region"},
		"its public is malformed":     {there + "&region=a&public=minio", "the public of a bucket"},
		"its time is malformed":       {"s3://a:b@bucket/?timeout=long", "timeout"},
		"no bucket is named":          {"s3:///a", "s3://bucket/prefix"},
		"its scheme is of no package": {"swift://bucket", `import _ "github.com/entwine-go/entwine/kit/files/swift"`},
	} {
		_, err := files.OpenStore(t.Context(), c.address, t.TempDir())
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("where %s: %v, want an error with %q", name, err, c.want)
		}
	}
}

func TestUploadsThatWereBrokenOffAreEnded(t *testing.T) {
	t.Parallel()
	s := s3test.Start(t).Open(t, "a")
	if err := os.MkdirAll(s.Spool(), 0o700); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(s.Spool(), "left.part")
	if err := os.WriteFile(left, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Tidy(t.Context(), time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); err == nil {
		t.Error("a draft is left")
	}
}

// An upload leaves little garbage, independent of its size: 1 MB for each 64 MiB, of the
// store in the test as well. Signatures of a stream left as much as was sent.
func TestPutLeavesLittleGarbage(t *testing.T) {
	const size = 256 << 20
	parts := 0
	store := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("ETag", `"a"`)
		w.Header().Set("Last-Modified", "Fri, 01 Jan 2021 00:00:00 GMT")
		query := r.URL.Query()
		switch {
		case r.Method == http.MethodHead:
			w.Header().Set("Content-Length", strconv.Itoa(size))
		case query.Has("uploads"):
			_, _ = io.WriteString(w, "<InitiateMultipartUploadResult><UploadId>a</UploadId></InitiateMultipartUploadResult>")
		case query.Has("partNumber"):
			if r.Header.Get("X-Amz-Content-Sha256") == "STREAMING-AWS4-HMAC-SHA256-PAYLOAD" {
				t.Error("a part is signed as a stream")
			}
			parts++
		case query.Has("uploadId"):
			_, _ = io.WriteString(w, "<CompleteMultipartUploadResult><Bucket>bucket</Bucket><Key>3a/large</Key><ETag>a</ETag></CompleteMultipartUploadResult>")
		}
	}))
	t.Cleanup(store.Close)
	s, err := files.OpenStore(t.Context(), "s3://a:b@bucket/?region=a&endpoint="+store.URL, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.Create(filepath.Join(t.TempDir(), "draft"))
	if err == nil {
		err = content.Truncate(size) // a hole, which takes no place on the disk
	}
	if err != nil {
		t.Fatal(err)
	}
	defer content.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := s.Put(t.Context(), "3a/large", content); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if made := after.TotalAlloc - before.TotalAlloc; made > size/64 || parts != 16 {
		t.Errorf("%d bytes were allocated to send %d in %d parts, want %d at most", made, size, parts, size/64)
	} else {
		t.Logf("%d bytes were allocated to send %d", made, size)
	}
}
