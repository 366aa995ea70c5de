package planner

import (
	"fmt"
	"hash/crc32"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
	"github.com/lib/pq"

	"github.com/entwine-go/entwine/kit/migration"
)

// syncing begins the names of triggers, and of their functions, that give rows
// the values which programs from before a migration don't write. They are no
// part of the schema: [Contract] drops them once those programs are gone.
const syncing = migration.Syncing

// syncName is the name of the trigger of the column. PostgreSQL fires those of a row in
// the order of their names, and what is called otherwise twice, or followed twice, has to
// go through the earlier migration's trigger first: each level fires after those below it,
// whatever the table is called.
func syncName(table, column string, level int) string {
	return levelName("zzz", level, table, column)
}

// backName is the name of the trigger that gives columns of before their value from
// the column: it fires before those of the levels below, in which they are followed.
func backName(table, column string, level int) string {
	return levelName("0", 99-level, table, column)
}

func levelName(mark string, n int, table, column string) string {
	name := syncing + table + "_" + column
	if n > 0 {
		name = fmt.Sprintf("%s%s%02d_%s_%s", syncing, mark, n, table, column)
	}
	return bounded(name)
}

// bounded is the name within what PostgreSQL keeps of names.
func bounded(name string) string {
	if len(name) > 63 {
		return fmt.Sprintf("%s_%08x", name[:54], crc32.ChecksumIEEE([]byte(name)))
	}
	return name
}

// syncs are the statements that have rows filled as programs from before the
// migration write them.
func (b *states) syncs(p *plan) (all []*atlas.Change, err error) {
	levels := b.levels(p.filled)
	for i, f := range p.filled {
		level := levels[i]
		switch {
		case f.Link != nil:
			all = append(all, followLinks(f)...)
		case f.Check != "":
			text, err := renamedValue(f)
			if err != nil {
				return nil, err
			}
			all = append(all, sync(f.Table, f.Columns[0], level, text)...)
		case f.Required:
			all = append(all, b.followed(p, f, level)...)
		case len(f.From) == 1 && len(f.Columns) == 1 && isDerived(f.Columns[0]) && !b.desired.folds(f.Table, f.From[0]):
			all = append(all, sync(f.Table, f.Columns[0], level, foldedAlong(f.From[0], f.Columns[0]))...)
		}
	}
	return all, nil
}

var leveled = regexp.MustCompile(`^` + syncing + `zzz(\d\d)_`)

// levels are those of the fills' triggers: above what earlier migrations have left of
// the table, and above those of what they follow from.
func (b *states) levels(fills []Fill) []int {
	levels := make([]int, len(fills))
	for i, f := range fills {
		for _, s := range b.current.syncs {
			if s.table != f.Table {
				continue
			}
			at := 0
			if found := leveled.FindStringSubmatch(s.name); found != nil {
				at, _ = strconv.Atoi(found[1])
			}
			levels[i] = max(levels[i], at+1)
		}
		for j, before := range fills[:i] {
			if before.Table == f.Table && slices.ContainsFunc(before.Columns, f.names) {
				levels[i] = max(levels[i], levels[j]+1)
			}
		}
		levels[i] = min(levels[i], 98)
	}
	return levels
}

// names reports whether the fill's value follows from the column.
func (f Fill) names(column string) bool {
	text, _ := f.expression(only(database.live))
	return slices.Contains(f.From, column) || mentions(text, column)
}

// renamedValue gives rows the value that theirs is called now. A write of something
// else is none of the value, and a later migration may fill in the one of before again.
func renamedValue(f Fill) (body string, err error) {
	_, set, where, err := update(f.Statements[only(database.live)][0])
	if err != nil {
		return "", err
	}
	column := pq.QuoteIdentifier(f.Columns[0])
	return fmt.Sprintf("IF current_setting('entwine.filling', true) IS DISTINCT FROM 'on' AND (TG_OP = 'INSERT' OR NEW.%[1]s IS DISTINCT FROM OLD.%[1]s) AND %[2]s THEN\n\t\tNEW.%[1]s := %[3]s;\n\tEND IF;",
		column, of("NEW", f.Table, where), of("NEW", f.Table, strings.TrimPrefix(set, column+" = "))), nil
}

// of is the expression of the row, which is NEW or OLD.
func of(row, table, expression string) string {
	return fmt.Sprintf("(SELECT %s FROM (SELECT %s.*) AS %s)", expression, row, pq.QuoteIdentifier(table))
}

// followed has the column of a Backfill follow the columns that its expression names,
// and those of before follow it where there is an inverse: both programs write. A
// value that was written otherwise than the expression says is not overwritten. A
// value that can't be computed refuses the write, as a conflict and no fault of the
// program.
func (b *states) followed(p *plan, f Fill, level int) []*atlas.Change {
	expression, _ := f.expression(only(database.live))
	column := pq.QuoteIdentifier(f.Columns[0])
	had := false
	if t, ok := p.before.Table(f.Table); ok {
		_, had = t.Column(f.Columns[0])
	}
	missing := fmt.Sprintf("NEW.%s IS NULL", column)
	if !b.requires(f.Table, f.Columns[0]) { // an update may say that there is none
		missing += " AND TG_OP = 'INSERT'"
	}
	lines := []string{fmt.Sprintf("IF %s THEN\n\t\t\tNEW.%s := %s;", missing, column, of("NEW", f.Table, expression))}
	sources := b.reads(f.Table, expression)
	if !had && len(sources) > 0 {
		lines = append(lines, fmt.Sprintf("ELSIF TG_OP = 'UPDATE' AND NEW.%[1]s IS NOT DISTINCT FROM OLD.%[1]s AND (%[2]s) THEN\n\t\t\tIF OLD.%[1]s IS NOT DISTINCT FROM %[3]s THEN\n\t\t\t\tNEW.%[1]s := %[4]s;\n\t\t\tEND IF;",
			column, written(sources), of("OLD", f.Table, expression), of("NEW", f.Table, expression)))
	}
	lines = append(lines, "END IF;")
	var inverse []string
	for _, back := range slices.Sorted(maps.Keys(f.Inverse)) {
		name := pq.QuoteIdentifier(back)
		from := slices.DeleteFunc(b.reads(f.Table, f.Inverse[back]), func(c string) bool { return c == back })
		if had || len(from) == 0 {
			continue
		}
		inverse = append(inverse, fmt.Sprintf("IF TG_OP = 'INSERT' AND NEW.%[1]s IS NULL OR TG_OP = 'UPDATE' AND NEW.%[1]s IS NOT DISTINCT FROM OLD.%[1]s AND (%[2]s) THEN\n\t\t\tNEW.%[1]s := %[3]s;\n\t\tEND IF;",
			name, written(from), of("NEW", f.Table, f.Inverse[back])))
	}
	if level == 0 || len(inverse) == 0 {
		return sync(f.Table, f.Columns[0], level, guarded(f, level, append(lines, inverse...)))
	}
	back := syncOf(f.Table, backName(f.Table, f.Columns[0], level), "BEFORE", guarded(f, level, inverse)+"\n\tRETURN NEW;")
	return append(back, sync(f.Table, f.Columns[0], level, guarded(f, level, lines))...)
}

// guarded are the lines outside backfills, whose faults are conflicts.
func guarded(f Fill, level int, lines []string) string {
	return fmt.Sprintf("IF current_setting('entwine.filling', true) = 'on' THEN\n\t\tRETURN NEW;\n\tEND IF;\n\tBEGIN\n\t\t%s\n\tEXCEPTION WHEN data_exception THEN\n\t\tRAISE EXCEPTION '%%', '%s can not follow: ' || SQLERRM USING ERRCODE = 'restrict_violation', CONSTRAINT = '%s', TABLE = '%s', COLUMN = '%s';\n\tEND;",
		strings.Join(lines, "\n\t\t"), f.Columns[0], syncName(f.Table, f.Columns[0], level), f.Table, f.Columns[0])
}

// written is the condition that an update changes one of the columns.
func written(columns []string) string {
	var all []string
	for _, c := range columns {
		all = append(all, fmt.Sprintf("NEW.%[1]s IS DISTINCT FROM OLD.%[1]s", pq.QuoteIdentifier(c)))
	}
	return strings.Join(all, " OR ")
}

// sync has the trigger of the column do that to new and changed rows.
func sync(table, column string, level int, body string) []*atlas.Change {
	return syncOf(table, syncName(table, column, level), "BEFORE", body+"\n\tRETURN NEW;")
}

// syncOf are the statements that make such a trigger of the table.
func syncOf(table, name, when, body string) []*atlas.Change {
	name = pq.QuoteIdentifier(name)
	return []*atlas.Change{
		{Cmd: fmt.Sprintf("CREATE OR REPLACE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql AS $$\nBEGIN\n\t%s\nEND $$", name, body),
			Comment: "what programs from before this migration don't write, until weave migrate contract"},
		{Cmd: fmt.Sprintf("CREATE OR REPLACE TRIGGER %s %s INSERT OR UPDATE ON %s FOR EACH ROW EXECUTE FUNCTION %[1]s()", name, when, pq.QuoteIdentifier(table))},
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
