package develop

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"

	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
)

// change has the statements that the database needs.
type change struct {
	files fs.FS
	// named are the migrations with names that are applied first.
	named []string
	step  *planner.Step
	// note is set where only what the database says of itself changes.
	note bool
	// renames are those that the schema declares.
	renames []planner.Rename
}

func (c change) none() bool {
	return c.step == nil || len(c.named) == 0 && len(c.step.Statements) == 0 && !c.note
}

// with calls do with the database.
func (l *Loop) with(ctx context.Context, do func(db *store.DB) error) error {
	db, err := store.Open(ctx, store.Config{URL: store.SQLiteURL(l.file), Conns: 2})
	if err != nil {
		return err
	}
	return errors.Join(do(db), db.Close())
}

// plan says what the database needs, and tries that: rows that do not allow it
// are found here, while the program from before serves.
func (l *Loop) plan(ctx context.Context, s planner.Schema) (c change, err error) {
	c.files, c.renames = os.DirFS(filepath.Join(l.Root, "migrate")), s.Renames
	err = l.with(ctx, func(db *store.DB) error { return l.planOn(ctx, db, s, &c) })
	return c, err
}

func (l *Loop) planOn(ctx context.Context, db *store.DB, s planner.Schema, c *change) error {
	dir, err := migration.Dir(c.files, db.Dialect.Name())
	if err != nil {
		return err
	}
	had, err := migration.StatusOf(ctx, db, dir)
	if err != nil {
		return err
	}
	developed, err := migration.Developed(ctx, db)
	if err != nil {
		return err
	}
	if len(had.Half) > 0 {
		return had.Check()
	}
	pending := new(atlas.MemDir)
	if developed == "" && len(had.Unknown) == 0 { // nothing but migrations has made it
		c.named = had.Pending
		if err := copyFiles(pending, dir, had.Pending); err != nil {
			return err
		}
	}
	if c.step, err = planner.Develop(ctx, db, pending, dir, s); err != nil {
		return err
	}
	says := c.step.Digest
	if migration.Developing(c.files, c.step.Digest) {
		says = ""
	}
	c.note = developed != says || len(had.Unknown) > 0 || len(had.Pending) > len(c.named)
	if c.none() || len(c.named) > 0 {
		return nil
	}
	if !migration.Developing(c.files, developed) { // and it has just been named otherwise
		for _, name := range had.Pending {
			fmt.Fprintf(l.Stdout, "%s is not run: the database is brought to the tables that it leads to, and what else it does to rows is left out\n", name)
		}
	}
	err = migration.Develop(ctx, db, migration.Step{Statements: c.step.Statements, Digest: c.step.Digest, Files: c.files, Try: true})
	if err != nil {
		return fmt.Errorf("the rows that are there do not allow it: %s", strings.Join(append(c.step.Findings, err.Error()), "\n\t"))
	}
	return nil
}

// copyFiles adds the files of the folder that have the names.
func copyFiles(to *atlas.MemDir, from atlas.Dir, names []string) error {
	files, err := from.Files()
	if err != nil {
		return err
	}
	return to.CopyFiles(slices.DeleteFunc(files, func(f atlas.File) bool { return !slices.Contains(names, f.Name()) }))
}

// apply changes the database, which no program has open. The returned function
// restores the state before.
func (l *Loop) apply(ctx context.Context, c change) (undo func() error, err error) {
	undo = func() error { return nil }
	k := l.keeper()
	err = l.with(ctx, func(db *store.DB) error {
		kept, err := k.keep(ctx, db, c.step)
		if err != nil {
			return fmt.Errorf("nothing was changed, for no copy could be kept: %w", err)
		}
		if kept != nil {
			undo = func() error { return k.putBack(kept) }
			if len(kept.Lost) > 0 {
				fmt.Fprintf(l.Stdout, "%s: the values are kept in %s\n", strings.Join(kept.Lost, ", "), kept.file)
			}
		}
		for _, ask := range c.step.Asks {
			fmt.Fprintln(l.Stdout, ask)
		}
		if len(c.named) > 0 {
			if err := migration.Up(ctx, db, c.files); err != nil {
				return err
			}
			fmt.Fprintln(l.Stdout, "applied", strings.Join(c.named, ", "))
		}
		if err := migration.Develop(ctx, db, migration.Step{Statements: c.step.Statements, Digest: c.step.Digest, Files: c.files}); err != nil {
			return err
		}
		return k.returned(ctx, db, c.renames, func(text string) { fmt.Fprintln(l.Stdout, text) })
	})
	if err == nil {
		k.trim(func(text string) { fmt.Fprintln(l.Stdout, text) })
	}
	return undo, err
}
