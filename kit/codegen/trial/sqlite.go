package trial

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lib/pq"

	"github.com/entwine-go/entwine/kit/store"
)

// sqliteFile is a copy of a file, of which others are made: the one that was named is
// read once, and not opened as a database.
type sqliteFile struct {
	dir, file string
}

func (s sqliteFile) base() string         { return store.SQLiteURL(s.file) }
func (sqliteFile) dialect() store.Dialect { return store.DialectOf("sqlite3") }
func (s sqliteFile) Close() error         { return os.RemoveAll(s.dir) }

// fileOf copies a file with its log. One that was written meanwhile is refused.
func fileOf(ctx context.Context, from string) (_ Source, err error) {
	dir, err := os.MkdirTemp("", "entwine-trial-")
	if err != nil {
		return nil, err
	}
	s := sqliteFile{dir: dir, file: filepath.Join(dir, "base.db")}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if err := copyDatabase(from, s.file); err != nil {
		return nil, err
	}
	db, err := store.Open(ctx, store.Config{URL: s.base()})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var says string
	if err := scan(ctx, db, "PRAGMA quick_check(1)", &says); err != nil || says != "ok" {
		return nil, fmt.Errorf("%s is not whole (%s): a service that runs writes it. Take a file that its command backup has made, restored elsewhere", from, says)
	}
	return s, nil
}

func (s sqliteFile) fork(context.Context) (*copied, error) {
	dir, err := os.MkdirTemp(s.dir, "")
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "copy.db")
	if err := copyDatabase(s.file, file); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return &copied{url: store.SQLiteURL(file), remove: func() error { return os.RemoveAll(dir) }}, nil
}

func copyDatabase(from, to string) error {
	for _, part := range []string{"", "-wal"} {
		if err := copyFile(from+part, to+part); err != nil && (part == "" || !errors.Is(err, fs.ErrNotExist)) {
			return err
		}
	}
	return nil
}

func copyFile(from, to string) (err error) {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Close())
}

// sqliteDatabase is the [database] in a file.
type sqliteDatabase struct{}

// locks are none: one transaction writes at a time.
func (sqliteDatabase) locks() string { return "" }

func (sqliteDatabase) columns() string {
	return `SELECT l.name, p.name, p.pk, CASE WHEN lower(p.type) = 'integer' THEN 'number' ELSE 'bytes' END
FROM pragma_table_list l JOIN pragma_table_xinfo(l.name) p
WHERE l.type = 'table' AND l.schema = 'main' AND l.name NOT LIKE 'sqlite_%' AND p.hidden <> 1 ORDER BY l.name, p.cid`
}

func (sqliteDatabase) order(c column) string { return "t." + pq.QuoteIdentifier(c.name) }
