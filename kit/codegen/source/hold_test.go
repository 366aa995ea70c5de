package source_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/entwine-go/entwine/kit/codegen/source"
)

// Two processes that generate at once would take each other's stage apart.
func TestOneGeneratesInAFolderAtATime(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	killed := filepath.Join(root, ".entc", "main.go")
	if err := errors.Join(os.Mkdir(filepath.Dir(killed), 0o700), os.WriteFile(killed, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	release, err := source.Hold(t.Context(), root, func() { t.Error("nothing else holds the folder") })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(killed); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what a killed process left is there: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	if _, err := source.Hold(ended, root, end); !errors.Is(err, context.Canceled) {
		t.Errorf("a second one while the first goes on: %v, want that it waits until its context ends", err)
	}
	waits, held := make(chan struct{}), make(chan error)
	go func() {
		again, err := source.Hold(t.Context(), root, func() { close(waits) })
		if err == nil {
			err = again()
		}
		held <- err
	}()
	<-waits
	if err := release(); err != nil {
		t.Fatal(err)
	}
	if err := <-held; err != nil {
		t.Errorf("once the first is done: %v", err)
	}
}
