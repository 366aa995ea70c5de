package app

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/write"
)

// keeper keeps the files of fields. It is nil where no field has any.
func (p *Process) keeper(db *store.DB) *files.Keeper {
	targets := files.Targets(p.service.Entities)
	if len(targets) == 0 {
		return nil
	}
	return &files.Keeper{Log: p.Log, DB: db, Store: &files.Folder{Path: p.Config.FilesDir}, Targets: targets}
}

// admitFiles adds what files take part in.
func (h *Host) admitFiles() error {
	k := h.keeper(h.DB)
	if k == nil {
		return nil
	}
	h.Files = k
	around := k.Around()
	for name, own := range h.parts.Around {
		around[name] = write.Both(own, around[name])
	}
	h.parts.Around = around
	if h.parts.Caller == nil {
		return nil
	}
	vault, err := h.vault()
	if err != nil {
		return err
	}
	k.Links = &files.Links{Key: vault.Derive(account.ForLinks), Caller: h.parts.Caller}
	return nil
}

// largestFile is how many bytes the largest file has that may be uploaded, 0 where none may.
func (h *Host) largestFile() (n int64) {
	if h.Files == nil {
		return 0
	}
	for _, t := range h.Files.Targets {
		n = max(n, t.Field.File.Size)
	}
	return n
}

// sweepTime is how often files are removed that no row has any more.
const sweepTime = time.Minute

// dispose removes files that no row has any more, until ctx ends.
func (h *Host) dispose(ctx context.Context) error {
	if h.Files != nil {
		h.Files.Run(ctx, sweepTime)
	}
	return nil
}

func fileCheckCommand() Command {
	var verify bool
	return Command{
		Name:    "files check",
		Summary: "Compare the rows of files with what is stored. It changes nothing.",
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
		Summary: "Remove files that no row has any more, and what is stored without a row.",
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
				return err
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
		k := p.keeper(db)
		if k == nil {
			return errors.New("no field has files")
		}
		return do(ctx, k)
	})
}
