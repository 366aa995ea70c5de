package store

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
)

// SQLiteFile returns the file that a URL of SQLite names. ok is false for
// another database, and for one in memory.
func SQLiteFile(from string) (file string, ok bool, err error) {
	if !strings.HasPrefix(from, "sqlite:") || strings.HasSuffix(from, ":memory:") {
		return "", false, nil
	}
	file, _, err = sqlitePath(from)
	return file, err == nil, err
}

// SQLiteURL is the URL of a file of SQLite.
func SQLiteURL(file string) string { return "sqlite://" + (&url.URL{Path: file}).EscapedPath() }

// CopyTo writes the database, in its state when the call begins, to a file that is
// empty or absent. Later commits are not in it, and writers do not wait for it.
// SQLite only.
func (db *DB) CopyTo(ctx context.Context, file string) error {
	text := db.Dialect.CopyTo()
	if text == "" {
		return errors.New("copy the database: only that of SQLite is a file")
	}
	conn, err := db.Session(ctx)
	if err != nil {
		return fmt.Errorf("copy the database: %w", err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, text, file); err != nil {
		return fmt.Errorf("copy the database: %w", err)
	}
	return nil
}

// CheckIntegrity reports what is damaged in the file, indexes included, as an
// error. It reads all of it. SQLite only.
func (db *DB) CheckIntegrity(ctx context.Context) error {
	conn, err := db.Session(ctx)
	if err != nil {
		return fmt.Errorf("check the database: %w", err)
	}
	defer conn.Close()
	rows, err := conn.QueryContext(ctx, "PRAGMA integrity_check(10)")
	if err != nil {
		return fmt.Errorf("check the database: %w", err)
	}
	defer rows.Close()
	var found []string
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return fmt.Errorf("check the database: %w", err)
		}
		if text != "ok" {
			found = append(found, text)
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("check the database: %w", err)
	}
	if len(found) > 0 {
		return fmt.Errorf("the database is damaged: %s", strings.Join(found, "; "))
	}
	return nil
}

// ErrInUse says that another process has the database open.
var ErrInUse = errors.New("another process has the database open")

// RemoveLog removes the files -wal, -shm and -journal of SQLite beside the file, those
// that exist. The caller holds the file: see [Hold].
func RemoveLog(file string) error {
	for _, beside := range []string{"-wal", "-shm", "-journal"} {
		if err := os.Remove(file + beside); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}
