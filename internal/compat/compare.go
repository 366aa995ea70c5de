package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/types"
	"maps"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/exp/apidiff"
	"golang.org/x/tools/go/packages"
)

// change is the change of one exported name.
type change struct {
	of, message string // of: the package, below the module
	compatible  bool
}

func (c change) String() string { return c.of + ": " + c.message }

// compare returns the changes of the public packages from one tree to another.
func compare(ctx context.Context, before, after string) (all []change, err error) {
	was, err := load(ctx, before)
	if err != nil {
		return nil, fmt.Errorf("read the release: %w", err)
	}
	is, err := load(ctx, after)
	if err != nil {
		return nil, fmt.Errorf("read the tree: %w", err)
	}
	promised, err := lines(filepath.Join(after, publicFile))
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(was, func(name string, _ *types.Package) bool { return !promised[name] })
	maps.DeleteFunc(is, func(name string, _ *types.Package) bool { return !promised[name] })
	for name, old := range was {
		if is[name] == nil {
			all = append(all, change{of: "kit/" + name, message: "package removed"})
			continue
		}
		for _, c := range apidiff.Changes(old, is[name]).Changes {
			all = append(all, change{"kit/" + name, c.Message, c.Compatible})
		}
	}
	for name := range is {
		if was[name] == nil {
			all = append(all, change{of: "kit/" + name, message: "package added", compatible: true})
		}
	}
	slices.SortFunc(all, func(a, b change) int { return strings.Compare(a.String(), b.String()) })
	return all, nil
}

// load returns the packages of the kit in a tree, by their paths below the module.
func load(ctx context.Context, dir string) (map[string]*types.Package, error) {
	found, err := packages.Load(&packages.Config{
		Context: ctx, Dir: dir,
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedModule | packages.NeedImports | packages.NeedDeps,
	}, "./kit/...")
	if err != nil {
		return nil, err
	}
	all := map[string]*types.Package{}
	var broken error
	for _, p := range found {
		for _, e := range p.Errors {
			broken = errors.Join(broken, e)
		}
		if p.Module == nil || p.Name == "main" {
			continue
		}
		all[strings.TrimPrefix(p.PkgPath, p.Module.Path+"/kit/")] = p.Types
	}
	return all, broken
}

// export writes the tree of a commit into a folder.
func export(ctx context.Context, root, commit, folder string) error {
	archive := exec.CommandContext(ctx, "git", "archive", "--format=tar", commit)
	archive.Dir = root
	unpack := exec.CommandContext(ctx, "tar", "-x", "-C", path.Clean(folder))
	var said, unpacked bytes.Buffer // both run at once
	archive.Stderr, unpack.Stderr = &said, &unpacked
	var err error
	if unpack.Stdin, err = archive.StdoutPipe(); err != nil {
		return err
	}
	if err := unpack.Start(); err != nil {
		return err
	}
	if err := errors.Join(archive.Run(), unpack.Wait()); err != nil {
		return fmt.Errorf("read the tree of %s: %w: %s%s", commit, err, &said, &unpacked)
	}
	return nil
}
