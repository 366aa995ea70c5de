package web_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/internal/fastpath"
	"github.com/entwine-go/entwine/kit/web"
)

// A file is sent from the disk to a client that reads, however slowly, after what was written before,
// and given up where the client takes nothing.
func TestAFileIsSentFromTheDisk(t *testing.T) {
	t.Parallel()
	content := make([]byte, 16<<20)
	_, _ = rand.Read(content)
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
	sent := make(chan error, 1)
	site, health := newSite()
	const begun = 1000
	site.REST = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		file, err := os.Open(name)
		if err != nil {
			t.Error(err)
			return
		}
		defer file.Close()
		w.Header().Set("Content-Length", strconv.Itoa(len(content)))
		if _, err := io.CopyN(w, file, begun); err != nil {
			t.Error(err)
		}
		if n, err := web.SendFile(w, file, 10, begun-1); n != 0 || err != nil {
			t.Errorf("%d bytes are sent though a layer holds one (%v)", n, err)
		}
		n, err := web.SendFile(w, file, int64(len(content)), begun)
		if fastpath.Off() {
			n, err = io.Copy(w, struct{ io.Reader }{file})
		}
		if err == nil && n != int64(len(content)-begun) {
			t.Errorf("%d bytes are sent, want %d", n, len(content)-begun)
		}
		sent <- err
	})
	serve := func(patience time.Duration) string {
		l := listen(t)
		server := &web.Server{Handler: site.Handler(), Health: health, Log: site.Edge.Log, Stall: &web.Stall{Time: patience, Notice: time.Millisecond}}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = server.Serve(ctx, l)
		}()
		t.Cleanup(func() { stop(); <-ended })
		return l.Addr().String()
	}

	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+serve(time.Minute)+"/api/file", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	got, piece := new(bytes.Buffer), make([]byte, 1<<20)
	for err == nil {
		var n int
		time.Sleep(5 * time.Millisecond) // longer than it takes to notice
		n, err = io.ReadFull(answer.Body, piece)
		got.Write(piece[:n])
	}
	if err := <-sent; err != nil || !bytes.Equal(got.Bytes(), content) {
		t.Errorf("%d bytes arrive, want those of the file (%v)", got.Len(), err)
	}

	c, err := net.Dial("tcp", serve(50*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, "GET /api/file HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if err := <-sent; !os.IsTimeout(err) {
		t.Errorf("a client that reads nothing: %v", err)
	}
}
