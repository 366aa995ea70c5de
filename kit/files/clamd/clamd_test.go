package clamd_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
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
		judges(t, s, clamdtest.Signature)
		keeper := files.Keeper{Scanner: s}
		if err := keeper.ScannerReady(t.Context()); err != nil {
			t.Errorf("%s: a daemon that answers is not ready: %v", network, err)
		}
		s.Away.Store(true)
		if err := keeper.ScannerReady(t.Context()); err == nil {
			t.Errorf("%s: a daemon that closes the connection is ready", network)
		}
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

// judges has a scanner judge contents. Its StreamMaxLength is 300,000 bytes or a few more.
func judges(t *testing.T, s files.Scanner, signature string) {
	t.Helper()
	for content, want := range map[string]string{
		"":                             "",
		"harmless":                     "",
		strings.Repeat("long", 70_000): "",
		strings.Repeat("x", 65_530) + clamdtest.EICAR: signature, // across two chunks
	} {
		if threat, err := s.Scan(t.Context(), iotest.HalfReader(strings.NewReader(content))); threat != want || err != nil {
			t.Errorf("%d bytes have %q (%v), want %q", len(content), threat, err, want)
		}
	}
	if _, err := s.Scan(t.Context(), strings.NewReader(strings.Repeat("x", 5<<20))); err == nil {
		t.Error("a content beyond StreamMaxLength has a verdict")
	}
	broken := errors.New("disk failed")
	if _, err := s.Scan(t.Context(), io.MultiReader(strings.NewReader("x"), iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Errorf("a content that can't be read: %v", err)
	}
}

// The daemon of ClamAV judges as the one of the tests does, with a database of one signature. It is
// left out where there is no clamd.
func TestARealDaemonJudgesContents(t *testing.T) {
	program, err := exec.LookPath("clamd")
	if err != nil {
		t.Skip("there is no clamd in PATH")
	}
	folder := t.TempDir()
	socket := filepath.Join(folder, "clamd.sock")
	settings := "DatabaseDirectory " + folder + "\nLocalSocket " + socket + "\nStreamMaxLength 300K\nForeground yes\n"
	signature := fmt.Sprintf("Test.EICAR:0:*:%x\n", clamdtest.EICAR)
	for name, text := range map[string]string{"clamd.conf": settings, "test.ndb": signature} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	daemon := exec.CommandContext(t.Context(), program, "-c", filepath.Join(folder, "clamd.conf"))
	says, err := daemon.StdoutPipe()
	if err == nil {
		err = daemon.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = daemon.Wait() }) // it was killed with the context
	for lines := bufio.NewScanner(says); ; {
		if !lines.Scan() {
			t.Fatalf("clamd has ended before it listened (%v)", lines.Err())
		}
		if strings.HasPrefix(lines.Text(), "Self checking") { // its last line before it listens
			break
		}
	}
	s, err := files.OpenScanner("clamd://" + socket)
	if err != nil {
		t.Fatal(err)
	}
	judges(t, s, "Test.EICAR.UNOFFICIAL")
	keeper := files.Keeper{Scanner: s}
	if err := keeper.ScannerReady(t.Context()); err != nil {
		t.Errorf("a daemon that judges is not ready: %v", err)
	}
}

// plain is a scanner without a method Ready.
type plain struct{ err error }

func (p plain) Scan(context.Context, io.Reader) (string, error) { return "", p.err }

func TestAScannerIsReadyWhenItGivesVerdicts(t *testing.T) {
	away := errors.New("away")
	for _, want := range []error{nil, away} {
		keeper := files.Keeper{Scanner: plain{want}}
		if err := keeper.ScannerReady(t.Context()); !errors.Is(err, want) {
			t.Errorf("ready: %v, want %v", err, want)
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
