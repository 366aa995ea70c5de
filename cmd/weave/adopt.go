package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"

	entschema "entgo.io/ent/dialect/sql/schema"

	"github.com/entwine-go/entwine/kit/codegen"
	"github.com/entwine-go/entwine/kit/codegen/adopt"
	"github.com/entwine-go/entwine/kit/codegen/planner"
)

func adoptCommand() command {
	var o adopt.Options
	asJSON := false
	return command{
		name:    "adopt",
		args:    "DATABASE",
		summary: "Begin schema/ from a database that exists.",
		about: `
DATABASE is postgres://… or the path of a SQLite file. It is read, and nothing in it is changed. Each table
becomes an entity in a file of schema/, with the reason for what does not follow by itself, and a policy that
admits admins alone until it is opened. A table of pairs becomes an edge of many to many. What no entity can
be made of is listed with what to do about it, and stays in the database as it is.

migrate/ gets a baseline: the migration that has made these tables. A database that has them is taken to
have had it, and weave leaves their columns alone from then on; the next migration makes the tables of
accounts, jobs and events beside them.

Run again, it writes nothing and says what differs between the database and the schema.`,
		flags: func(fs *flag.FlagSet) {
			fs.Func("add", "a `column` to add to a table, as TABLE.version, TABLE.created_at or TABLE.updated_at; may be repeated.", appendTo(&o.Add))
			fs.Func("read-only", "a `table` whose rows clients list and read, and never write; may be repeated.", appendTo(&o.ReadOnly))
			fs.BoolVar(&asJSON, "json", false, "print the decisions as JSON.")
		},
		run: func(ctx context.Context, p *process, args []string) (err error) {
			if err := wants(args, "DATABASE"); err != nil {
				return err
			}
			d, err := adopt.Open(ctx, args[0])
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, d.Close()) }()
			schema, err := codegen.Database(p.root)
			if err != nil {
				return err
			}
			had, err := planner.Adopted(migrations(p.root), d.Dialect)
			if err != nil {
				return err
			}
			if len(had) > 0 {
				return differ(p, d.Differ(schema.Tables, had))
			}
			o.Names = named(schema.Tables)
			if o.Taken, err = typesOf(filepath.Join(p.root, "schema")); err != nil {
				return err
			}
			plan, err := d.Decide(o)
			if err != nil {
				return err
			}
			if asJSON {
				err = plan.JSON(p.stdout)
			} else {
				err = plan.Write(p.stdout)
			}
			if err != nil {
				return err
			}
			return begin(ctx, p, plan, asJSON)
		},
	}
}

// named lists the names that tables and their indexes have in the database.
func named(tables []*entschema.Table) (names []string) {
	for _, t := range tables {
		names = append(names, t.Name)
		for _, i := range t.Indexes {
			names = append(names, i.Name)
		}
		for _, c := range t.Columns {
			if c.Unique { // Ent's name of the index
				names = append(names, t.Name+"_"+c.Name+"_key")
			}
		}
	}
	return names
}

// differ prints what differs, and fails where anything does.
func differ(p *process, says []string) error {
	for _, text := range says {
		fmt.Fprintln(p.stdout, text)
	}
	if len(says) > 0 {
		return fmt.Errorf("%d differences between the database and schema/", len(says))
	}
	fmt.Fprintln(p.stdout, "schema/ has the tables that were adopted as the database has them")
	return nil
}

// begin writes the files of the plan, none where one of them is there.
func begin(ctx context.Context, p *process, plan *adopt.Plan, quiet bool) error {
	files, err := plan.Files()
	if err != nil {
		return err
	}
	for name := range files {
		if _, err := os.Stat(filepath.Join(p.root, name)); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is there already, and is not overwritten: move it away", name)
		}
	}
	baseline, err := plan.Baseline(ctx)
	if err != nil {
		return err
	}
	written, err := planner.Baseline(ctx, migrations(p.root), plan.Dialect, baseline)
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(p.root, name), text, 0o644); err != nil {
			return err
		}
	}
	if !quiet {
		fmt.Fprintf(p.stdout, "\nwrote %d files of schema/ and %s\n\nNow:\n  make generate migration NAME=begin\n", len(files), written)
	}
	return nil
}

// typesOf are the names of the types that the package in the folder declares.
func typesOf(folder string) (names []string, err error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok {
				for _, s := range g.Specs {
					if t, ok := s.(*ast.TypeSpec); ok {
						names = append(names, t.Name.Name)
					}
				}
			}
		}
	}
	return names, nil
}
