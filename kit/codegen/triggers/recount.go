package triggers

import (
	"fmt"
	"slices"
	"strings"
)

// recounts are the triggers that take from counts what a keeper's rows have
// added once it is deleted softly, or for good, and add it again once it is
// restored. By the time at which a removal takes its rows along there is no
// keeper any more, so that their own trigger leaves the counts alone.
func recounts(relations []*relation) []trigger {
	kept := map[string][]*relation{}
	var keepers []string
	for _, r := range relations {
		if kept[r.keepers] == nil {
			keepers = append(keepers, r.keepers)
		}
		kept[r.keepers] = append(kept[r.keepers], r)
	}
	var triggers []trigger
	for _, keeper := range keepers {
		triggers = append(triggers,
			recount(keeper, "update", `(OLD."deleted_at" IS NULL) <> (NEW."deleted_at" IS NULL)`, "NEW", `CASE WHEN NEW."deleted_at" IS NULL THEN 1 ELSE -1 END`, kept[keeper]),
			recount(keeper, "delete", `OLD."deleted_at" IS NULL`, "OLD", "-1", kept[keeper]))
	}
	return triggers
}

func recount(keeper, on, when, row, sign string, relations []*relation) trigger {
	t := trigger{name: "recount_" + keeper + "_on_" + on, table: keeper, on: on, when: when, first: on == "delete"}
	parents := map[string][]string{}
	var order []string
	for _, r := range relations {
		if parents[r.parent] == nil {
			order = append(order, r.parent)
		}
		parents[r.parent] = append(parents[r.parent], r.kept(row))
		t.body, t.lite = append(t.body, r.recount(row, sign, on == "delete")), append(t.lite, r.recount(row, sign, false))
	}
	slices.Sort(order)
	var locked []string
	for _, parent := range order { // as locks does
		locked = append(locked, fmt.Sprintf("PERFORM 1 FROM %q WHERE \"id\" IN (%s) ORDER BY \"id\" FOR NO KEY UPDATE;", parent, strings.Join(parents[parent], " UNION ")))
	}
	t.body = append(locked, t.body...)
	return t
}

// kept is a query for the parents that count what the keeper has.
func (r *relation) kept(row string) string {
	return fmt.Sprintf("SELECT %q FROM %q WHERE %q = %s.\"id\"", r.fk, r.child, r.while, row)
}

// recount adds what the keeper's rows count for, or takes it away. Where keepers
// are gone already, the parents that go with them stay as they are: they go
// next, and could not be written twice while they refer to no row.
func (r *relation) recount(row, sign string, gone bool) string {
	var set []string
	for _, c := range r.counters {
		set = append(set, fmt.Sprintf("%q = %q + (%s) * (SELECT COALESCE(sum(%s), 0) FROM %q AS \"child\" WHERE \"child\".%q = %q.\"id\" AND \"child\".%q = %s.\"id\")",
			c.column, c.column, sign, c.adds("child"), r.child, r.fk, r.parent, r.while, row))
	}
	where := fmt.Sprintf("\"id\" IN (%s)", r.kept(row))
	for _, column := range r.owned {
		if !gone {
			break
		}
		where += fmt.Sprintf(" AND EXISTS (SELECT 1 FROM %q AS \"owner\" WHERE \"owner\".\"id\" = %q.%q)", r.keepers, r.parent, column)
	}
	return fmt.Sprintf("UPDATE %q SET %s WHERE %s;", r.parent, strings.Join(set, ", "), where)
}

// turns have PostgreSQL's writers of what keepers keep, any number of them at
// once, and who deletes or restores a keeper, one alone, take turns: before
// their statement locks a row. A deletion writes rows of many others, and who
// these are changes while it waits for them, so that no order of locks would
// keep it and the others from waiting for each other.
func turns(relations []*relation) []Object {
	var objects []Object
	seen := map[string]bool{}
	add := func(name, lock, keepers, events, table string) {
		if seen[name] {
			return
		}
		seen[name] = true
		objects = append(objects,
			Object{Name: name + " (function)", Create: fmt.Sprintf("CREATE OR REPLACE FUNCTION %q() RETURNS trigger LANGUAGE plpgsql AS $$\nBEGIN\n\tPERFORM %s(hashtext('recount_%s'));\n\tRETURN NULL;\nEND $$", name, lock, keepers)},
			Object{Name: name, Create: fmt.Sprintf("CREATE TRIGGER %q BEFORE %s ON %q FOR EACH STATEMENT EXECUTE FUNCTION %q()", name, events, table, name)})
	}
	for _, r := range relations {
		add("recount_"+r.keepers+"_alone", "pg_advisory_xact_lock", r.keepers, `UPDATE OF "deleted_at" OR DELETE`, r.keepers)
		add("recount_"+r.keepers+"_with_"+r.child, "pg_advisory_xact_lock_shared", r.keepers, "INSERT OR UPDATE OR DELETE", r.child)
		if r.parent != r.keepers { // its removal takes rows of the child along
			add("recount_"+r.keepers+"_with_"+r.parent, "pg_advisory_xact_lock_shared", r.keepers, "DELETE", r.parent)
		}
	}
	return objects
}
