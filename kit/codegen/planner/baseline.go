package planner

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
	"ariga.io/atlas/sql/postgres"
	atschema "ariga.io/atlas/sql/schema"

	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/pgserver"
)

// A baseline is a migration that has made tables which were there before: other programs
// have made them, and may go on to. Objects that it has made are left alone: no schema
// changes or drops them, but a migration by hand may.

// Adopted are the tables that baselines below root have made on the database.
func Adopted(root, dialectName string) (tables []string, err error) {
	dir, err := unchecked(root, dialectName)
	if err != nil {
		return nil, err
	}
	files, err := dir.Files()
	for _, f := range files {
		for _, names := range migration.Baselined(f) {
			tables = append(tables, names[0])
		}
	}
	return tables, err
}

// Baseline writes a baseline and returns its path. It is tried first, where there is a
// server for that.
func Baseline(ctx context.Context, root, dialectName, text string) (written string, err error) {
	dir, err := folder(root, dialectName)
	if err != nil {
		return "", err
	}
	version, err := nextVersion(root)
	if err != nil {
		return "", err
	}
	f := atlas.NewLocalFile(version+"_baseline.sql", []byte(text))
	s, err := newScratch(ctx, dialectName)
	if err == nil {
		trial := new(atlas.MemDir)
		err = errors.Join(trial.CopyFiles([]atlas.File{f}), s.replay(ctx, trial), s.close())
	}
	if err != nil && !errors.Is(err, pgserver.ErrMissing) {
		return "", fmt.Errorf("make the tables anew elsewhere: %w", err)
	}
	if err := dir.WriteFile(f.Name(), f.Bytes()); err != nil {
		return "", err
	}
	return filepath.Join(dir.Path(), f.Name()), hash(dir)
}

// baselined is the state after the baselines of the folder alone, nil where it has none.
func baselined(ctx context.Context, dialectName string, dir atlas.Dir) (_ *state, err error) {
	files, err := dir.Files()
	if err != nil {
		return nil, err
	}
	files = slices.DeleteFunc(files, func(f atlas.File) bool { return len(migration.Baselined(f)) == 0 })
	if len(files) == 0 {
		return nil, nil
	}
	only := new(atlas.MemDir)
	if err := only.CopyFiles(files); err != nil {
		return nil, err
	}
	return replay(ctx, dialectName, only)
}

// leaveAdopted copies from the current state into the desired one what baselines have
// made: columns, keys, checks, indexes and whole tables.
func (s *state) leaveAdopted(ctx context.Context, current *state, dir atlas.Dir) (err error) {
	first, err := baselined(ctx, s.dialect, dir)
	if err != nil || first == nil {
		return err
	}
	defer func() { err = errors.Join(err, first.close()) }()
	for _, was := range first.tables.Tables {
		now, has := current.tables.Table(was.Name)
		if !has { // a migration by hand has dropped it
			continue
		}
		wanted, has := s.tables.Table(was.Name)
		if !has {
			wanted = &atschema.Table{Name: was.Name, Schema: s.tables}
			s.tables.Tables = append(s.tables.Tables, wanted)
		}
		(&untouched{was: was, now: now, wanted: wanted, desired: s.tables}).keep()
	}
	slices.SortFunc(s.tables.Tables, func(a, b *atschema.Table) int { return compare(a.Name, b.Name) })
	s.tables.Objects = append(s.tables.Objects, enums(first.tables, current.tables, s.tables)...)
	for key, p := range first.parts {
		if there, has := current.parts[key]; has && s.parts[key].name == "" {
			s.parts[key] = there
			s.last = append(s.last, made{Object{Name: p.kind + " " + p.name + " of a baseline", Create: there.create()}, []string{key}})
		}
	}
	return s.foldAdopted(ctx, first)
}

// foldAdopted has the database fold the texts that other programs write into tables of
// baselines: searches find their rows, too. A text that comes folded is left alone.
func (s *state) foldAdopted(ctx context.Context, first *state) error {
	var objects []Object
	for _, was := range first.tables.Tables {
		wanted, _ := s.tables.Table(was.Name)
		if wanted == nil {
			continue
		}
		for _, c := range wanted.Columns {
			text, folded := strings.CutSuffix(c.Name, derived)
			if folded && !has(was, c.Name) && has(wanted, text) && !s.folds(was.Name, text) {
				for _, o := range s.database.folds(wanted, text, c.Name) {
					if !slices.ContainsFunc(objects, func(other Object) bool { return other.Name == o.Name }) {
						objects = append(objects, o)
					}
				}
			}
		}
	}
	if len(objects) == 0 {
		return nil
	}
	keys, err := s.make(ctx, objects)
	if err != nil {
		return err
	}
	parts, err := s.scratch.parts(ctx)
	if err != nil {
		return err
	}
	for _, key := range slices.Concat(keys...) {
		s.parts[key] = parts[key]
	}
	s.last = append(s.last, zip(objects, keys)...)
	return nil
}

// folds reports whether a trigger folds the text for all programs.
func (s *state) folds(table, text string) bool {
	return s.parts[part{kind: "trigger", name: foldName(table, text), table: table}.key()].name != ""
}

// foldName is the name of the trigger, and of its function. It fires before those that
// compute columns of folded texts.
func foldName(table, text string) string { return bounded("fold_" + table + "_" + text) }

// enums are the types of the baseline that are there still and that the desired state
// lacks.
func enums(first, current, desired *atschema.Schema) (kept []atschema.Object) {
	has := func(s *atschema.Schema, name string) bool {
		return slices.ContainsFunc(s.Objects, func(o atschema.Object) bool { e, ok := o.(*atschema.EnumType); return ok && e.T == name })
	}
	for _, o := range current.Objects {
		if e, ok := o.(*atschema.EnumType); ok && has(first, e.T) && !has(desired, e.T) {
			kept = append(kept, e)
		}
	}
	return kept
}

// untouched is a table that a baseline has made: in the baseline, now, and as desired.
type untouched struct {
	was, now, wanted *atschema.Table
	desired          *atschema.Schema
}

func (k *untouched) keep() {
	columns := slices.DeleteFunc(slices.Clone(k.now.Columns), func(c *atschema.Column) bool { return !has(k.was, c.Name) })
	for _, c := range k.wanted.Columns {
		if !has(k.was, c.Name) {
			columns = append(columns, c)
		}
	}
	before := k.wanted.Columns
	k.wanted.Columns = columns
	k.wanted.PrimaryKey = k.now.PrimaryKey
	k.indexes()
	k.keys()
	k.attributes(before)
}

func has(t *atschema.Table, column string) bool { _, ok := t.Column(column); return ok }

// indexes keeps those of the baseline, and of the schema's those that find more.
func (k *untouched) indexes() {
	var all []*atschema.Index
	for _, i := range k.now.Indexes {
		if _, was := k.was.Index(i.Name); was {
			all = append(all, i)
		}
	}
	for _, i := range k.wanted.Indexes {
		if _, was := k.was.Index(i.Name); !was && !k.serves(all, i) {
			all = append(all, i)
		}
	}
	k.wanted.Indexes = all
}

// serves reports whether one of the indexes, or the key, does what the other would.
func (k *untouched) serves(all []*atschema.Index, want *atschema.Index) bool {
	if k.now.PrimaryKey != nil {
		all = append(slices.Clip(all), k.now.PrimaryKey)
	}
	parts := partsOf(want)
	return slices.ContainsFunc(all, func(i *atschema.Index) bool {
		if _, named := k.was.Index(i.Name); !named && i != k.now.PrimaryKey {
			return false
		}
		its := partsOf(i)
		if want.Unique {
			return (i.Unique || i == k.now.PrimaryKey) && its == parts
		}
		return parts != "" && strings.HasPrefix(its, parts)
	})
}

// partsOf is the text of the columns of an index of columns alone, over all rows.
func partsOf(i *atschema.Index) (text string) {
	for _, p := range i.Parts {
		if p.C == nil || p.Desc {
			return ""
		}
		text += p.C.Name + "\x00"
	}
	for _, a := range i.Attrs {
		if t, ok := a.(*postgres.IndexType); ok && !strings.EqualFold(t.T, "btree") {
			return ""
		}
	}
	if predicate(i) != "" {
		return ""
	}
	return text
}

// keys keeps the foreign keys of the baseline, and those of columns that it has not made.
func (k *untouched) keys() {
	var all []*atschema.ForeignKey
	for _, f := range k.now.ForeignKeys {
		if slices.ContainsFunc(k.was.ForeignKeys, func(was *atschema.ForeignKey) bool { return columnsOf(was) == columnsOf(f) }) {
			all = append(all, f)
		}
	}
	for _, f := range k.wanted.ForeignKeys {
		if !slices.ContainsFunc(all, func(o *atschema.ForeignKey) bool { return columnsOf(o) == columnsOf(f) }) {
			all = append(all, f)
		}
	}
	k.wanted.ForeignKeys = all
}

func columnsOf(f *atschema.ForeignKey) (text string) {
	for _, c := range f.Columns {
		text += c.Name + "\x00"
	}
	return text
}

// attributes keeps what the table has beside: checks, its comment, how SQLite keeps it.
// The check of an enum is left out whose column the baseline has made: the schema makes
// one of each, and the database has its own.
func (k *untouched) attributes(columns []*atschema.Column) {
	var own []atschema.Attr
	for _, a := range k.wanted.Attrs {
		check, ok := a.(*atschema.Check)
		if !ok || slices.ContainsFunc(columns, func(c *atschema.Column) bool {
			return has(k.was, c.Name) && check.Name == k.wanted.Name+"_"+c.Name+"_values"
		}) {
			continue
		}
		if !slices.ContainsFunc(k.now.Attrs, func(a atschema.Attr) bool { now, ok := a.(*atschema.Check); return ok && now.Name == check.Name }) {
			own = append(own, check)
		}
	}
	var kept []atschema.Attr
	for _, a := range k.now.Attrs {
		check, ok := a.(*atschema.Check)
		if !ok || slices.ContainsFunc(k.was.Attrs, func(a atschema.Attr) bool { was, ok := a.(*atschema.Check); return ok && was.Expr == check.Expr }) ||
			slices.ContainsFunc(k.wanted.Attrs, func(a atschema.Attr) bool { want, ok := a.(*atschema.Check); return ok && want.Name == check.Name }) {
			kept = append(kept, a)
		}
	}
	k.wanted.Attrs = slices.Concat(kept, own)
}
