package source

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// stageFolder is where a [Stage] is, beside the module's go.mod.
const stageFolder = ".weave-stage"

// Stage is a second tree of the same module, in which everything generated is
// made and judged before it takes the place of what there is. Its folders of
// generated files are copies; all else leads to the module's own. It is below
// the module's folder: files move into their place by renaming.
type Stage struct {
	*Tree
	of *Tree
	// base is its folder, from the folder of the module's go.mod.
	base string
	// generated are the folders of generated files, by their paths.
	generated []string
}

// Stage makes one for the folders of generated files. Files of an earlier process
// that was killed are removed.
func (t *Tree) Stage(generated ...string) (s *Stage, err error) {
	base := filepath.Join(t.base(), stageFolder)
	s = &Stage{Tree: &Tree{Root: filepath.Join(base, t.below), Module: t.Module, below: t.below}, of: t, base: base, generated: generated}
	if err := s.Close(); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("stage: %w", err), s.Close())
		}
	}()
	var apart []string // what does not lead to the module's own
	for _, folder := range generated {
		apart = append(apart, filepath.Join(t.below, folder))
	}
	if err := s.lead("", apart); err != nil {
		return nil, err
	}
	// git ignores files that a killed process leaves.
	if err := os.WriteFile(filepath.Join(base, ".gitignore"), []byte("*\n"), 0o600); err != nil {
		return nil, err
	}
	for _, folder := range generated {
		if err := os.MkdirAll(s.Path(folder), 0o755); err != nil {
			return nil, err
		}
		if err := os.CopyFS(s.Path(folder), os.DirFS(t.Path(folder))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return s, s.module()
}

// lead makes the entries of a folder of the module lead to its own, but for those
// that are apart, or hold what is.
func (s *Stage) lead(folder string, apart []string) error {
	if err := os.MkdirAll(filepath.Join(s.base, folder), 0o755); err != nil {
		return err
	}
	own := s.of.base()
	entries, err := os.ReadDir(filepath.Join(own, folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		switch {
		case strings.HasPrefix(entry.Name(), ".") || path == "go.mod" || slices.Contains(apart, path):
		case entry.IsDir() && slices.ContainsFunc(apart, func(a string) bool { return strings.HasPrefix(a, path+string(filepath.Separator)) }):
			if err := s.lead(path, apart); err != nil {
				return err
			}
		default:
			if err := os.Symlink(filepath.Join(own, path), filepath.Join(s.base, path)); err != nil {
				return err
			}
		}
	}
	return nil
}

// module writes go.mod, whose relative paths are seen from one folder further down.
func (s *Stage) module() error {
	text, err := os.ReadFile(s.of.GoMod())
	if err != nil {
		return err
	}
	file, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return err
	}
	for _, r := range slices.Clone(file.Replace) {
		if modfile.IsDirectoryPath(r.New.Path) && !filepath.IsAbs(r.New.Path) {
			if err := file.AddReplace(r.Old.Path, r.Old.Version, filepath.Join(s.of.base(), r.New.Path), ""); err != nil {
				return err
			}
		}
	}
	text, err = file.Format()
	if err != nil {
		return err
	}
	return os.WriteFile(s.GoMod(), text, 0o600)
}

// Commit replaces the tree's files by those of the stage: equal files are left
// alone, and files that are no longer made are removed.
func (s *Stage) Commit() error {
	for _, folder := range s.generated {
		if err := s.replace(folder); err != nil {
			return fmt.Errorf("replace %s: %w", folder, err)
		}
	}
	return s.Close()
}

func (s *Stage) replace(folder string) error {
	made, err := below(s.Root, folder)
	if err != nil {
		return err
	}
	for _, name := range made {
		same, err := sameContent(s.Path(name), s.of.Path(name))
		if err == nil && !same {
			if err = os.MkdirAll(filepath.Dir(s.of.Path(name)), 0o755); err == nil {
				err = os.Rename(s.Path(name), s.of.Path(name))
			}
		}
		if err != nil {
			return err
		}
	}
	old, err := below(s.of.Root, folder)
	if err != nil {
		return err
	}
	for _, name := range old {
		if slices.Contains(made, name) {
			continue
		}
		if err := os.Remove(s.of.Path(name)); err != nil {
			return err
		}
		for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) {
			if os.Remove(s.of.Path(dir)) != nil { // it holds more
				break
			}
		}
	}
	return nil
}

// below lists the files in the folder and in those in it, by their paths below the root.
func below(root, folder string) (names []string, err error) {
	err = filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, path)
		names = append(names, name)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return names, err
}

func sameContent(a, b string) (bool, error) {
	made, err := os.ReadFile(a)
	if err != nil {
		return false, err
	}
	old, err := os.ReadFile(b)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return bytes.Equal(made, old), err
}

// Close throws the stage away.
func (s *Stage) Close() error { return os.RemoveAll(s.base) }
