package planner

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
	atschema "ariga.io/atlas/sql/schema"
	"github.com/lib/pq"
)

// Rename is the former name of a table or a column. One that was made already is
// ignored.
type Rename struct {
	// Table is the present name of the column's table; empty for a table.
	Table string
	// From is the name before, To the name now.
	From, To string
}

func (r Rename) pending(current, desired *state) bool {
	if r.Table == "" {
		return current.has(r.From, "") && !current.has(r.To, "") && desired.has(r.To, "")
	}
	return current.has(r.Table, r.From) && !current.has(r.Table, r.To) && desired.has(r.Table, r.To)
}

// taken reports whether something else has the name already, in whose place this would
// come.
func (r Rename) taken(current, desired *state) bool {
	if r.Table == "" {
		return current.has(r.From, "") && current.has(r.To, "") && desired.has(r.To, "") && !desired.has(r.From, "")
	}
	return current.has(r.Table, r.From) && current.has(r.Table, r.To) && desired.has(r.Table, r.To) && !desired.has(r.Table, r.From)
}

func (r Rename) text() string {
	quote := pq.QuoteIdentifier
	if r.Table == "" {
		return "ALTER TABLE " + quote(r.From) + " RENAME TO " + quote(r.To)
	}
	return "ALTER TABLE " + quote(r.Table) + " RENAME COLUMN " + quote(r.From) + " TO " + quote(r.To)
}

func (r Rename) String() string {
	if r.Table == "" {
		return r.From
	}
	return r.Table + "." + r.From
}

// rename makes the declared renames that are still to be made, on the scratch
// database too, so that what is compared afterwards has the new names. It returns
// those beside the statements.
func (s *state) rename(ctx context.Context, desired *state, renames []Rename) (changes []*atlas.Change, renamed []Rename, err error) {
	do := func(text, comment string) error {
		changes = append(changes, &atlas.Change{Cmd: text, Comment: comment})
		return s.run(ctx, text)
	}
	for {
		i := s.next(desired, renames)
		if i < 0 {
			break
		}
		r := renames[i]
		if err := s.clear(r, do); err != nil {
			return nil, nil, err
		}
		if err := do(r.text(), "rename "+r.String()); err != nil {
			return nil, nil, err
		}
		renamed = append(renamed, r)
		if err := s.refresh(ctx); err != nil {
			return nil, nil, err
		}
	}
	if len(changes) == 0 || s.database.rewrites() { // which renames neither indexes nor constraints
		return changes, renamed, nil
	}
	for _, text := range s.follow(desired) {
		if err := do(text, "let the name follow"); err != nil {
			return nil, nil, err
		}
	}
	return changes, renamed, s.refresh(ctx)
}

// next is the rename that can be made, -1 where none is left: tables first, since a
// column says the new name of its table, and a name that another has once that is
// called otherwise.
func (s *state) next(desired *state, renames []Rename) int {
	for _, tables := range []bool{true, false} {
		if i := slices.IndexFunc(renames, func(r Rename) bool { return (r.Table == "") == tables && r.pending(s, desired) }); i >= 0 {
			return i
		}
	}
	return -1
}

// clear drops what SQLite would have to rewrite in triggers, views and
// full-text tables, which cannot follow: they are made again at the end.
func (s *state) clear(r Rename, do func(text, comment string) error) error {
	if !s.database.rewrites() {
		return nil
	}
	table := r.Table
	if table == "" {
		table = r.From
	}
	for _, key := range slices.Sorted(maps.Keys(s.parts)) {
		if p := s.parts[key]; p.kind != "index" && p.kind != "generated column" && p.mentions(table) {
			if err := do(p.drop(s.database), "drop "+p.kind+" "+p.name); err != nil {
				return err
			}
			delete(s.parts, key)
		}
	}
	return nil
}

func (s *state) refresh(ctx context.Context) error {
	fresh, err := s.inspect(ctx)
	if err != nil {
		return err
	}
	*s = *fresh
	return nil
}

// follow are the statements that give indexes, keys and checks of PostgreSQL
// the names that they have in the desired state, where nothing else of them
// is different.
func (s *state) follow(desired *state) (statements []string) {
	quote := pq.QuoteIdentifier
	for _, t := range s.tables.Tables {
		want, ok := desired.tables.Table(t.Name)
		if !ok {
			continue
		}
		constraint := func(from, to string) {
			if from != "" && to != "" && from != to {
				statements = append(statements, "ALTER TABLE "+quote(t.Name)+" RENAME CONSTRAINT "+quote(from)+" TO "+quote(to))
			}
		}
		if t.PrimaryKey != nil && want.PrimaryKey != nil {
			constraint(t.PrimaryKey.Name, want.PrimaryKey.Name)
		}
		for from, to := range pairs(t.Indexes, want.Indexes, func(i *atschema.Index) string { return i.Name }, indexShape) {
			statements = append(statements, "ALTER INDEX "+quote(from)+" RENAME TO "+quote(to))
		}
		for from, to := range pairs(t.ForeignKeys, want.ForeignKeys, func(k *atschema.ForeignKey) string { return k.Symbol }, keyShape) {
			constraint(from, to)
		}
		for from, to := range pairs(t.Checks(), want.Checks(), func(c *atschema.Check) string { return c.Name }, func(c *atschema.Check) string { return c.Expr }) {
			constraint(from, to)
		}
	}
	slices.Sort(statements)
	return statements
}

// pairs maps the names of what is not wanted to those of what is not there yet
// and has the same shape.
func pairs[T any](have, want []T, name, shape func(T) string) map[string]string {
	all := map[string]string{}
	names := func(list []T) (all []string) {
		for _, x := range list {
			all = append(all, name(x))
		}
		return all
	}
	had, wanted := names(have), names(want)
	for _, h := range have {
		for _, w := range want {
			if !slices.Contains(wanted, name(h)) && !slices.Contains(had, name(w)) && shape(h) == shape(w) && !slices.Contains(slices.Collect(maps.Values(all)), name(w)) {
				all[name(h)] = name(w)
				break
			}
		}
	}
	return all
}

func indexShape(i *atschema.Index) string {
	shape := fmt.Sprint(i.Unique)
	for _, p := range i.Parts {
		switch {
		case p.C != nil:
			shape += " " + p.C.Name
		default:
			shape += fmt.Sprintf(" %v", p.X)
		}
		shape += fmt.Sprint(p.Desc)
	}
	return shape + " " + predicate(i)
}

func keyShape(k *atschema.ForeignKey) string {
	shape := k.RefTable.Name
	for i, c := range k.Columns {
		shape += " " + c.Name + " " + k.RefColumns[i].Name
	}
	return shape // a removal may do something else from then on
}

// knows reports whether there is the column, as in "posts.title", or the table.
func (s *state) knows(name string) bool {
	table, column, _ := strings.Cut(name, ".")
	return s.has(table, column)
}

func (s *state) has(table, column string) bool {
	t, ok := s.tables.Table(table)
	if !ok || column == "" {
		return ok
	}
	_, ok = t.Column(column)
	return ok
}
