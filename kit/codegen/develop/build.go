package develop

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/source"
)

// build makes the program and returns its file. Most of the code that is compiled
// again after a change of a field is Ent's: without inlining that takes three
// fifths of the time. The package ent/links is compiled with the flags with which
// gqlgen has had it compiled already. A program without tables for debuggers is linked in two thirds of the time.
func (l *Loop) build(ctx context.Context) (program string, err error) {
	tree, err := source.Open(l.Root)
	if err != nil {
		return "", err
	}
	args := []string{"build", "-v", "-ldflags=-s -w", "-gcflags=" + tree.Module + "/ent/...=-l", "-gcflags=" + tree.Module + "/ent/links="}
	program = l.program()
	if l.running != nil {
		program += "-next" // the other one may have to be started again
	}
	cmd := exec.CommandContext(ctx, "go", append(args, "-o", program, l.Program)...)
	cmd.Dir, cmd.Env = l.Root, l.Environ
	said := &compiling{program: l.Program}
	cmd.Stdout, cmd.Stderr = said, said
	if err := said.during(l.Stdout, nil, cmd.Run); err != nil {
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

// modules is the content of go.mod and go.sum.
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
// would stand in the way of git switch. The build adds the modules that it needs.
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

// program is the file of the program that serves, and whose other commands know the
// database of now.
func (l *Loop) program() string { return filepath.Join(l.folder(), l.name()) }

// named has the program that has come to serve be found by its name.
func (l *Loop) named(c *child) error {
	before := c.program
	if c.program = l.program(); before == c.program {
		return nil
	}
	return os.Rename(before, c.program)
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
