package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/entwine-go/entwine/kit/internal/backup"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
)

func drillCommand() Command {
	return Command{
		Name:    "drill",
		Args:    "FILE|FOLDER",
		Summary: "Restore the last backup aside, check it, and throw it away.",
		About: `A folder stands for the newest file in it, or for what $0 backup --follow has there. The service may run: nothing of it is touched,
and no setting has to be others than its own. The copy is found to be whole and sound, is
brought to the version of this program, and is read: each table is counted. It takes room for
the data once more: a SQLite database in the data directory, and one on PostgreSQL, of a file
that pg_dump --format=custom has made, in another database of the server, which the role has
to be allowed to make. Metrics have the time of the last drill that succeeded.`,
		Run: func(ctx context.Context, p *Process, args []string) error {
			if err := Wants(args, "FILE|FOLDER"); err != nil {
				return err
			}
			file, err := p.newest(args[0])
			if err != nil {
				return err
			}
			if err := p.drill(ctx, file, time.Time{}, besides(file)); err != nil {
				return fmt.Errorf("drill with %s: %w", file, err)
			}
			if err := backup.Note(p.Config.DataDir, backup.Tried, time.Now()); err != nil {
				p.Log.WarnContext(ctx, "monitoring will not know of this drill", "err", err)
			}
			return nil
		},
	}
}

// newest is the file, or the run or the file in the folder that was changed last.
func (p *Process) newest(name string) (string, error) {
	info, err := os.Stat(name)
	if err != nil || !info.IsDir() {
		return name, err
	}
	if run, err := backup.Pick(name, p.service.Name, time.Time{}); err == nil {
		return run, nil
	}
	all, err := os.ReadDir(name)
	if err != nil {
		return "", err
	}
	var last fs.FileInfo
	for _, one := range all {
		info, err := one.Info()
		if err == nil && info.Mode().IsRegular() && (last == nil || info.ModTime().After(last.ModTime())) {
			last = info
		}
	}
	if last == nil {
		return "", fmt.Errorf("there is no file in %s", name)
	}
	return filepath.Join(name, last.Name()), nil
}

// drill restores a backup aside and checks it, and the copies of files in the folder.
func (p *Process) drill(ctx context.Context, file string, until time.Time, copies string) error {
	if dumped, err := isDump(file); err != nil || dumped {
		if err != nil {
			return err
		}
		return p.drillDump(ctx, file, copies)
	}
	if err := os.MkdirAll(p.Config.DataDir, 0o700); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(p.Config.DataDir, ".drill-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	aside := backup.Target{Migrations: p.service.Migrations, Until: until}
	for _, key := range p.keyFiles() {
		aside.Keys = append(aside.Keys, backup.Key{Name: key.Name, Path: filepath.Join(dir, key.Name)})
	}
	if !p.onPostgres() {
		aside.Database = filepath.Join(dir, "aside.db")
	}
	m, err := backup.Restore(ctx, file, aside)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.Stdout, "%s is whole: what %s had on %s:\n", file, m.Program, m.Made.Format("2006-01-02 15:04:05 MST"))
	p.list(m)
	if aside.Database == "" {
		fmt.Fprintln(p.Stdout, "The database is not in it: try a file of pg_dump, too.")
		return nil
	}
	return p.try(ctx, store.SQLiteURL(aside.Database), copies)
}

// isDump reports whether a file is one that pg_dump has made in its custom format.
func isDump(file string) (bool, error) {
	if info, err := os.Stat(file); err != nil || info.IsDir() {
		return false, err
	}
	f, err := os.Open(file)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head := make([]byte, 5)
	_, err = io.ReadFull(f, head)
	return bytes.Equal(head, []byte("PGDMP")), ignoring(err, io.EOF, io.ErrUnexpectedEOF)
}

func ignoring(err error, these ...error) error {
	for _, one := range these {
		if errors.Is(err, one) {
			return nil
		}
	}
	return err
}

// try brings a copy to this program's version, and reads each table.
func (p *Process) try(ctx context.Context, url, dir string) (err error) {
	db, err := store.Open(ctx, store.Config{URL: url})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	r, err := migration.Status(ctx, db, p.service.Migrations)
	if err == nil {
		err = r.Check()
	}
	if err == nil {
		err = p.runner().Up(p.watched(ctx), db, p.service.Migrations)
	}
	if err != nil {
		return err
	}
	tables, rows, err := counted(ctx, db)
	if err == nil {
		fmt.Fprintf(p.Stdout, "%d rows of %d tables are there, with the migrations of this program: it can be restored.\n", rows, tables)
		err = p.tryFiles(ctx, db, dir)
	}
	return err
}

// counted counts the rows of all tables.
func counted(ctx context.Context, db *store.DB) (tables, rows int64, err error) {
	all, err := tableNames(ctx, db)
	if err != nil {
		return 0, 0, err
	}
	conn, err := db.Session(ctx)
	if err != nil {
		return 0, 0, err
	}
	defer conn.Close()
	for _, name := range all {
		var n int64
		if err := conn.QueryRowContext(ctx, `SELECT COUNT(*) FROM "`+name+`"`).Scan(&n); err != nil {
			return 0, 0, fmt.Errorf("read %s: %w", name, err)
		}
		rows += n
	}
	return int64(len(all)), rows, nil
}

// tableNames are the tables of a database.
func tableNames(ctx context.Context, db *store.DB) (all []string, err error) {
	conn, err := db.Session(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	names, err := conn.QueryContext(ctx, db.Dialect.Tables())
	if err != nil {
		return nil, err
	}
	defer names.Close()
	for names.Next() {
		var name string
		if err := names.Scan(&name); err != nil {
			return nil, err
		}
		all = append(all, name)
	}
	return all, names.Err()
}
