package s3_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/files/filestest"
)

// serverSetting is the environment variable with the address of a bucket at a real server of S3, such as
// s3://KEY:SECRET@bucket/?endpoint=http://127.0.0.1:9000&public=http://127.0.0.1:9000&region=us-east-1.
// Tests leave nothing there.
const serverSetting = "ENTWINE_TEST_S3"

// atServer opens a folder of the real server, which is removed afterwards.
func atServer(t *testing.T, folder string) files.Store {
	t.Helper()
	address := os.Getenv(serverSetting)
	if address == "" {
		t.Skip("needs a server of S3: " + serverSetting + " has its address")
	}
	before, parameters, _ := strings.Cut(address, "?")
	s, err := files.OpenStore(t.Context(), strings.TrimSuffix(before, "/")+"/"+rand.Text()+folder+"?"+parameters, filepath.Join(t.TempDir(), "spool"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx := context.WithoutCancel(t.Context())
		err := s.Each(ctx, "", func(o files.Object) error { return s.Remove(ctx, o.Key) })
		if err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestAServerIsAStore(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"", "/of/this service"} {
		t.Run(folder, func(t *testing.T) {
			t.Parallel()
			filestest.Suite(t, atServer(t, folder))
		})
	}
}

// Files that a server joins and copies are compared byte by byte.
func TestAServerTakesLargeObjects(t *testing.T) {
	t.Parallel()
	s := atServer(t, "")
	content := make([]byte, 40<<20)
	_, _ = rand.Read(content)
	filestest.Put(t, s, "3a/large", string(content))
	if got := filestest.Read(t, s, "3a/large", 20<<20, 1000); got != string(content[20<<20:20<<20+1000]) {
		t.Error("a range is not what was stored")
	}
	parts := []files.Object{{Key: "up/a", Size: 5 << 20}, {Key: "up/b", Size: 7 << 20}, {Key: "up/c", Size: 1}}
	at := int64(0)
	for _, p := range parts {
		filestest.Put(t, s, p.Key, string(content[at:at+p.Size]))
		at += p.Size
	}
	if err := s.(files.Joiner).Join(t.Context(), "3a/joined", parts, nil); err != nil {
		t.Fatalf("Join: %v", err)
	}
	if got := filestest.Read(t, s, "3a/joined", 0, -1); got != string(content[:at]) {
		t.Errorf("%d bytes are joined, want the %d of the parts", len(got), at)
	}
	if err := s.(files.Joiner).Join(t.Context(), "3a/none", []files.Object{{Key: "up/none", Size: 5 << 20}}, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Join of what is not there: %v, want fs.ErrNotExist", err)
	}
	if err := s.Tidy(t.Context(), time.Now().Add(time.Minute)); err != nil {
		t.Errorf("Tidy: %v", err)
	}
}

// A signed address takes a body of its size, and no other.
func TestAServerTakesWhatClientsSend(t *testing.T) {
	t.Parallel()
	s := atServer(t, "")
	signer := s.(files.Signer)
	if signer.Origin() == "" {
		t.Skip("needs public= in " + serverSetting)
	}
	address, err := signer.Sign(t.Context(), "up/sent", 6, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string]bool{"a note": true, "a longer note": false} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, address, bytes.NewReader([]byte(body)))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		said, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if taken := answer.StatusCode == http.StatusOK; taken != want {
			t.Errorf("a body of %d bytes is answered %s %s", len(body), answer.Status, said)
		}
	}
	if got := filestest.Read(t, s, "up/sent", 0, -1); got != "a note" {
		t.Errorf("%q is stored", got)
	}
}
