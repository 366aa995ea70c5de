// Package migration brings a database up to date with files of SQL.
//
// It is one package because applying, resuming, reverting and reporting a migration
// share the table of revisions and the locks under which it changes.
//
// Each database has a folder of files, named by version, that are applied in order
// and never changed once released; atlas.sum beside them says what they were. The
// generator's package planner writes them. The table entwine_revisions of a
// database lists its migrations. A file takes effect as a whole or not at all, and
// of many processes that start at once one applies it.
package migration

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	atlas "ariga.io/atlas/sql/migrate"
)

// Folder is where the files of a database are: dialect is Ent's name of it.
func Folder(dialectName string) string {
	return named(dialectName).folder()
}

// Dir reads the migrations of a database from files, which has a folder for
// each database.
func Dir(files fs.FS, dialectName string) (atlas.Dir, error) {
	folder := Folder(dialectName)
	entries, err := fs.ReadDir(files, folder)
	if errors.Is(err, fs.ErrNotExist) && !digested(files) { // none have been written yet
		return new(atlas.MemDir), nil
	}
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	dir := new(atlas.MemDir)
	for _, e := range entries {
		content, err := fs.ReadFile(files, path.Join(folder, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("read migrations: %w", err)
		}
		if err := dir.WriteFile(e.Name(), content); err != nil {
			return nil, err
		}
	}
	if err := atlas.Validate(dir); err != nil {
		return nil, fmt.Errorf("migrations in %s don't match their atlas.sum: %w", folder, err)
	}
	return dir, nil
}

// Key changes with the migrations of either database.
func Key(files fs.FS) (string, error) {
	var key string
	for _, d := range databases {
		dir, err := Dir(files, d.Name())
		if err != nil {
			return "", err
		}
		sum, err := dir.Checksum()
		if err != nil {
			return "", err
		}
		key += sum.Sum()
	}
	return key, nil
}
