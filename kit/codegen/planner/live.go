package planner

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
	atschema "ariga.io/atlas/sql/schema"
	"github.com/lib/pq"
)

// A migration of PostgreSQL must not stop the programs that read and write
// meanwhile, so it is two files where it touches tables with rows. The first is
// a transaction whose statements take no time, whatever there are rows: columns,
// constraints that only new rows have to keep (NOT VALID), triggers. The second,
// NAME_live, has what takes long, each statement on its own: rows are filled in
// batches, indexes are made concurrently, constraints are validated.
//
// Other changes are planned as one transaction ([stops]).

// split are the changes of tables that take no time, and those that do.
type split struct {
	now []atschema.Change
	// notValid are statements that add constraints, validate those that have rows
	// keep them.
	notValid, validate []*atlas.Change
	// required are the statements that make columns NOT NULL, made those that
	// make indexes, dropped those that drop them.
	required, made, dropped []*atlas.Change
	// filled are checks that rows keep only once they are filled.
	filled []string
}

// live plans the migration as such files, where tables that were there before
// the migration change.
func (b *states) live(ctx context.Context, p *plan, s steps, changes []atschema.Change) error {
	parts, err := b.split(ctx, p, changes)
	if err != nil {
		return err
	}
	if s.tables, err = b.plan(ctx, parts.now); err != nil {
		return err
	}
	front, late := b.asks(p, s.refusals)
	asked, askedLate := b.backfillable(p)
	front = slices.Concat(asked, b.links(p.filled), front)
	gone, again, outdated := b.unwanted(obstacles{altered: altered(changes)})
	indexes := b.indexes(p.before, again, outdated)
	first, last := remake(b.desired.first, outdated), remake(b.desired.last, outdated)
	early, lateDrops := b.drops(gone)
	inTheWay, functions := b.drops(again)
	early, dropped := concurrent(early)
	syncs, err := b.syncs(p)
	if err != nil {
		return err
	}
	quiet, loud := b.quiet(p.filled)
	fills, err := b.batches(p.filled)
	if err != nil {
		return err
	}
	if len(dropped) > 0 { // indexes may need what goes last
		dropped, lateDrops = append(dropped, lateDrops...), nil
	}
	outlived, settles := b.outlived(changes)
	work := slices.Concat(s.plain, early, inTheWay, functions, first, s.additions, s.tables, parts.notValid, last, lateDrops, syncs, quiet)
	p.changes = slices.Concat(s.renames, outlived, front, b.locks(p.before, work), work)
	p.live = slices.Concat(settles, askedLate, fills, loud, late, parts.made, indexes, parts.required, parts.validate, parts.dropped, dropped)
	if len(p.changes) == len(front) { // the live file alone says it all
		p.changes, p.live = nil, slices.Concat(without(front, late), p.live)
	}
	return nil
}

var locking = regexp.MustCompile(`(?:ALTER TABLE|TRIGGER .* ON|REFERENCES|DROP TABLE) "(\w+)"`)

// locks is the statement that locks what the statements change, where that are
// several tables: those first that refer to others, as programs that write do.
// Locked one after the other, as the statements come to them, busy tables would
// have each of the two wait for the other.
func (b *states) locks(before *atschema.Schema, work []*atlas.Change) []*atlas.Change {
	touched := map[string]bool{}
	for _, c := range work {
		if strings.HasPrefix(c.Cmd, "CREATE OR REPLACE FUNCTION") {
			continue
		}
		for _, found := range locking.FindAllStringSubmatch(c.Cmd, -1) {
			if _, has := before.Table(found[1]); has {
				touched[found[1]] = true
			}
		}
	}
	if len(touched) < 2 {
		return nil
	}
	var order []string
	var visit func(name string)
	seen := map[string]bool{}
	visit = func(name string) { // after all that refer to it
		if seen[name] {
			return
		}
		seen[name] = true
		for _, other := range before.Tables {
			if slices.ContainsFunc(other.ForeignKeys, func(k *atschema.ForeignKey) bool { return k.RefTable.Name == name }) {
				visit(other.Name)
			}
		}
		if touched[name] {
			order = append(order, pq.QuoteIdentifier(name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(touched)) {
		visit(name)
	}
	return []*atlas.Change{{Cmd: "DO $$ BEGIN LOCK TABLE " + strings.Join(order, ", ") + " IN ACCESS EXCLUSIVE MODE; END $$", Comment: "in the order in which programs that write come to them"}}
}

// without leaves out the changes that are among others.
func without(all, others []*atlas.Change) []*atlas.Change {
	return slices.DeleteFunc(slices.Clone(all), func(c *atlas.Change) bool {
		return slices.ContainsFunc(others, func(o *atlas.Change) bool { return o.Cmd == c.Cmd })
	})
}

// stops are the tables that what leads to the schema has to stop reading and
// writing of: PostgreSQL writes a table with rows anew for another type.
func stops(before *atschema.Schema, changes []atschema.Change) (tables []string) {
	for _, c := range changes {
		m, ok := c.(*atschema.ModifyTable)
		if !ok || !slices.ContainsFunc(m.Changes, rewrites) {
			continue
		}
		if _, has := before.Table(m.T.Name); has {
			tables = append(tables, m.T.Name)
		}
	}
	slices.Sort(tables)
	return tables
}

// volatile are the functions that say something else for each row.
var volatile = regexp.MustCompile(`(?i)\b(random|gen_random_uuid|uuid_generate_\w+|clock_timestamp|timeofday|nextval)\s*\(`)

// rewrites reports whether PostgreSQL writes the table anew for the change: for
// another type, and for a default that is another one in each row.
func rewrites(c atschema.Change) bool {
	if add, ok := c.(*atschema.AddColumn); ok {
		expression, ok := add.C.Default.(*atschema.RawExpr)
		return ok && volatile.MatchString(expression.X)
	}
	m, ok := c.(*atschema.ModifyColumn)
	if !ok || !m.Change.Is(atschema.ChangeType) {
		return false
	}
	_, text := m.From.Type.Type.(*atschema.StringType)
	return !text || !wider(m.From.Type.Type, m.To.Type.Type)
}

// split separates the changes of existing tables that take long from the others.
func (b *states) split(ctx context.Context, p *plan, changes []atschema.Change) (s split, err error) {
	for _, f := range p.filled {
		s.filled = append(s.filled, f.Check)
	}
	for _, change := range changes {
		m, ok := change.(*atschema.ModifyTable)
		if ok {
			_, ok = p.before.Table(m.T.Name)
		}
		if !ok {
			s.now = append(s.now, change)
			continue
		}
		var now []atschema.Change
		for _, c := range m.Changes {
			stays, err := b.sort(ctx, &s, m.T, c)
			if err != nil {
				return s, err
			}
			now = append(now, stays...)
		}
		if len(now) > 0 {
			s.now = append(s.now, &atschema.ModifyTable{T: m.T, Changes: now})
		}
	}
	return s, nil
}

// sort puts one change of a table where it belongs, and returns what of it
// takes no time.
func (b *states) sort(ctx context.Context, s *split, t *atschema.Table, c atschema.Change) (now []atschema.Change, err error) {
	one := func(c atschema.Change) ([]*atlas.Change, error) {
		return b.plan(ctx, []atschema.Change{&atschema.ModifyTable{T: t, Changes: []atschema.Change{c}}})
	}
	add := func(c atschema.Change, name string) error {
		planned, err := one(c)
		to := &s.notValid
		if slices.Contains(s.filled, name) {
			to = &s.validate
		}
		for _, p := range planned {
			*to = append(*to, &atlas.Change{Cmd: p.Cmd + " NOT VALID", Comment: "add " + name + " to " + t.Name + ": new rows keep it from now on"})
		}
		s.validate = append(s.validate, &atlas.Change{
			Cmd:     fmt.Sprintf("ALTER TABLE %s VALIDATE CONSTRAINT %s", pq.QuoteIdentifier(t.Name), pq.QuoteIdentifier(name)),
			Comment: "see that all rows of " + t.Name + " keep " + name,
		})
		return err
	}
	switch c := c.(type) {
	case *atschema.AddIndex:
		planned, err := one(c)
		s.made = append(s.made, concurrently(planned)...)
		return nil, err
	case *atschema.DropIndex:
		s.dropped = append(s.dropped, dropIndex(c.I.Name))
	case *atschema.ModifyIndex:
		next := *c.To
		next.Name = short(next.Name, "_next")
		planned, err := one(&atschema.AddIndex{I: &next})
		s.made = append(append(s.made, concurrently(planned)...), replace(next.Name, c.To.Name)...)
		return nil, err
	case *atschema.AddForeignKey:
		return nil, add(c, c.F.Symbol)
	case *atschema.ModifyForeignKey:
		return []atschema.Change{&atschema.DropForeignKey{F: c.From}}, add(&atschema.AddForeignKey{F: c.To}, c.To.Symbol)
	case *atschema.AddCheck:
		return nil, add(c, c.C.Name)
	case *atschema.ModifyCheck:
		return nil, add(c, c.To.Name)
	case *atschema.ModifyColumn:
		return s.require(t, c), nil
	default:
		return []atschema.Change{c}, nil
	}
	return nil, nil
}

// require has a column come to be NOT NULL once its rows are known to have a
// value; it returns what else changes of it.
func (s *split) require(t *atschema.Table, c *atschema.ModifyColumn) []atschema.Change {
	if !c.From.Type.Null || c.To.Type.Null {
		return []atschema.Change{c}
	}
	table, column, check := pq.QuoteIdentifier(t.Name), pq.QuoteIdentifier(c.To.Name), pq.QuoteIdentifier(short(t.Name+"_"+c.To.Name, "_set"))
	for _, step := range [][2]string{
		{"ADD CONSTRAINT " + check + " CHECK (" + column + " IS NOT NULL) NOT VALID", "new rows have a value of " + c.To.Name + " from now on"},
		{"VALIDATE CONSTRAINT " + check, "see that all rows of " + t.Name + " have a value of " + c.To.Name},
		{"ALTER COLUMN " + column + " SET NOT NULL", "which the check has proved, so that no row is read again"},
		{"DROP CONSTRAINT " + check, "the column says it itself"},
	} {
		s.required = append(s.required, &atlas.Change{Cmd: "ALTER TABLE " + table + " " + step[0], Comment: step[1]})
	}
	rest, to, kind := *c, *c.To, *c.To.Type
	kind.Null = true
	to.Type, rest.To = &kind, &to
	if rest.Change &^= atschema.ChangeNull; rest.Change == atschema.NoChange {
		return nil
	}
	return []atschema.Change{&rest}
}

// short is the name with the ending, within what PostgreSQL keeps of names.
func short(name, ending string) string { return name[:min(len(name), 63-len(ending))] + ending }

var creates = regexp.MustCompile(`^CREATE (UNIQUE )?INDEX `)

// concurrently has the statements make their indexes while others write.
func concurrently(planned []*atlas.Change) (all []*atlas.Change) {
	for _, c := range planned {
		all = append(all, &atlas.Change{Cmd: creates.ReplaceAllString(c.Cmd, "CREATE ${1}INDEX CONCURRENTLY IF NOT EXISTS "), Comment: c.Comment})
	}
	return all
}

func dropIndex(name string) *atlas.Change {
	return &atlas.Change{Cmd: "DROP INDEX CONCURRENTLY IF EXISTS " + pq.QuoteIdentifier(name), Comment: "drop index " + name}
}

// concurrent takes the statements that drop indexes out of others.
func concurrent(drops []*atlas.Change) (others, indexes []*atlas.Change) {
	for _, c := range drops {
		if name, ok := strings.CutPrefix(c.Cmd, "DROP INDEX IF EXISTS "); ok {
			indexes = append(indexes, dropIndex(strings.Trim(name, `"`)))
		} else {
			others = append(others, c)
		}
	}
	return others, indexes
}

// indexes are the statements that make the objects that are indexes over tables
// which have been there. They are no longer among the outdated ones, and what
// they replace is none of what is dropped before: it serves until then.
func (b *states) indexes(before *atschema.Schema, again map[string]part, outdated map[string]bool) (all []*atlas.Change) {
	for _, o := range b.desired.last {
		if !outdated[o.Name] || len(o.keys) != 1 {
			continue
		}
		p := b.desired.parts[o.keys[0]]
		if _, has := before.Table(p.table); !has || p.kind != "index" {
			continue
		}
		delete(outdated, o.Name)
		made := remake([]made{o}, map[string]bool{o.Name: true})
		if _, has := again[o.keys[0]]; !has {
			all = append(all, concurrently(made)...)
			continue
		}
		delete(again, o.keys[0])
		next := short(p.name, "_next")
		made[0].Cmd = strings.Replace(made[0].Cmd, pq.QuoteIdentifier(p.name), pq.QuoteIdentifier(next), 1)
		all = append(append(all, concurrently(made)...), replace(next, p.name)...)
	}
	return all
}

// replace has an index take the place of the one that it replaces.
func replace(next, name string) []*atlas.Change {
	return []*atlas.Change{dropIndex(name), {
		Cmd:     fmt.Sprintf("ALTER INDEX %s RENAME TO %s", pq.QuoteIdentifier(next), pq.QuoteIdentifier(name)),
		Comment: "it takes the place of the one before it",
	}}
}

// asks separates the questions that can be asked of the rows before anything
// changes from those about columns that are new or are filled first. Duplicates in
// the way of a unique index are asked for again before the index is made.
func (b *states) asks(p *plan, refusals []*atlas.Change) (front, late []*atlas.Change) {
	columns := map[string]bool{}
	for _, f := range p.filled {
		for _, c := range f.Columns {
			columns[c] = true
		}
	}
	for _, t := range b.current.tables.Tables {
		was, has := p.before.Table(t.Name)
		for _, c := range t.Columns {
			if has {
				if _, had := was.Column(c.Name); !had {
					columns[c.Name] = true
				}
			}
		}
	}
	for _, c := range refusals {
		about := slices.ContainsFunc(slices.Collect(maps.Keys(columns)), func(column string) bool { return mentions(c.Cmd, column) })
		if !about {
			front = append(front, c)
		}
		if about || strings.Contains(c.Cmd, " GROUP BY ") {
			late = append(late, c)
		}
	}
	return front, late
}

var updating = regexp.MustCompile(`(?s)^UPDATE "(\w+)" SET (.*)$`)

// update takes an UPDATE apart: WHERE is the last one that stands in no
// parentheses and in no text.
func update(text string) (table, set, where string, err error) {
	found := updating.FindStringSubmatch(text)
	if found == nil {
		return "", "", "", fmt.Errorf("a fill that is no UPDATE of a table: %s", text)
	}
	depth, quote := 0, byte(0)
	for i := range len(found[2]) {
		switch c := found[2][i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth == 0 && strings.HasPrefix(found[2][i:], " WHERE "):
			return found[1], found[2][:i], found[2][i+len(" WHERE "):], nil
		}
	}
	return found[1], found[2], "", nil
}
