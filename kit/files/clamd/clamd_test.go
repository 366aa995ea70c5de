package clamd_test

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/files/clamd"
	"github.com/entwine-go/entwine/kit/files/clamd/clamdtest"
)

func TestADaemonJudgesContents(t *testing.T) {
	for network, address := range map[string]string{"tcp": "127.0.0.1:0", "unix": filepath.Join(t.TempDir(), "clamd.sock")} {
		s := clamdtest.Start(t, network, address)
		s.Limit = 300_000
		for content, want := range map[string]string{
			"":                             "",
			"harmless":                     "",
			strings.Repeat("long", 70_000): "",
			strings.Repeat("x", 65_530) + clamdtest.EICAR: clamdtest.Signature, // across two chunks
		} {
			if threat, err := s.Scan(t.Context(), iotest.HalfReader(strings.NewReader(content))); threat != want || err != nil {
				t.Errorf("%s: %d bytes have %q (%v), want %q", network, len(content), threat, err, want)
			}
		}
		if _, err := s.Scan(t.Context(), strings.NewReader(strings.Repeat("x", 5<<20))); err == nil {
			t.Errorf("%s: a content beyond StreamMaxLength has a verdict", network)
		}
		broken := errors.New("disk failed")
		if _, err := s.Scan(t.Context(), io.MultiReader(strings.NewReader("x"), iotest.ErrReader(broken))); !errors.Is(err, broken) {
			t.Errorf("%s: a content that can't be read: %v", network, err)
		}
		s.Away.Store(true)
		if threat, err := s.Scan(t.Context(), strings.NewReader("x")); err == nil {
			t.Errorf("%s: a daemon that closes the connection says %q", network, threat)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := s.Scan(ctx, strings.NewReader("x")); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: after the request was cancelled: %v", network, err)
		}
	}
}

func TestAddressesOfDaemons(t *testing.T) {
	for address, want := range map[string]clamd.Daemon{
		"clamd://scanner:3310":           {Network: "tcp", Address: "scanner:3310"},
		"clamd://[::1]:3310/":            {Network: "tcp", Address: "[::1]:3310"},
		"clamd:///run/clamav/clamd.sock": {Network: "unix", Address: "/run/clamav/clamd.sock"},
	} {
		s, err := files.OpenScanner(address)
		if d, _ := s.(*clamd.Daemon); err != nil || d == nil || *d != want {
			t.Errorf("%s: %+v (%v), want %+v", address, s, err, want)
		}
	}
	for _, address := range []string{"clamd://scanner", "clamd://", "clamd:///", "clamd://scanner:3310/path", "icap://scanner:1344", "::"} {
		if s, err := files.OpenScanner(address); err == nil {
			t.Errorf("%s: %+v", address, s)
		}
	}
}
