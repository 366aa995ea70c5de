package app

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/internal/backup"
	"github.com/entwine-go/entwine/kit/store"
)

func backupCommand() Command {
	var every time.Duration
	var keep int
	var dir string
	var follow bool
	return Command{
		Name:    "backup",
		Args:    "FILE|FOLDER",
		Summary: "Write the database and the keys to a file, while the service runs.",
		About: `The file holds the SQLite database as it is when the command begins, with all that was
answered before, and the keys in the data directory. Only its owner can read it; a file
that is there is not overwritten. Nobody who uses the service waits. It takes room for
twice the database while it is made. Settings are not in it: keys that are settings have
to be kept elsewhere.

Files of fields are copied into the folder files beside FILE, or the one that --files names:
those that are not there yet, because they never change. All backups of a folder share them.

With --every it does not end: FILE is a folder, which gets a file each time and has the
last --keep of them. Where one fails, the log says so and the next one is made in time.

With --follow it does not end either: the folder gets a copy and then, each second, what
was committed. $0 restore FOLDER goes back to the last second, or to any moment with --at.
A new copy begins at each --every, a day if it is not set, or once the changes are twice
as large; --keep says how many copies stay, with their changes.

On PostgreSQL it holds the keys in the data directory, and the command says how to copy
the database with pg_dump.`,
		Flags: func(fs *flag.FlagSet) {
			fs.DurationVar(&every, "every", 0, "Make one at each such `time`, as in 5m.")
			fs.BoolVar(&follow, "follow", false, "Keep what is committed each second, in a folder.")
			fs.IntVar(&keep, "keep", 24, "`How many` files --every keeps, or copies --follow.")
			fs.StringVar(&dir, "files", "", "The `folder` for copies of the files of fields. Default: files, beside FILE.")
		},
		Run: func(ctx context.Context, p *Process, args []string) error {
			if err := Wants(args, "FILE|FOLDER"); err != nil {
				return err
			}
			if every < 0 || every > 0 && every < time.Second || keep < 1 {
				return Usagef("--every takes a second or more, and --keep 1 or more")
			}
			if follow {
				return p.follow(ctx, args[0], dir, cmp.Or(every, 24*time.Hour), keep)
			}
			if every > 0 {
				return p.backUpEach(ctx, args[0], dir, every, keep)
			}
			return p.backUp(ctx, args[0], dir)
		},
	}
}

// backUp writes a backup, and copies files into the folder, empty for the one beside it.
func (p *Process) backUp(ctx context.Context, file, dir string) (err error) {
	s := backup.Source{Keys: p.keyFilesThere(), Program: p.service.Name + " " + p.service.version(), Now: time.Now}
	var db *store.DB
	if !p.onPostgres() {
		if db, err = p.openExisting(ctx); err != nil {
			return err
		}
		defer db.Close()
		s.Copy = func(ctx context.Context, to string) (int, error) { return 0, db.CopyTo(ctx, to) }
		if _, err := os.Stat(file); err == nil {
			return fmt.Errorf("%s is there already: name another file", file)
		}
	} else if len(s.Keys) == 0 {
		return fmt.Errorf("there is nothing to put into a file: the database is on PostgreSQL, and there are no keys in %s.\n"+
			"Copy the database with\n  %s\nand keep ENTWINE_TOKEN_KEYS and ENTWINE_SECRET_KEYS with the copy", p.Config.DataDir, pgDump(p.Config.Database.Server()))
	}
	var c *copies
	if db != nil {
		// Before, because a file that goes meanwhile would be gone, and after, for those
		// that have come meanwhile.
		if c, err = p.copiesIn(ctx, db, cmp.Or(dir, besides(file)), dir != ""); err == nil {
			err = c.make(ctx)
		}
		if err != nil {
			return fmt.Errorf("back up files: %w", err)
		}
	}
	m, err := backup.Write(ctx, file, s)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already: name another file", file)
	}
	if err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	if !p.onPostgres() {
		if err := backup.Note(p.Config.DataDir, backup.Made, m.Made); err != nil {
			p.Log.WarnContext(ctx, "monitoring will not know of this backup", "err", err)
		}
	}
	fmt.Fprintf(p.Stdout, "wrote %s:\n", file)
	p.list(m)
	p.remindOfKeys()
	if p.onPostgres() {
		fmt.Fprintf(p.Stdout, "The database is not in it. Copy it with\n  %s\n", pgDump(p.Config.Database.Server()))
		if len(files.Targets(p.service.Entities)) > 0 {
			fmt.Fprintf(p.Stdout, "Copy the files of fields with\n  %s files copy FOLDER\nonce before it and once after.\n", p.service.Name)
		}
	}
	if c != nil {
		if err := c.make(ctx); err != nil {
			return fmt.Errorf("back up files: %w", err)
		}
		return c.report(c.copy.String())
	}
	return nil
}

// openExisting opens the database of SQLite, and makes none.
func (p *Process) openExisting(ctx context.Context) (*store.DB, error) {
	if _, err := p.existingFile(); err != nil {
		return nil, err
	}
	return p.openDB(ctx)
}

// existingFile is the file of SQLite.
func (p *Process) existingFile() (string, error) {
	file, ok, err := store.SQLiteFile(p.Config.Database.URL)
	if err != nil {
		return "", err
	}
	if !ok {
		return "", errors.New("the database is in the memory of the process that serves it: there is no file to copy")
	}
	if _, err := os.Stat(file); err != nil {
		return "", fmt.Errorf("there is no database: %w: is ENTWINE_DATA_DIR or ENTWINE_DATABASE_URL that of the service?", err)
	}
	return file, nil
}

// keyFiles are the files of the keys that are not settings.
func (p *Process) keyFiles() (all []backup.Key) {
	if len(p.Config.Account.TokenKeys) == 0 {
		all = append(all, backup.Key{Name: config.TokenKeyFile, Path: filepath.Join(p.Config.DataDir, config.TokenKeyFile)})
	}
	if len(p.Config.Account.SecretKeys) == 0 {
		all = append(all, backup.Key{Name: config.SecretKeyFile, Path: filepath.Join(p.Config.DataDir, config.SecretKeyFile)})
	}
	return all
}

// keyFilesThere are those that have been made.
func (p *Process) keyFilesThere() (there []backup.Key) {
	for _, key := range p.keyFiles() {
		if _, err := os.Stat(key.Path); err == nil {
			there = append(there, key)
		}
	}
	return there
}

// list prints what is in a backup.
func (p *Process) list(m backup.Manifest) {
	for _, member := range m.Files {
		fmt.Fprintf(p.Stdout, "  %-16s %12d bytes\n", member.Name, member.Size)
	}
}

func (p *Process) remindOfKeys() {
	if len(p.Config.Account.TokenKeys) > 0 {
		fmt.Fprintln(p.Stdout, "ENTWINE_TOKEN_KEYS is a setting and not in it: keep its value elsewhere.")
	}
	if len(p.Config.Account.SecretKeys) > 0 {
		fmt.Fprintln(p.Stdout, "ENTWINE_SECRET_KEYS is a setting and not in it: without its value second factors cannot be read.")
	}
}
