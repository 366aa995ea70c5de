package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// leftover is where Ent keeps the program that reads schemas, below the module's
// root. It removes it itself, unless it is killed.
const leftover = ".entc"

// Hold keeps others from reading schemas and generating in the module of the folder until release
// is called, or the process ends. Where another process has it, busy is called once and it waits
// until that is done, or for ctx. Files of a process that was killed meanwhile are removed.
func Hold(ctx context.Context, root string, busy func()) (release func() error, err error) {
	held := root
	if base, _, err := moduleOf(root); err == nil { // whose stage is shared by all services in it
		held = base
	}
	f, err := os.Open(held)
	if err != nil {
		return nil, err
	}
	// The lock is the folder's, which needs no file that git would tell of.
	for told := false; ; told = true {
		free, err := lock(f)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("lock %s: %w", held, err), f.Close())
		}
		if free {
			break
		}
		if !told {
			busy()
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(context.Cause(ctx), f.Close())
		case <-time.After(100 * time.Millisecond):
		}
	}
	if err := os.RemoveAll(filepath.Join(root, leftover)); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f.Close, nil
}
