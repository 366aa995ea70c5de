package planner

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
)

func compare(a, b string) int { return cmp.Compare(a, b) }

// order puts the changes of tables and objects in the order that works:
// what may stand in the way goes first, what tables need comes before them,
// what needs tables after.
func (b *states) order(renames, tables []*atlas.Change) []*atlas.Change {
	gone := maps.Clone(b.current.parts) // parts that no object makes
	again := make(map[string]part)      // parts that are in the way of their object
	rewritten := b.rewritten(tables)
	remake := func(objects []made) (changes []*atlas.Change) {
		for _, o := range objects {
			outdated := b.outdated(o, rewritten)
			for _, key := range o.keys {
				delete(gone, key)
				if p, has := b.current.parts[key]; has && outdated && !replaces.MatchString(o.Create) {
					again[key] = p
				}
			}
			if outdated {
				text := strings.TrimRight(o.Create, "; \n\t")
				changes = append(changes, &atlas.Change{Cmd: text, Comment: "make " + o.Name})
			}
		}
		return changes
	}
	first, last := remake(b.desired.first), remake(b.desired.last)
	early, late := b.drops(gone)
	inTheWay, functions := b.drops(again)
	return slices.Concat(renames, early, inTheWay, functions, first, tables, last, late)
}

// replaces matches what needs no DROP.
var replaces = regexp.MustCompile(`(?i)^\s*CREATE\s+OR\s+REPLACE\b`)

// outdated reports whether the object must be made.
func (b *states) outdated(o made, rewritten []string) bool {
	for _, key := range o.keys {
		p, has := b.current.parts[key]
		if !has || p.text != b.desired.parts[key].text {
			return true
		}
		// SQLite drops the triggers of a rewritten table, and refuses to rename
		// its copy while a trigger or view of another table names it.
		if p.kind != "virtual table" && slices.ContainsFunc(rewritten, p.mentions) {
			return true
		}
	}
	return false
}

// drops are the statements that remove the parts: those that nothing needs,
// and those that others may need.
func (b *states) drops(gone map[string]part) (early, late []*atlas.Change) {
	for _, key := range slices.Sorted(maps.Keys(gone)) {
		p := gone[key]
		c := &atlas.Change{Cmd: p.drop(b.current.dialect), Comment: "drop " + p.kind + " " + p.name}
		if p.early() {
			early = append(early, c)
		} else {
			late = append(late, c)
		}
	}
	return early, late
}
