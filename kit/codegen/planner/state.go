package planner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
	atschema "ariga.io/atlas/sql/schema"
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
	if err := s.database.settle(ctx, s); err != nil {
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
	if err := s.database.settle(ctx, s); err != nil {
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
	tables, err := tablesFor(s.database, tables)
	if err != nil {
		return err
	}
	m, err := schema.NewMigrate(entsql.OpenDB(s.dialect, s.DB))
	if err != nil {
		return err
	}
	return m.Create(ctx, tables...)
}

// tablesFor are copies of the tables, with texts that the database compares by their
// bytes. Ent's migration writes into the tables that it is given, such as keys of
// columns, and [Schema.Digest] of the originals would be another one after it.
func tablesFor(d database, tables []*schema.Table) ([]*schema.Table, error) {
	all, err := schema.CopyTables(tables)
	if err != nil {
		return nil, err
	}
	for i, t := range tables { // what CopyTables leaves out
		all[i].Schema, all[i].Comment, all[i].View, all[i].Pos = t.Schema, t.Comment, t.View, t.Pos
	}
	d.collate(all)
	return all, nil
}

// inspect reads the state.
func (s *scratch) inspect(ctx context.Context) (_ *state, err error) {
	var options atschema.InspectOptions
	if options.Exclude, err = s.database.hidden(ctx, s); err != nil {
		return nil, err
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
		return strings.HasPrefix(i.Name, objectIndex) || strings.HasPrefix(i.Name, unitsIndex+t.Name+"_") || strings.HasPrefix(i.Name, byHand)
	})
}
