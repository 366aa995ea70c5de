package source

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// GoFiles calls do with the path of each Go file of the project in the folder.
// Folders of other tools, of test data and of vendored code are not the project's.
func GoFiles(root string, do func(name string) error) error {
	return filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != root && foreign(d.Name()):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}
		return do(name)
	})
}

// foreign reports whether a folder has no code of the project.
func foreign(name string) bool {
	return strings.HasPrefix(name, ".") || slices.Contains([]string{"node_modules", "testdata", "vendor"}, name)
}
