package programtest_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/kittest/programtest"
)

// A program that hangs is killed with the child that holds its output, and what it
// printed is kept.
func TestWhatHangsIsKilledWithItsChildren(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	cmd := programtest.Command(ctx, "sh", "-c", "sleep 1000 & echo hangs; wait")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = w
	if err := errors.Join(cmd.Start(), w.Close(), r.SetReadDeadline(time.Now().Add(time.Minute))); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(r)
	if line, err := out.ReadString('\n'); line != "hangs\n" {
		t.Fatalf("it printed %q, %v", line, err)
	}
	cancel(errors.New("it took more than a minute"))
	err = programtest.Why(ctx, cmd.Wait())
	if err == nil || !strings.Contains(err.Error(), "signal: killed: it took more than a minute, and ") || !strings.Contains(err.Error(), " has room for ") {
		t.Errorf("the program ended with %v", err)
	}
	if _, err := out.ReadByte(); !errors.Is(err, io.EOF) {
		t.Errorf("the child still has the program's output: %v", err)
	}
}

// A program is built once for each state of its source.
func TestAProgramIsBuiltOnce(t *testing.T) {
	t.Parallel()
	const pkg = "github.com/entwine-go/entwine/kit/kittest/testreport"
	first, err := programtest.Build(t.Context(), pkg)
	if err != nil {
		t.Fatal(err)
	}
	second, err := programtest.Build(t.Context(), pkg)
	if err != nil || first != second || filepath.Base(first) != "testreport" {
		t.Errorf("built at first as %s, then as %s, %v", first, second, err)
	}
	if _, err := programtest.Build(t.Context(), pkg+"/none"); err == nil || !strings.Contains(err.Error(), "testreport/none") {
		t.Errorf("a package that is not there is built: %v", err)
	}
}
