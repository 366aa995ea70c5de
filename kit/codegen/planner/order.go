package planner

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
	atschema "ariga.io/atlas/sql/schema"
)

func compare(a, b string) int { return cmp.Compare(a, b) }

// obstacles are changes that triggers, generated columns and the like are in the
// way of. These are dropped before and created again after.
type obstacles struct {
	// rewritten are the tables that SQLite makes anew: a copy takes their place.
	rewritten []string
	// filled are columns whose rows are written: triggers are not to announce
	// that or to count by it, and full-text tables are filled from them.
	filled []Fill
	// altered are columns, by table, that PostgreSQL does not alter or drop while
	// something depends on them.
	altered map[string][]string
	// dropped are parts that go.
	dropped map[string]part
}

// altered are the columns that lose their type, or go.
func altered(changes []atschema.Change) map[string][]string {
	all := map[string][]string{}
	for _, c := range changes {
		m, ok := c.(*atschema.ModifyTable)
		if !ok {
			continue
		}
		for _, c := range m.Changes {
			switch c := c.(type) {
			case *atschema.DropColumn:
				all[m.T.Name] = append(all[m.T.Name], c.C.Name)
			case *atschema.ModifyColumn:
				if c.Change.Is(atschema.ChangeType) {
					all[m.T.Name] = append(all[m.T.Name], c.From.Name)
				}
			}
		}
	}
	return all
}

// steps are the parts of a migration that the planner puts in order.
type steps struct {
	renames, plain, additions, fills, refusals, tables []*atlas.Change
}

// order puts the changes of tables and objects in the order that works: drops of
// objects that may be in the way come first, then objects that tables need, then
// tables, then objects that need tables.
func (b *states) order(s steps, o obstacles) []*atlas.Change {
	gone, again, outdated := b.unwanted(o)
	first, last := remake(b.desired.first, outdated), remake(b.desired.last, outdated)
	early, late := b.drops(gone)
	inTheWay, functions := b.drops(again)
	return slices.Concat(s.renames, s.plain, early, inTheWay, functions, first, s.additions, s.fills, s.refusals, s.tables, last, late)
}

// unwanted are the parts that no object makes, those that are in the way of their
// object, and the objects that must be made. Parts that depend on a dropped part
// are made again after it.
func (b *states) unwanted(o obstacles) (gone, again map[string]part, outdated map[string]bool) {
	gone, again, outdated = maps.Clone(b.current.parts), map[string]part{}, map[string]bool{}
	all := slices.Concat(b.desired.first, b.desired.last)
	for _, m := range all {
		for _, key := range m.keys {
			delete(gone, key)
		}
	}
	o.dropped = maps.Clone(gone)
	for more := true; more; {
		more = false
		for _, m := range all {
			if outdated[m.Name] || !b.outdated(m, o) {
				continue
			}
			outdated[m.Name], more = true, true
			for _, key := range m.keys {
				if p, has := b.current.parts[key]; has && !replaces.MatchString(m.Create) {
					again[key], o.dropped[key] = p, p
				}
			}
		}
	}
	return gone, again, outdated
}

func remake(objects []made, outdated map[string]bool) (changes []*atlas.Change) {
	for _, o := range objects {
		if outdated[o.Name] {
			changes = append(changes, &atlas.Change{Cmd: strings.TrimRight(o.Create, "; \n\t"), Comment: "make " + o.Name})
		}
	}
	return changes
}

// replaces matches what needs no DROP.
var replaces = regexp.MustCompile(`(?i)^\s*CREATE\s+OR\s+REPLACE\b`)

// outdated reports whether the object must be made.
func (b *states) outdated(o made, way obstacles) bool {
	for _, key := range o.keys {
		p, has := b.current.parts[key]
		if !has || !p.same(b.desired.parts[key]) {
			return true
		}
		if replaces.MatchString(o.Create) {
			continue
		}
		if way.rewrites(p) || way.fills(o, p) || !b.current.database.rewrites() && way.alters(p) || way.takes(p) {
			return true
		}
	}
	return false
}

// rewrites reports whether the part goes with a table: SQLite drops the
// triggers of a rewritten table, and refuses to rename its copy while a
// trigger or view of another table names it.
func (w obstacles) rewrites(p part) bool {
	return p.kind != "virtual table" && slices.ContainsFunc(w.rewritten, p.mentions)
}

// fills reports whether the part would follow the rows that are filled, or has
// to be filled from them.
func (w obstacles) fills(o made, p part) bool {
	return slices.ContainsFunc(w.filled, func(f Fill) bool {
		switch p.kind {
		case "trigger":
			return p.table == f.Table
		case "table", "virtual table": // of the words of folded texts
			return slices.ContainsFunc(f.Columns, isDerived) && mentions(o.Create, f.Table)
		}
		return false
	})
}

func isDerived(column string) bool { return strings.HasSuffix(column, derived) }

// alters reports whether a column that changes is one that the part needs.
func (w obstacles) alters(p part) bool {
	for table, columns := range w.altered {
		if p.mentions(table) && slices.ContainsFunc(columns, func(c string) bool { return mentions(p.text, c) }) {
			return true
		}
	}
	return false
}

// takes reports whether a part that goes is one that this one needs.
func (w obstacles) takes(p part) bool {
	for _, d := range w.dropped {
		if d.key() == p.key() {
			continue
		}
		switch d.kind {
		case "generated column":
			if p.table == d.table && mentions(p.text, d.name) {
				return true
			}
		case "table", "virtual table", "view":
			if p.table == d.name || p.kind != "table" && mentions(p.text, d.name) {
				return true
			}
		}
	}
	return false
}

func mentions(text, name string) bool {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`).MatchString(text)
}

// drops are the statements that remove the parts, those first that need
// others: those that nothing needs, and those that others may need.
func (b *states) drops(gone map[string]part) (early, late []*atlas.Change) {
	keys := slices.SortedFunc(maps.Keys(gone), func(x, y string) int {
		return cmp.Or(cmp.Compare(gone[x].rank(), gone[y].rank()), cmp.Compare(x, y))
	})
	for _, key := range keys {
		p := gone[key]
		c := &atlas.Change{Cmd: p.drop(b.current.database), Comment: "drop " + p.kind + " " + p.name}
		if p.early() {
			early = append(early, c)
		} else {
			late = append(late, c)
		}
	}
	return early, late
}
