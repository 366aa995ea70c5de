package planner

import (
	"errors"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
)

// After gives the migrations of one branch versions after those of another, in
// the order that they have, and returns the paths of the files that were moved:
// none where they are later already. Both are named by their paths below root.
// atlas.sum is written anew in any case: a merge finds two of them.
func After(root string, moved, others []string) (paths []string, err error) {
	last := ""
	for _, name := range others {
		last = max(last, versionOf(name))
	}
	byVersion := map[string][]string{}
	for _, name := range moved {
		byVersion[versionOf(name)] = append(byVersion[versionOf(name)], name)
	}
	versions := slices.Sorted(maps.Keys(byVersion))
	if len(versions) == 0 || versions[0] > last {
		return nil, Hash(root)
	}
	for _, v := range versions {
		next, err := nextVersion(root)
		if err != nil {
			return nil, err
		}
		for _, name := range byVersion[v] {
			to := filepath.Join(root, path.Dir(name), next+strings.TrimPrefix(path.Base(name), v))
			if err := os.Rename(filepath.Join(root, name), to); err != nil {
				return nil, errors.Join(err, Hash(root))
			}
			paths = append(paths, to)
		}
	}
	return paths, Hash(root)
}

// versionOf is that of the file with the name.
func versionOf(name string) string { return atlas.NewLocalFile(path.Base(name), nil).Version() }
