// Package migrate holds the migrations and brings a database up to date.
//
// Each database has a folder of files, named by version, that are applied in
// order and never changed once released; atlas.sum beside them says what
// they were. package migration writes them. What a database has had is in
// its table entwine_revisions. A file takes effect as a whole or not at all,
// and of many processes that start at once one applies it.
package migrate

import (
	"embed"
	"fmt"
	"io/fs"
	"path"

	atlas "ariga.io/atlas/sql/migrate"
	"entgo.io/ent/dialect"
)

//go:embed postgres sqlite
var files embed.FS

// Folder is where the files of a database are: dialect is Ent's name of it.
func Folder(dialectName string) string {
	if dialectName == dialect.SQLite {
		return "sqlite"
	}
	return dialectName
}

// Embedded returns the migrations that this program was built with.
func Embedded(dialectName string) (atlas.Dir, error) {
	return Dir(files, Folder(dialectName))
}

// Dir reads a folder of migrations.
func Dir(from fs.FS, folder string) (atlas.Dir, error) {
	entries, err := fs.ReadDir(from, folder)
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	dir := new(atlas.MemDir)
	for _, e := range entries {
		content, err := fs.ReadFile(from, path.Join(folder, e.Name()))
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

// Key changes with the embedded migrations of the database.
func Key(dialectName string) (string, error) {
	dir, err := Embedded(dialectName)
	if err != nil {
		return "", err
	}
	sum, err := dir.Checksum()
	if err != nil {
		return "", err
	}
	return sum.Sum(), nil
}
