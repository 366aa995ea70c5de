// Package backup keeps what a service cannot do without in one file, and puts
// it back: the database of SQLite, and the keys that are files.
//
// It owns the format: a tar archive whose first member, manifest.json, names
// the others with their sizes and SHA-256 sums. So a truncated or changed
// archive is recognized, and tar unpacks an archive where there is no program. A run is an
// archive in a folder of its own with a log of what was committed since, which package wal
// reads. It leans on package store for the copy of a database that is in use, and on
// package migration to find out whether a program understands it; it leaves PostgreSQL to
// pg_dump.
package backup

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Format is the version of archives.
const Format = 1

const (
	manifestName = "manifest.json"
	databaseName = "database.sqlite"
	manifestMost = 1 << 20
)

// Manifest says what is in an archive.
type Manifest struct {
	Format int `json:"format"`
	// Program is the one that made it, for people.
	Program string    `json:"program"`
	Made    time.Time `json:"made"`
	// Database is "sqlite", or "postgres": then the archive has none.
	Database string `json:"database"`
	// Records is how many records of the log beside it are part of it, where it is the
	// base of a run: the database is not restored to a moment before the last of them.
	Records int      `json:"records,omitempty"`
	Files   []Member `json:"files"`
}

// Member is a file in an archive.
type Member struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// Key is a file of keys: its name in archives, and its path.
type Key struct{ Name, Path string }

// ErrIncomplete says that a file is no archive, or not all of one.
var ErrIncomplete = errors.New("it is no backup, or not all of one")

func parseManifest(text []byte) (Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("%w: %w", ErrIncomplete, err)
	}
	if m.Format != Format {
		return m, fmt.Errorf("its format is %d, and this program knows %d: use the version that made it (%s), or a later one", m.Format, Format, m.Program)
	}
	return m, nil
}

// Made and Tried are files in a data directory whose times are those of the last archive
// and of the last one that was restored aside. Failing has that of the first failure since
// the last archive, and is there while a command that goes on makes none.
const (
	Made    = "last-backup"
	Tried   = "last-drill"
	Failing = "backup-failing"
)

// Fail keeps in a data directory that backups fail, and since when.
func Fail(dir string, at time.Time) error {
	if since, err := Last(dir, Failing); err != nil || since.Unix() > 0 {
		return err
	}
	return Note(dir, Failing, at)
}

// Note keeps in a data directory when something was done, for [Last].
func Note(dir, what string, at time.Time) error {
	if what == Made {
		if err := os.Remove(filepath.Join(dir, Failing)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	name := filepath.Join(dir, what)
	if err := os.WriteFile(name, []byte(at.UTC().Format(time.RFC3339)+"\n"), 0o600); err != nil {
		return err
	}
	return os.Chtimes(name, at, at)
}

// Last returns when it was last done, 1970 for never.
func Last(dir, what string) (time.Time, error) {
	info, err := os.Stat(filepath.Join(dir, what))
	if errors.Is(err, fs.ErrNotExist) {
		return time.Unix(0, 0), nil
	}
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}
