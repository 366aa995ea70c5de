package planner

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"regexp"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
	atschema "ariga.io/atlas/sql/schema"
	"entgo.io/ent/dialect"
	"github.com/lib/pq"

	"github.com/entwine-go/entwine/kit/migration"
)

// syncing begins the names of triggers, and of their functions, that give rows
// the values which programs from before a migration don't write. They are no
// part of the schema: [Contract] drops them once those programs are gone.
const syncing = "entwine_sync_"

func syncName(table, column string) string {
	name := syncing + table + "_" + column
	if len(name) > 63 {
		return fmt.Sprintf("%s_%08x", name[:54], crc32.ChecksumIEEE([]byte(name)))
	}
	return name
}

// syncs are the statements that have rows filled as programs from before the
// migration write them.
func (b *states) syncs(fills []Fill) (all []*atlas.Change, err error) {
	for _, f := range fills {
		if f.Required || f.Check != "" {
			_, set, where, err := update(f.Statements[dialect.Postgres][0])
			if err != nil {
				return nil, err
			}
			column := f.Columns[0]
			expression := strings.TrimPrefix(set, pq.QuoteIdentifier(column)+" = ")
			row := fmt.Sprintf("(SELECT NEW.*) AS %s", pq.QuoteIdentifier(f.Table))
			condition := fmt.Sprintf("(SELECT %s FROM %s)", where, row)
			if f.Check != "" { // a write of something else is none of the value
				condition = fmt.Sprintf("(TG_OP = 'INSERT' OR NEW.%[1]s IS DISTINCT FROM OLD.%[1]s) AND ", pq.QuoteIdentifier(column)) + condition
			}
			all = append(all, sync(f.Table, column, condition, fmt.Sprintf("(SELECT %s FROM %s)", expression, row))...)
		}
		if len(f.From) == 1 && len(f.Columns) == 1 && isDerived(f.Columns[0]) {
			text, folded := "."+pq.QuoteIdentifier(f.From[0]), "."+pq.QuoteIdentifier(f.Columns[0])
			// What lower leaves different from the program's folding is mended by Contract.
			all = append(all, sync(f.Table, f.Columns[0], fmt.Sprintf(
				"NEW%[2]s IS NULL AND NEW%[1]s IS NOT NULL OR TG_OP = 'UPDATE' AND NEW%[1]s IS DISTINCT FROM OLD%[1]s AND NEW%[2]s IS NOT DISTINCT FROM OLD%[2]s", text, folded),
				"lower(NEW"+text+")")...)
		}
	}
	return all, nil
}

// sync gives the column of new and changed rows a value while the condition holds.
func sync(table, column, condition, value string) []*atlas.Change {
	name := pq.QuoteIdentifier(syncName(table, column))
	return []*atlas.Change{
		{Cmd: fmt.Sprintf("CREATE OR REPLACE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql AS $$\nBEGIN\n\tIF %s THEN\n\t\tNEW.%s := %s;\n\tEND IF;\n\tRETURN NEW;\nEND $$",
			name, condition, pq.QuoteIdentifier(column), value),
			Comment: "what programs from before this migration don't write of " + column + ", until weave migrate contract"},
		{Cmd: fmt.Sprintf("CREATE OR REPLACE TRIGGER %s BEFORE INSERT OR UPDATE ON %s FOR EACH ROW EXECUTE FUNCTION %[1]s()", name, pq.QuoteIdentifier(table))},
	}
}

// outlived are the statements that drop such triggers of tables whose columns
// go or are called otherwise: they would name what is not there.
func (b *states) outlived(renames []*atlas.Change, changes []atschema.Change) (all []*atlas.Change) {
	for _, p := range b.current.syncs {
		t, has := b.desired.tables.Table(p.table)
		gone := !has || slices.ContainsFunc(changes, func(c atschema.Change) bool {
			m, ok := c.(*atschema.ModifyTable)
			return ok && m.T == t && slices.ContainsFunc(m.Changes, func(c atschema.Change) bool { _, ok := c.(*atschema.DropColumn); return ok })
		})
		if gone || slices.ContainsFunc(renames, func(c *atlas.Change) bool { return mentions(c.Cmd, p.table) }) {
			all = append(all, unsync(p)...)
		}
	}
	return all
}

func unsync(p part) []*atlas.Change {
	name := pq.QuoteIdentifier(p.name)
	return []*atlas.Change{
		{Cmd: "DROP TRIGGER IF EXISTS " + name + " ON " + pq.QuoteIdentifier(p.table), Comment: "programs that need it are gone"},
		{Cmd: "DROP FUNCTION IF EXISTS " + name + "()"},
	}
}

var definition = regexp.MustCompile(`(?s)^CREATE TRIGGER (.*?) ON \S+ (.*?)(?:WHEN \((.*)\) )?(EXECUTE .*)$`)

// quiet are statements that have triggers pass over what backfills write, and
// those that end it: a migration announces nothing, and counts nothing twice.
func (b *states) quiet(fills []Fill) (quiet, loud []*atlas.Change) {
	columns := map[string][]string{}
	for _, f := range fills {
		columns[f.Table] = append(columns[f.Table], f.Columns...)
	}
	for _, key := range slices.Sorted(maps.Keys(b.desired.parts)) {
		p := b.desired.parts[key]
		found := definition.FindStringSubmatch(p.text)
		if p.kind != "trigger" || columns[p.table] == nil || found == nil || !fires(found[1], columns[p.table]) ||
			strings.HasPrefix(p.name, objectIndex) || strings.HasPrefix(p.name, keeping) {
			continue
		}
		when := "current_setting('entwine.filling', true) IS DISTINCT FROM 'on'"
		same := ""
		if found[3] != "" {
			when += " AND (" + found[3] + ")"
			same = "WHEN (" + found[3] + ") "
		}
		form := "CREATE OR REPLACE TRIGGER %s ON " + pq.QuoteIdentifier(p.table) + " %s%s%s"
		quiet = append(quiet, &atlas.Change{Cmd: fmt.Sprintf(form, found[1], found[2], "WHEN ("+when+") ", found[4]), Comment: "it passes over what the backfill writes"})
		loud = append(loud, &atlas.Change{Cmd: fmt.Sprintf(form, found[1], found[2], same, found[4]), Comment: "the backfill has ended"})
	}
	return quiet, loud
}

// fires reports whether a trigger on the events follows an update of one of the
// columns.
func fires(events string, columns []string) bool {
	_, of, ok := strings.Cut(events, " UPDATE")
	if !ok {
		return false
	}
	of, listed := strings.CutPrefix(of, " OF ")
	return !listed || slices.ContainsFunc(columns, func(c string) bool { return mentions(of, c) })
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
	dir, err := folder(root, dialect.Postgres)
	if err != nil {
		return "", err
	}
	s, err := replay(ctx, dialect.Postgres, dir)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if len(s.syncs) == 0 {
		return "", nil
	}
	p := &plan{}
	for _, sync := range s.syncs {
		if text, folded, ok := foldOf(sync, s.functions); ok {
			p.live = append(p.live, &atlas.Change{Cmd: migration.Fold(sync.table, text, folded), Comment: "fold what programs from before wrote, as those do that there are now"})
		}
		p.live = append(p.live, unsync(sync)...)
	}
	files, err := p.files(version, name, Allow{})
	if err != nil {
		return "", err
	}
	w := &planned{dir: dir, files: files}
	return w.paths()[0], w.write()
}

var folding = regexp.MustCompile(`NEW\."(\w+)" := lower\(NEW\."(\w+)"\)`)

// foldOf is which text the trigger's function folds into which column.
func foldOf(p part, functions map[string]string) (text, folded string, ok bool) {
	found := folding.FindStringSubmatch(functions[p.name])
	if found == nil {
		return "", "", false
	}
	return found[2], found[1], true
}
