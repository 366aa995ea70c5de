package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/entwine-go/entwine/kit/codegen"
	"github.com/entwine-go/entwine/kit/codegen/change"
	"github.com/entwine-go/entwine/kit/codegen/contract"
	"github.com/entwine-go/entwine/kit/codegen/planner"
)

func migrateDiffCommand() command {
	var allow planner.Allow
	var codes []string
	against, uses, versions := "HEAD", "", ""
	return command{
		name:    "migrate diff",
		args:    "NAME",
		summary: "Write the changes of schema/ as migrations.",
		about: `
Both databases get a file in migrate/. It replays all files in scratch databases: SQLite's are in
memory, PostgreSQL's on a server that it starts, or on the one that ENTWINE_DEV_DATABASE_URL names.
PostgreSQL's first migration takes no server. Where there is none later, SQLite's
half is written and migrate/schema.sum says that the other one is missing: migrate lint and verify refuse that.
ENTWINE_DEV_DATABASE_URL=none passes over a server that there is.
On PostgreSQL, what takes long on tables with rows is a second file, NAME_live: programs read and write
meanwhile.

A field or an entity that was renamed says so with expose.Was, so that its values stay. What would
lose values is refused, and so is what fails on a table with rows, with what to do instead. --drop
and --accept say that it is meant; the migration's header records it.

Before that it says what the change does to those who depend on the service, as weave check does. What
breaks is refused until it is accepted by its code, which ` + change.AcceptedFile + ` records.`,
		flags: func(fs *flag.FlagSet) {
			fs.Func("drop", "a table, or a column as `table.column`, that goes with its values; may be repeated.", appendTo(&allow.Drop))
			fs.Func("accept", "the `code` of a finding or a change that is meant; may be repeated.", func(code string) error {
				if ofChange(code) {
					codes = append(codes, code)
				} else {
					allow.Accept = append(allow.Accept, code)
				}
				return nil
			})
			fs.StringVar(&uses, "usage", "", usageHelp)
			fs.StringVar(&versions, "versions", offered, versionsHelp)
			fs.StringVar(&against, "against", against, "the `commit` whose contract the change is held against.")
		},
		run: func(ctx context.Context, p *process, args []string) error {
			if err := wants(args, "NAME"); err != nil {
				return err
			}
			declared, err := codegen.Declared(ctx, p.root)
			if err != nil {
				return err
			}
			j, err := foretell(ctx, p, asked{against: against, uses: uses, versions: versions, codes: codes, drops: allow.Drop}, declared.Contract)
			if err != nil {
				return err
			}
			if err := j.refused(); err != nil {
				return withMake(p, err, args[0], given(allow, codes), j.flags())
			}
			written, err := planner.Diff(ctx, migrations(p.root), args[0], declared.Database, allow)
			if err == nil {
				err = j.accept(p)
			}
			if refusal := new(planner.LossError); errors.As(err, &refusal) {
				err = withMake(p, err, args[0], given(allow, codes), refusal.Meant)
			}
			for _, file := range written {
				fmt.Fprintln(p.stdout, "wrote", file)
			}
			if errors.Is(err, planner.ErrName) {
				return usagef("%w", err)
			}
			if err == nil && len(written) == 0 {
				fmt.Fprintln(p.stdout, "the migrations say everything that the schema does")
			}
			return errors.Join(err, warnOfHalf(p))
		},
	}
}

// warnOfHalf says that PostgreSQL's migrations are behind.
func warnOfHalf(p *process) error {
	half, err := planner.Half(migrations(p.root))
	if half {
		fmt.Fprintln(p.stderr, `
weave: POSTGRESQL HAS NO MIGRATION FOR THIS: its programs are not on this machine.
weave: SQLite goes on. Where they are, or where ENTWINE_DEV_DATABASE_URL names a server, weave migrate diff NAME
weave: writes what is missing. Until then a program does not start on PostgreSQL, and migrate lint and verify fail.`)
	}
	return err
}

// foretell writes what the change does to clients of the service. A missing contract
// to compare with is reported, and is no error.
func foretell(ctx context.Context, p *process, a asked, after *contract.Contract) (*judgement, error) {
	before, err := released(ctx, p, a.against)
	if errors.Is(err, errNone) {
		fmt.Fprintln(p.stderr, "weave: what clients and running processes notice is not judged:", err)
		return &judgement{against: a.against}, nil
	}
	if err != nil {
		return nil, err
	}
	j, err := judge(ctx, p, a, before, after)
	if err != nil || len(j.found) == 0 {
		return j, err
	}
	return j, j.write(p, false)
}

// appendTo is a flag that may be repeated.
func appendTo(all *[]string) func(string) error {
	return func(value string) error {
		*all = append(*all, value)
		return nil
	}
}

func migrateVerifyCommand() command {
	return command{
		name:    "migrate verify",
		summary: "Fail where the migrations do not lead to schema/.",
		run: func(ctx context.Context, p *process, args []string) error {
			if err := wants(args); err != nil {
				return err
			}
			schema, err := codegen.Database(p.root)
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
-- atlas:nolint MF103
A drop is by one that names it: -- entwine:drop posts.audited_at`,
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
			found = slices.DeleteFunc(found, func(f planner.Finding) bool { return f.Note })
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
		run: func(ctx context.Context, p *process, args []string) error {
			if err := wants(args); err != nil {
				return err
			}
			if err := planner.Hash(migrations(p.root)); err != nil {
				return err
			}
			return seal(ctx, p)
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
conflicts of the merge included. It fails where they do not lead to the schema.`,
		run: func(ctx context.Context, p *process, args []string) error {
			if err := wants(args, "NAME"); err != nil {
				return err
			}
			moved, err := planner.Rebase(migrations(p.root), args[0])
			for _, file := range moved {
				fmt.Fprintln(p.stdout, "it is", file)
			}
			if err != nil {
				return err
			}
			return seal(ctx, p)
		},
	}
}

func migrateContractCommand() command {
	return command{
		name:    "migrate contract",
		args:    "NAME",
		summary: "Remove the triggers that earlier migrations have left for programs from before them.",
		about: `
While programs from before a migration still write, triggers of PostgreSQL give their rows what they don't
know of: values of fields that are required since, new values of enums, folded texts. This writes the
migration that drops them. It belongs into a later release, once those programs are gone.`,
		run: func(ctx context.Context, p *process, args []string) error {
			if err := wants(args, "NAME"); err != nil {
				return err
			}
			written, err := planner.Contract(ctx, migrations(p.root), args[0])
			switch {
			case errors.Is(err, planner.ErrName):
				return usagef("%w", err)
			case err != nil:
				return err
			case written == "":
				fmt.Fprintln(p.stdout, "no migration has left anything")
			default:
				fmt.Fprintln(p.stdout, "wrote", written)
			}
			return nil
		},
	}
}

// seal has schema.sum say which schema the migrations lead to.
func seal(ctx context.Context, p *process) error {
	schema, err := codegen.Database(p.root)
	if err != nil {
		return err
	}
	return planner.Seal(ctx, migrations(p.root), schema)
}

// migrations is the folder of a module's migrations.
func migrations(root string) string { return filepath.Join(root, "migrate") }
