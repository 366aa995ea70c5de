package develop

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	atlas "ariga.io/atlas/sql/migrate"

	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/migration"
)

// build makes the program and returns its file. What Ent has generated is most
// of what a changed field has compiled again: without inlining that takes
// three fifths of the time. A program without tables for debuggers is linked
// in two thirds of it.
func (l *Loop) build(ctx context.Context) (program string, err error) {
	tree, err := source.Open(l.Root)
	if err != nil {
		return "", err
	}
	args := []string{"build", "-v", "-ldflags=-s -w", "-gcflags=" + tree.Module + "/ent/...=-l"}
	overlay, err := l.overlay()
	if err != nil {
		return "", err
	}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	program = filepath.Join(l.folder(), l.name())
	if l.running != nil && l.running.program == program {
		program += "-next" // the other one may have to be started again
	}
	cmd := exec.CommandContext(ctx, "go", append(args, "-o", program, l.Program)...)
	cmd.Dir, cmd.Env = l.Root, l.Environ
	said := &compiling{program: l.Program}
	cmd.Stdout, cmd.Stderr = said, said
	ticker := time.NewTicker(5 * time.Second)
	defer ticker.Stop()
	if err := said.during(l.Stdout, ticker.C, cmd.Run); err != nil {
		return "", fmt.Errorf("it does not compile:\n%s", strings.TrimSpace(said.rest.String()))
	}
	return program, nil
}

// complete has go.mod and go.sum name all that the module and its tests import,
// where the go command may write them: what is generated imports what nothing
// did before.
func (l *Loop) complete(ctx context.Context) error {
	if !slices.ContainsFunc(l.Environ, func(pair string) bool {
		return strings.HasPrefix(pair, "GOFLAGS=") && strings.Contains(pair, "-mod=mod")
	}) {
		return nil
	}
	cmd := exec.CommandContext(ctx, "go", "list", "-e", "-deps", "-test", "./...")
	cmd.Dir, cmd.Env = l.Root, l.Environ
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("complete go.mod: %w", err)
	}
	return nil
}

// modules is what go.mod and go.sum say.
type modules struct{ mod, sum []byte }

func (l *Loop) modules() (m modules, err error) {
	if m.mod, err = os.ReadFile(filepath.Join(l.Root, "go.mod")); err != nil {
		return m, err
	}
	m.sum, err = os.ReadFile(filepath.Join(l.Root, "go.sum"))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return m, err
}

// settle takes out of go.sum what was only added since for questions about
// packages, which no build needs: the tree of a branch that is changed by no one
// would stand in the way of git switch. What the build needs, the build adds.
func (l *Loop) settle(ctx context.Context, before modules) error {
	now, err := l.modules()
	switch {
	case err != nil || bytes.Equal(now.sum, before.sum):
		return err
	case !bytes.Equal(now.mod, before.mod) || before.sum == nil:
		return l.complete(ctx)
	}
	return os.WriteFile(filepath.Join(l.Root, "go.sum"), before.sum, 0o644)
}

// placeholders are the migrations of a module that has none yet: its program
// embeds them all the same, and the developer has no file too many.
var placeholders = []string{"sqlite/" + atlas.HashFileName, "postgres/" + atlas.HashFileName, migration.DigestFile}

// migrations are those of the module.
func (l *Loop) migrations() (fs.FS, error) {
	folder := filepath.Join(l.Root, "migrate")
	_, err := os.Stat(filepath.Join(folder, migration.DigestFile))
	if err == nil {
		return os.DirFS(folder), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	sum, err := atlas.HashFile{}.MarshalText()
	if err != nil {
		return nil, err
	}
	folder = filepath.Join(l.folder(), "migrate")
	for _, name := range placeholders {
		content := sum
		if name == migration.DigestFile {
			content = []byte("of no schema\n")
		}
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return nil, err
		}
		if err := os.WriteFile(file, content, 0o600); err != nil {
			return nil, err
		}
	}
	return os.DirFS(folder), nil
}

// overlay is the file that has the compiler find the placeholders, empty where
// it needs none.
func (l *Loop) overlay() (string, error) {
	if _, err := os.Stat(filepath.Join(l.Root, "migrate", migration.DigestFile)); err == nil {
		return "", nil
	}
	if _, err := l.migrations(); err != nil {
		return "", err
	}
	replaced := map[string]string{}
	for _, name := range placeholders {
		replaced[filepath.Join(l.Root, "migrate", name)] = filepath.Join(l.folder(), "migrate", name)
	}
	encoded, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return "", err
	}
	file := filepath.Join(l.folder(), "overlay.json")
	return file, os.WriteFile(file, encoded, 0o600)
}

// same reports whether the file is the program that runs.
func (c *child) same(program string) bool {
	now, err := os.ReadFile(program)
	if err != nil {
		return false
	}
	was, err := os.ReadFile(c.program)
	return err == nil && bytes.Equal(now, was)
}
