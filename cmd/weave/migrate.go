package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"path/filepath"

	"github.com/entwine-go/entwine/kit/codegen"
	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/codegen/triggers"
)

func migrateDiffCommand() command {
	return command{
		name:    "migrate diff",
		args:    "NAME",
		summary: "Write what has changed in schema/ as migrations.",
		about: `
Both databases get a file in migrate/. It replays all files in scratch databases: SQLite's are in
memory, PostgreSQL's on a server that it starts, or on the one that ENTWINE_DEV_DATABASE_URL names.`,
		run: func(ctx context.Context, p *process, args []string) error {
			if err := wants(args, "NAME"); err != nil {
				return err
			}
			schema, err := wanted(p.root)
			if err != nil {
				return err
			}
			written, err := planner.Diff(ctx, migrations(p.root), args[0], schema)
			for _, file := range written {
				fmt.Fprintln(p.stdout, "wrote", file)
			}
			if errors.Is(err, planner.ErrName) {
				return usagef("%w", err)
			}
			if err == nil && len(written) == 0 {
				fmt.Fprintln(p.stdout, "the migrations say everything that the schema does")
			}
			return err
		},
	}
}

func migrateVerifyCommand() command {
	return command{
		name:    "migrate verify",
		summary: "Fail where the migrations do not say what schema/ does.",
		run: func(ctx context.Context, p *process, args []string) error {
			if err := wants(args); err != nil {
				return err
			}
			schema, err := wanted(p.root)
			if err != nil {
				return err
			}
			return planner.Verify(ctx, migrations(p.root), schema)
		},
	}
}

func migrateLintCommand() command {
	since := ""
	return command{
		name:    "migrate lint",
		summary: "Fail where a migration may lose data or fail on a table with rows.",
		about: `
A finding that is meant is accepted by a line at the top of its file, with an empty line after it:
-- atlas:nolint DS103`,
		flags: func(fs *flag.FlagSet) {
			fs.StringVar(&since, "since", since, "pass over files up to this `version`.")
		},
		run: func(ctx context.Context, p *process, args []string) error {
			if err := wants(args); err != nil {
				return err
			}
			found, err := planner.Lint(ctx, migrations(p.root), since)
			for _, f := range found {
				fmt.Fprintln(p.stdout, f)
			}
			if err == nil && len(found) > 0 {
				return fmt.Errorf("%d findings in the migrations", len(found))
			}
			return err
		},
	}
}

func migrateHashCommand() command {
	return command{
		name:    "migrate hash",
		summary: "Write atlas.sum anew, after an edit of a migration that no database has had.",
		about: `
A database that has had a migration does not notice an edit of it: write another one instead.`,
		run: func(_ context.Context, p *process, args []string) error {
			if err := wants(args); err != nil {
				return err
			}
			return planner.Hash(migrations(p.root))
		},
	}
}

func migrateRebaseCommand() command {
	return command{
		name:    "migrate rebase",
		args:    "NAME",
		summary: "Make a migration the last one, after a merge with a branch that has others.",
		about: `
Databases apply migrations in the order of their versions. Where two branches have each written one,
the one that is merged last takes a new version, in both folders, and atlas.sum is written anew,
conflicts of the merge included. weave migrate verify says whether they still lead to the schema.`,
		run: func(_ context.Context, p *process, args []string) error {
			if err := wants(args, "NAME"); err != nil {
				return err
			}
			moved, err := planner.Rebase(migrations(p.root), args[0])
			for _, file := range moved {
				fmt.Fprintln(p.stdout, "it is", file)
			}
			return err
		},
	}
}

// migrations is the folder of a module's migrations.
func migrations(root string) string { return filepath.Join(root, "migrate") }

// wanted is what the databases should look like: Ent's tables, and what the
// schemas have the databases keep beside them.
func wanted(root string) (planner.Schema, error) {
	m, err := codegen.Model(root)
	if err != nil {
		return planner.Schema{}, err
	}
	tables, err := m.Graph.Tables()
	if err != nil {
		return planner.Schema{}, err
	}
	objects, err := triggers.Objects(m)
	if err != nil {
		return planner.Schema{}, err
	}
	s := planner.Schema{Tables: tables, Objects: map[string][]planner.Object{}}
	for name, list := range objects {
		for _, o := range list {
			s.Objects[name] = append(s.Objects[name], planner.Object(o))
		}
	}
	return s, nil
}
