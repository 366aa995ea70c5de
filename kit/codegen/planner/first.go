package planner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
	"entgo.io/ent/dialect/sql/schema"

	"github.com/entwine-go/entwine/kit/pgserver"
)

// A project begins on a machine that may have Go and nothing else. So the first
// migration of PostgreSQL is planned from the schema alone: there is nothing to
// compare it with. Later ones compare what the files add up to, which takes a
// server that replays them. Without one, SQLite gets its half, and the digest
// file says that PostgreSQL's is missing until a Diff with a server has written
// it; [Lint] and [Verify] refuse that, and so does a program on PostgreSQL.

// oldest is the version of PostgreSQL whose SQL is written.
const oldest = "14"

// begin plans the first migration of a database on a server, and tries it if there is one.
func begin(ctx context.Context, dialectName string, dir *atlas.LocalDir, version, name string, s Schema) (_ *planned, err error) {
	changes, err := declared(ctx, dialectName, s)
	if err != nil || len(changes) == 0 {
		return nil, err
	}
	files, err := (&plan{changes: changes}).files(version, name, Allow{})
	if err != nil {
		return nil, err
	}
	p := &planned{dir: dir, files: files}
	desired, err := build(ctx, dialectName, s)
	if errors.Is(err, pgserver.ErrMissing) {
		return p, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, desired.close()) }()
	if err := desired.try(ctx, dir, files, s); err != nil {
		return nil, fmt.Errorf("%w\nin the migration that would have been:\n%s", err, together(files).Bytes())
	}
	return p, nil
}

// declared are the statements that make the schema on an empty PostgreSQL: those
// by which [build] does.
func declared(ctx context.Context, dialectName string, s Schema) ([]*atlas.Change, error) {
	var before, after []*atlas.Change
	for _, o := range s.Objects[dialectName] {
		changes := remake([]made{{Object: o}}, map[string]bool{o.Name: true})
		if o.First {
			before = append(before, changes...)
		} else {
			after = append(after, changes...)
		}
	}
	copies, err := tablesFor(databaseOf(dialectName), s.Tables)
	if err != nil {
		return nil, err
	}
	text, err := schema.DDL(ctx, schema.DDLArgs{
		Dialect: dialectName, Version: oldest, HashSymbols: true, Tables: copies,
		Options: []atlas.PlanOption{func(o *atlas.PlanOptions) { o.SchemaQualifier = new(string) }},
	})
	if err != nil {
		return nil, fmt.Errorf("plan tables: %w", err)
	}
	statements, err := atlas.NewLocalFile("tables.sql", []byte(text)).StmtDecls()
	if err != nil {
		return nil, err
	}
	var tables []*atlas.Change
	for _, d := range statements {
		tables = append(tables, &atlas.Change{
			Cmd:     strings.TrimSuffix(strings.TrimSpace(d.Text), ";"),
			Comment: strings.TrimSpace(strings.TrimPrefix(strings.Join(d.Comments, ""), "--")),
		})
	}
	return slices.Concat(before, tables, after), nil
}
