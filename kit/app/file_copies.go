package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/store"
)

// besides is the folder of the copies of files, beside a backup: all backups of a folder
// share it, because files never change.
func besides(file string) string { return filepath.Join(filepath.Dir(file), "files") }

// hasFiles reports whether a database has files of fields.
func (p *Process) hasFiles(ctx context.Context, db *store.DB) (bool, error) {
	if len(files.Targets(p.service.Entities)) == 0 {
		return false, nil
	}
	names, err := tableNames(ctx, db)
	if err != nil || !slices.Contains(names, "blobs") { // it is of a version before there were any
		return false, err
	}
	var there bool
	conn, err := db.Session(ctx)
	if err != nil {
		return false, err
	}
	defer conn.Close()
	err = conn.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM blobs)`).Scan(&there)
	return there, err
}

// copies are the copies of the files of a database, in a folder. Nil: there are none to make.
type copies struct {
	p           *Process
	keeper      *files.Keeper
	store, copy files.Store
	done        files.Copied
}

// copiesIn returns the copies of a database's files in a folder. Files in a bucket are
// copied where a folder was named.
func (p *Process) copiesIn(ctx context.Context, db *store.DB, dir string, named bool) (*copies, error) {
	some, err := p.hasFiles(ctx, db)
	if err != nil || !some {
		return nil, err
	}
	if p.Config.FilesURL != "" && !named {
		fmt.Fprintln(p.Stdout, "Files are in an object store, and not copied: name a folder for them by --files.")
		return nil, nil
	}
	k, err := p.keeper(ctx, db)
	if err != nil {
		return nil, err
	}
	if same(dir, k.Store.String()) {
		fmt.Fprintf(p.Stdout, "Files are in %s, where the service has them, and not copied: name another folder by --files.\n", dir)
		return nil, nil
	}
	return &copies{p: p, keeper: k, store: k.Store, copy: &files.Folder{Path: dir}}, nil
}

// make copies what is not there yet.
func (c *copies) make(ctx context.Context) error {
	if c == nil {
		return nil
	}
	return c.run(ctx, c.store, c.copy)
}

// putBack copies what the service lacks.
func (c *copies) putBack(ctx context.Context) error {
	if c == nil {
		return nil
	}
	return c.run(ctx, c.copy, c.store)
}

func (c *copies) run(ctx context.Context, from, to files.Store) error {
	now, err := c.keeper.Copy(ctx, from, to)
	now.Files, now.Bytes = now.Files+c.done.Files, now.Bytes+c.done.Bytes
	c.done = now
	return err
}

// report says what was done, and fails where something is missing or damaged.
func (c *copies) report(to string) error {
	if c == nil {
		return nil
	}
	fmt.Fprintf(c.p.Stdout, "copied %d files, %d bytes, to %s\n", c.done.Files, c.done.Bytes, to)
	for _, name := range c.done.Missing {
		fmt.Fprintln(c.p.Stdout, "missing:", name)
	}
	for _, name := range c.done.Damaged {
		fmt.Fprintln(c.p.Stdout, "damaged:", name)
	}
	if !c.done.Sound() {
		return fmt.Errorf("%d files could not be copied: %d are missing, %d damaged", len(c.done.Missing)+len(c.done.Damaged), len(c.done.Missing), len(c.done.Damaged))
	}
	return nil
}

// same reports whether two paths are of one folder.
func same(a, b string) bool {
	one, err := os.Stat(a)
	other, failed := os.Stat(b)
	return err == nil && failed == nil && os.SameFile(one, other)
}

// thin removes copies of files that none of the backups needs that are kept, of which the
// oldest was begun at the time.
func (p *Process) thin(ctx context.Context, dir string, oldest time.Time) error {
	if _, err := os.Stat(dir); err != nil {
		return ignoring(err, os.ErrNotExist)
	}
	return p.withExisting(ctx, func(db *store.DB) error {
		k := &files.Keeper{Log: p.Log, DB: db}
		_, err := k.Thin(ctx, &files.Folder{Path: dir}, oldest)
		return err
	})
}

// withExisting calls do with the database of SQLite, and makes none.
func (p *Process) withExisting(ctx context.Context, do func(*store.DB) error) error {
	db, err := p.openExisting(ctx)
	if err != nil {
		return err
	}
	return errors.Join(do(db), db.Close())
}

// tryFiles makes sure that the copies of all files that a database has are there and whole.
func (p *Process) tryFiles(ctx context.Context, db *store.DB, dir string) error {
	some, err := p.hasFiles(ctx, db)
	if err != nil || !some {
		return err
	}
	if _, err := os.Stat(dir); err != nil {
		fmt.Fprintf(p.Stdout, "The files of fields are not in %s, and were not checked.\n", dir)
		return ignoring(err, os.ErrNotExist)
	}
	k := &files.Keeper{Log: p.Log, DB: db, Store: &files.Folder{Path: dir}}
	r, err := k.Check(ctx, true)
	if err != nil {
		return err
	}
	if len(r.Missing)+len(r.Damaged) > 0 {
		return fmt.Errorf("of the copies of files in %s %d are missing and %d damaged: %v", dir, len(r.Missing), len(r.Damaged), slices.Concat(r.Missing, r.Damaged))
	}
	fmt.Fprintf(p.Stdout, "%d files, %d bytes, are whole in %s.\n", r.Files, r.Bytes, dir)
	return nil
}
