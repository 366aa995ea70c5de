package app

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/store"
)

func fileCheckCommand() Command {
	var verify bool
	return Command{
		Name:    "files check",
		Summary: "Compare the rows of files with the stored bytes. It changes nothing.",
		About: `It lists stored bytes that are missing, those that no row has, and with --verify those that
are others than were stored. The exit code is 1 where there are any. What was stored
within the last hour is left out of those without a row.`,
		Flags: func(fs *flag.FlagSet) {
			fs.BoolVar(&verify, "verify", false, "read all that is stored, and compare its SHA-256 sums.")
		},
		Run: func(ctx context.Context, p *Process, args []string) error {
			return p.withFiles(ctx, args, func(ctx context.Context, k *files.Keeper) error {
				r, err := k.Check(ctx, verify)
				if err != nil {
					return err
				}
				fmt.Fprintf(p.Stdout, "%d files, %d bytes stored for them in %s\n", r.Files, r.Bytes, k.Store)
				for _, found := range []struct {
					what  string
					names []string
				}{{"missing", r.Missing}, {"damaged", r.Damaged}, {"without a row", r.Useless}} {
					for _, name := range found.names {
						fmt.Fprintf(p.Stdout, "%s: %s\n", found.what, name)
					}
				}
				if !r.Sound() {
					return fmt.Errorf("%d are missing, %d damaged, %d without a row: restore the first from a backup, and remove the last by %s files gc", len(r.Missing), len(r.Damaged), len(r.Useless), p.service.Name)
				}
				return nil
			})
		},
	}
}

func fileCollectCommand() Command {
	return Command{
		Name:    "files gc",
		Summary: "Remove files that no row has any more, and stored bytes without a row.",
		About: `Processes that serve do the first every minute. The second is what a restored database no
longer has. What was stored within the last hour is left alone.`,
		Run: func(ctx context.Context, p *Process, args []string) error {
			return p.withFiles(ctx, args, func(ctx context.Context, k *files.Keeper) error {
				n, err := k.Sweep(ctx)
				if err != nil {
					return err
				}
				names, err := k.Collect(ctx, time.Now().Add(-time.Hour))
				fmt.Fprintf(p.Stdout, "removed %d files, and %d that were stored without a row\n", n, len(names))
				if err != nil {
					return err
				}
				wrong, err := k.Recount(ctx)
				if wrong > 0 {
					fmt.Fprintf(p.Stdout, "mended %d counts of what quotas bound\n", wrong)
				}
				return err
			})
		},
	}
}

func fileMoveCommand() Command {
	return Command{
		Name:    "files move",
		Summary: "Move files from ENTWINE_FILES_FROM to where new ones are stored, while processes serve them.",
		About: `Each is removed from the one when it is whole in the other, with the SHA-256 sum that it had.
All processes of the service have both settings before it is called, and until it has moved
all. It can be stopped at any time, and called again for the rest.`,
		Run: func(ctx context.Context, p *Process, args []string) error {
			return p.withFiles(ctx, args, func(ctx context.Context, k *files.Keeper) error {
				if from := p.Config.FilesFrom; from != "" && !strings.Contains(from, "://") {
					if _, err := os.Stat(from); err != nil { // rather than that nothing is to be moved
						return fmt.Errorf("ENTWINE_FILES_FROM: %w", err)
					}
				}
				m, err := k.Move(ctx)
				if errors.Is(err, files.ErrNotMoving) {
					return err
				}
				fmt.Fprintf(p.Stdout, "moved %d files, %d bytes\n", m.Files, m.Bytes)
				if m.Left > 0 {
					fmt.Fprintf(p.Stdout, "%d stay that no row has, or not yet: call it again in an hour, after %s files gc\n", m.Left, p.service.Name)
				}
				for _, name := range m.Damaged {
					fmt.Fprintf(p.Stdout, "damaged: %s\n", name)
				}
				if err == nil && len(m.Damaged) > 0 {
					err = fmt.Errorf("%d are damaged and stay where they are: restore them from a backup", len(m.Damaged))
				}
				return err
			})
		},
	}
}

func fileCopyCommand() Command {
	var back bool
	return Command{
		Name:    "files copy",
		Args:    "FOLDER",
		Summary: "Copy files into a folder, those that are not there yet, or back from there.",
		About: `$0 backup does it where the database is on SQLite. On PostgreSQL it is called before and after
pg_dump, and with --back after pg_restore. Nothing is removed, and what is there is not
copied again.`,
		Flags: func(fs *flag.FlagSet) {
			fs.BoolVar(&back, "back", false, "Copy the files that the service lacks from the folder.")
		},
		Run: func(ctx context.Context, p *Process, args []string) error {
			if err := Wants(args, "FOLDER"); err != nil {
				return err
			}
			return p.WithDatabase(ctx, func(ctx context.Context, db *store.DB) error {
				c, err := p.copiesIn(ctx, db, args[0], true)
				if err != nil || c == nil {
					return err
				}
				run, to := c.make, c.copy
				if back {
					run, to = c.putBack, c.store
				}
				if err := run(ctx); err != nil {
					return err
				}
				return c.report(to.String())
			})
		},
	}
}

// withFiles calls do with the files of the service.
func (p *Process) withFiles(ctx context.Context, args []string, do func(context.Context, *files.Keeper) error) error {
	if err := Wants(args); err != nil {
		return err
	}
	return p.WithDatabase(ctx, func(ctx context.Context, db *store.DB) error {
		k, err := p.keeper(ctx, db)
		if err != nil {
			return err
		}
		return do(ctx, k)
	})
}
