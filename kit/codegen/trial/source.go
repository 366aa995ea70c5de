package trial

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/entwine-go/entwine/kit/store"
)

// Source is a database that copies are made of. It is only read.
type Source interface {
	// Close removes what was made to read it.
	Close() error

	// base is the URL of the database that the copies are like.
	base() string
	dialect() store.Dialect
	fork(ctx context.Context) (*copied, error)
}

// copied is a copy that may be written.
type copied struct {
	url    string
	remove func() error
}

func (c *copied) open(ctx context.Context) (*store.DB, error) {
	return store.Open(ctx, store.Config{URL: c.url, StatementTimeout: -1})
}

// Open opens a source: a file of SQLite, a dump of PostgreSQL (pg_dump, in any of its
// formats), or the URL of a database of PostgreSQL that nothing is connected to. A
// dump is restored on a server of this machine, or on the one of ENTWINE_DEV_DATABASE_URL.
func Open(ctx context.Context, from string, say func(string)) (Source, error) {
	if strings.HasPrefix(from, "postgres://") || strings.HasPrefix(from, "postgresql://") {
		return template{url: from}, nil
	}
	if file, ok, err := store.SQLiteFile(from); ok || err != nil {
		from = file
	}
	info, err := os.Stat(from)
	if err != nil {
		return nil, err
	}
	if info.IsDir() { // pg_dump --format=directory
		if _, err := os.Stat(filepath.Join(from, "toc.dat")); err != nil {
			return nil, fmt.Errorf("%s is a folder, and none of pg_dump: name a file of SQLite, a dump, or postgres://…", from)
		}
		return restored(ctx, from, "pg_restore", say)
	}
	head, err := beginning(from)
	switch {
	case err != nil:
		return nil, err
	case bytes.HasPrefix(head, []byte("SQLite format 3\x00")):
		return fileOf(ctx, from)
	case bytes.HasPrefix(head, []byte("PGDMP")), bytes.HasPrefix(head, []byte("toc.dat")):
		return restored(ctx, from, "pg_restore", say)
	case bytes.Contains(head, []byte("PostgreSQL database dump")):
		return restored(ctx, from, "psql", say)
	}
	return nil, fmt.Errorf("%s is neither a file of SQLite nor a dump of pg_dump. Of what backup has written, restore puts the database into a file", from)
}

// beginning is the first kilobyte of a file.
func beginning(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	head := make([]byte, 1024)
	n, err := io.ReadFull(file, head)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		err = nil
	}
	return head[:n], err
}
