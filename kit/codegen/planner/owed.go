package planner

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
	atschema "ariga.io/atlas/sql/schema"
	"github.com/lib/pq"

	"github.com/entwine-go/entwine/kit/migration"
)

// A migration leaves triggers for programs from before it. They are owed: they
// have to be removed, and the values that they could not write as the program does
// have to be settled before. The triggers in the database are the record of that.
// [Contract] pays all of it, and a migration that takes away what a trigger needs
// pays for that one.

// outlived are the statements that drop triggers which would name what is not
// there, since a table or a column goes or is called otherwise, and those that
// settle what they leave, which take long.
func (b *states) outlived(changes []atschema.Change) (drops, settles []*atlas.Change) {
	for _, p := range b.current.syncs {
		if !b.outlives(p, changes) {
			drops = append(drops, b.loosened(p, changes)...)
			continue
		}
		drops = append(drops, unsync(p)...)
		if b.desired.has(p.table, "") {
			settles = append(settles, b.current.settle(p, b)...)
		}
	}
	return drops, settles
}

// loosened has the trigger let updates take a value away that comes to be optional: it
// gives one to rows that have none while each has to.
func (b *states) loosened(p part, changes []atschema.Change) (all []*atlas.Change) {
	for _, c := range changes {
		m, ok := c.(*atschema.ModifyTable)
		if !ok || m.T.Name != p.table {
			continue
		}
		for _, c := range m.Changes {
			column, ok := c.(*atschema.ModifyColumn)
			if !ok || column.From.Type.Null || !column.To.Type.Null {
				continue
			}
			had := b.current.functions[p.name]
			given := "NEW." + pq.QuoteIdentifier(column.To.Name) + " IS NULL"
			if text := strings.Replace(had, given+" THEN", given+" AND TG_OP = 'INSERT' THEN", 1); text != had {
				all = append(all, &atlas.Change{Cmd: strings.TrimSpace(text), Comment: column.To.Name + " may be taken away from rows"})
			}
		}
	}
	return all
}

// outlives reports whether something goes, or is called otherwise, that the
// trigger names.
func (b *states) outlives(p part, changes []atschema.Change) bool {
	names := func(column string) bool { return mentions(b.current.functions[p.name], column) }
	if !b.desired.has(p.table, "") {
		return true
	}
	if slices.ContainsFunc(b.renamed, func(r Rename) bool {
		return r.Table == "" && (r.To == p.table || names(r.From)) || (r.Table == p.table || names(r.Table)) && names(r.From)
	}) {
		return true
	}
	return slices.ContainsFunc(changes, func(c atschema.Change) bool {
		if gone, ok := c.(*atschema.DropTable); ok {
			return names(gone.T.Name) // that the rows of it follow
		}
		m, ok := c.(*atschema.ModifyTable)
		return ok && (m.T.Name == p.table || names(m.T.Name)) && slices.ContainsFunc(m.Changes, func(c atschema.Change) bool {
			gone, ok := c.(*atschema.DropColumn)
			return ok && names(gone.C.Name)
		})
	})
}

// settle has the statements for values that the trigger could not write as the
// program does, by the names after the migration b, if it is not nil.
func (s *state) settle(p part, b *states) []*atlas.Change {
	text, folded, ok := foldOf(p, s.functions)
	if !ok {
		return nil
	}
	if b != nil {
		text, folded = b.now(p.table, text), b.now(p.table, folded)
		if !b.desired.has(p.table, text) || !b.desired.has(p.table, folded) {
			return nil
		}
	}
	return []*atlas.Change{{Cmd: migration.Fold(p.table, text, folded), Comment: "fold what programs from before wrote, as those do that there are now"}}
}

// now is the column's name in the migration.
func (b *states) now(table, column string) string {
	for _, r := range b.renamed {
		if r.Table == table && r.From == column {
			return r.To
		}
	}
	return column
}

func unsync(p part) []*atlas.Change {
	name := pq.QuoteIdentifier(p.name)
	return []*atlas.Change{
		{Cmd: "DROP TRIGGER IF EXISTS " + name + " ON " + pq.QuoteIdentifier(p.table), Comment: "programs that need it are gone"},
		{Cmd: "DROP FUNCTION IF EXISTS " + name + "()"},
	}
}

// Contract writes, for PostgreSQL, the migration that ends what earlier ones
// have left for the programs from before them, and returns its path: none where
// there is nothing. It belongs into a release after theirs.
func Contract(ctx context.Context, root, name string) (written string, err error) {
	if !nameForm.MatchString(name) {
		return "", fmt.Errorf("%w: %q: lower-case letters, digits and _ are allowed", ErrName, name)
	}
	version, err := nextVersion(root)
	if err != nil {
		return "", err
	}
	dir, err := folder(root, only(database.live))
	if err != nil {
		return "", err
	}
	s, err := replay(ctx, only(database.live), dir)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if len(s.syncs) == 0 {
		return "", nil
	}
	p := &plan{}
	for _, sync := range s.syncs {
		p.live = append(append(p.live, s.settle(sync, nil)...), unsync(sync)...)
	}
	files, err := p.files(version, name, Allow{})
	if err != nil {
		return "", err
	}
	w := &planned{dir: dir, files: files}
	return w.paths()[0], w.write()
}

var folding = regexp.MustCompile(`NEW\."(\w+)" := (?:lower|` + foldedName + `)\(NEW\."(\w+)"(?:::text)?\)`)

// foldOf is which text the trigger's function folds into which column.
func foldOf(p part, functions map[string]string) (text, folded string, ok bool) {
	found := folding.FindStringSubmatch(functions[p.name])
	if found == nil {
		return "", "", false
	}
	return found[2], found[1], true
}
