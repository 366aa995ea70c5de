package app

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/entwine-go/entwine/kit/internal/backup"
	"github.com/entwine-go/entwine/kit/store"
)

func restoreCommand() Command {
	var replace, verify bool
	var dir, at string
	return Command{
		Name:    "restore",
		Args:    "FILE|FOLDER",
		Summary: "Restore an archive of $0 backup. The service must not run.",
		About: `Nothing is touched before the whole file was read and found to be sound, and of a version
that this program knows. Pending migrations are applied when the service starts. It
refuses while a process has the database open, and where there are data or keys
already, unless --replace says that they may go. With --verify it restores the file aside,
checks it and throws it away, as $0 drill does, beside a service that runs.

A folder of $0 backup --follow gives back its last second, or the moment that --at names: all
that was committed until then, but for what was committed in the last second before it.

Files of fields are copied back from the folder files beside FILE, or the one that --files
names, where the service lacks them. --verify reads all of them, too.

On PostgreSQL it puts back the keys, and says how to restore the database with pg_restore.`,
		Flags: func(fs *flag.FlagSet) {
			fs.BoolVar(&replace, "replace", false, "Replace the data and the keys that are there: they are lost.")
			fs.BoolVar(&verify, "verify", false, "Restore the file aside and check it; nothing is replaced.")
			fs.StringVar(&dir, "files", "", "The `folder` of the copies of files. Default: files, beside FILE.")
			fs.StringVar(&at, "at", "", "The `moment` to go back to, as in 2006-01-02T15:04:05Z, with a FOLDER.")
		},
		Run: func(ctx context.Context, p *Process, args []string) error {
			if err := Wants(args, "FILE|FOLDER"); err != nil {
				return err
			}
			from, until, err := p.restorable(args[0], at)
			if err != nil {
				return err
			}
			named := dir != ""
			if !named {
				dir = besides(from)
			}
			if verify {
				if err := p.drill(ctx, from, until, dir); err != nil {
					return fmt.Errorf("verify %s: %w", from, err)
				}
				return nil
			}
			if err := p.restore(ctx, from, until, replace); err != nil {
				return err
			}
			return p.restoreFiles(ctx, dir, named)
		},
	}
}

// restorable returns what there is to restore: the file, or the run of a folder from which
// the state of the moment can be had, empty for the last one.
func (p *Process) restorable(name, at string) (from string, until time.Time, err error) {
	if at != "" {
		if until, err = time.Parse(time.RFC3339, at); err != nil {
			return "", until, Usagef("--at is a moment as in 2006-01-02T15:04:05Z, not %q", at)
		}
	}
	info, err := os.Stat(name)
	if err != nil {
		return "", until, err
	}
	if info.IsDir() {
		from, err = backup.Pick(name, p.service.Name, until)
		return from, until, err
	}
	if at != "" {
		return "", until, Usagef("--at needs a folder that %s backup --follow has made: %s is a file", p.service.Name, name)
	}
	return name, until, nil
}

func (p *Process) restore(ctx context.Context, file string, until time.Time, replace bool) error {
	to := backup.Target{Keys: p.keyFiles(), Migrations: p.service.Migrations, Replace: replace, Until: until}
	if !p.onPostgres() {
		name, ok, err := store.SQLiteFile(p.Config.Database.URL)
		if err != nil {
			return err
		}
		if !ok {
			return errors.New("the database is in the memory of the process that serves it: set ENTWINE_DATABASE_URL to a file")
		}
		to.Database = name
	}
	m, err := backup.Restore(ctx, file, to)
	var there *fs.PathError
	switch {
	case errors.Is(err, store.ErrInUse):
		return fmt.Errorf("%w: stop the service first", err)
	case errors.Is(err, fs.ErrExist) && errors.As(err, &there):
		return fmt.Errorf("%s is there already: restore elsewhere (ENTWINE_DATA_DIR), or replace it with --replace, once %s backup has kept it", there.Path, p.service.Name)
	case err != nil:
		return fmt.Errorf("restore %s: %w", file, err)
	}
	fmt.Fprintf(p.Stdout, "restored what %s had on %s:\n", m.Program, m.Made.Format("2006-01-02 15:04:05 MST"))
	p.list(m)
	if p.onPostgres() {
		fmt.Fprintf(p.Stdout, "The database is not in it. Restore it with\n  %s\n", pgRestore(p.Config.Database.Server()))
	}
	return nil
}

// restoreFiles copies back the files that the restored database has, and the service lacks.
func (p *Process) restoreFiles(ctx context.Context, dir string, named bool) error {
	if p.onPostgres() {
		return nil
	}
	return p.withExisting(ctx, func(db *store.DB) error {
		c, err := p.copiesIn(ctx, db, dir, named)
		if err == nil {
			err = c.putBack(ctx)
		}
		if err == nil && c != nil {
			err = c.report(c.store.String())
		}
		if err != nil {
			return fmt.Errorf("the database is restored, and its files are not: %w: once that is mended, run %s files copy --back %s", err, p.service.Name, dir)
		}
		return nil
	})
}
