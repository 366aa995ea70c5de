package planner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
	atschema "ariga.io/atlas/sql/schema"
	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/schema"
)

// state is a scratch database and what it says about itself.
type state struct {
	*scratch
	tables *atschema.Schema
	parts  map[string]part
	// first and last are the objects of a desired state with the keys of the
	// parts that each has made.
	first, last []made
	// syncs are triggers for programs from before a migration, functions the
	// texts of their functions by name.
	syncs     []part
	functions map[string]string
}

type made struct {
	Object
	keys []string
}

// replay is the state after all migrations of the folder.
func replay(ctx context.Context, dialectName string, dir atlas.Dir) (_ *state, err error) {
	s, err := newScratch(ctx, dialectName)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("replay the migrations of %s: %w", dialectName, err), s.close())
		}
	}()
	if err := s.replay(ctx, dir); err != nil {
		return nil, err
	}
	if err := s.settleChecks(ctx); err != nil {
		return nil, err
	}
	return s.inspect(ctx)
}

func (s *scratch) replay(ctx context.Context, dir atlas.Dir, options ...atlas.ExecutorOption) error {
	executor, err := atlas.NewExecutor(s.migrator, dir, atlas.NopRevisionReadWriter{}, options...)
	if err != nil {
		return err
	}
	if err := executor.ExecuteN(ctx, 0); err != nil && !errors.Is(err, atlas.ErrNoPendingFiles) {
		return err
	}
	return nil
}

// build is the state that the schema asks for.
func build(ctx context.Context, dialectName string, want Schema) (_ *state, err error) {
	s, err := newScratch(ctx, dialectName)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("build the schema on %s: %w", dialectName, err), s.close())
		}
	}()
	var first, last []Object
	for _, o := range want.Objects[dialectName] {
		if o.First {
			first = append(first, o)
		} else {
			last = append(last, o)
		}
	}
	madeFirst, err := s.make(ctx, first)
	if err != nil {
		return nil, err
	}
	if err := s.create(ctx, want.Tables); err != nil {
		return nil, err
	}
	if err := s.settleChecks(ctx); err != nil {
		return nil, err
	}
	madeLast, err := s.make(ctx, last)
	if err != nil {
		return nil, err
	}
	st, err := s.inspect(ctx)
	if err != nil {
		return nil, err
	}
	st.first, st.last = zip(first, madeFirst), zip(last, madeLast)
	return st, nil
}

func zip(objects []Object, keys [][]string) []made {
	all := make([]made, len(objects))
	for i := range objects {
		all[i] = made{objects[i], keys[i]}
	}
	return all
}

// create makes Ent's tables.
func (s *scratch) create(ctx context.Context, tables []*schema.Table) error {
	if s.dialect == dialect.Postgres {
		defer collate(tables)()
	}
	m, err := schema.NewMigrate(entsql.OpenDB(s.dialect, s.DB))
	if err != nil {
		return err
	}
	return m.Create(ctx, tables...)
}

// settleChecks has PostgreSQL read the checks as it writes them: "a IN ('b')"
// becomes an array, and that read again a longer one. Migrations have the one or
// the other.
func (s *scratch) settleChecks(ctx context.Context) error {
	if s.dialect != dialect.Postgres {
		return nil
	}
	const checks = `SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid) FROM pg_constraint
WHERE contype = 'c' AND connamespace = current_schema()::regnamespace`
	for range 2 { // then it is at rest
		rows, err := s.strings(ctx, checks)
		if err != nil {
			return err
		}
		var again strings.Builder
		for _, r := range rows {
			fmt.Fprintf(&again, "ALTER TABLE %s DROP CONSTRAINT %s, ADD CONSTRAINT %[2]s %s;\n", r[0], r[1], r[2])
		}
		if _, err := s.ExecContext(ctx, again.String()); err != nil {
			return fmt.Errorf("read checks again: %w", err)
		}
	}
	return nil
}

// inspect reads the state.
func (s *scratch) inspect(ctx context.Context) (*state, error) {
	var options atschema.InspectOptions
	if s.dialect == dialect.SQLite {
		rows, err := s.strings(ctx, "SELECT name FROM pragma_table_list WHERE type IN ('virtual', 'shadow')")
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			options.Exclude = append(options.Exclude, r[0])
		}
	}
	if s.dialect == dialect.Postgres {
		options.Exclude = []string{objectIndex + "*"}
	}
	tables, err := s.driver.InspectSchema(ctx, "", &options)
	if err != nil {
		return nil, fmt.Errorf("read tables: %w", err)
	}
	for _, t := range tables.Tables {
		leaveObjects(t)
	}
	slices.SortFunc(tables.Tables, func(a, b *atschema.Table) int { return compare(a.Name, b.Name) })
	parts, err := s.parts(ctx)
	if err != nil {
		return nil, err
	}
	st := &state{scratch: s, tables: tables, parts: parts}
	return st, st.readSyncs(ctx)
}

// leaveObjects takes the columns and indexes out of the table that are parts
// of objects: the database shows them with those that Ent has made.
func leaveObjects(t *atschema.Table) {
	t.Columns = slices.DeleteFunc(t.Columns, func(c *atschema.Column) bool {
		return slices.ContainsFunc(c.Attrs, func(a atschema.Attr) bool {
			_, generated := a.(*atschema.GeneratedExpr)
			return generated
		})
	})
	t.Indexes = slices.DeleteFunc(t.Indexes, func(i *atschema.Index) bool {
		return strings.HasPrefix(i.Name, objectIndex) || strings.HasPrefix(i.Name, unitsIndex)
	})
}
