package triggers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
)

// A row of a relation that has keepers counts while its keeper is there. To
// delete a keeper with a million rows softly would write a million counts, so the
// deletion writes none: it writes a row of "recounts" for each relation, and a
// job goes through the keeper's rows by the parents that they count for, a batch
// at a time (package jobs). "place" is how far it has come:
//
//	a row counts if its parent's id is above the place
//
// It rises while the keeper is deleted, and falls once the keeper is restored.
// Where there is no row of "recounts" the rows count if the keeper is there.
// Statements that read a count correct it by the rows that the job has not come
// to (see Shown), so that it is exact meanwhile.
//
// Without a table of jobs, and where ids are texts or UUIDs, the deletion writes all counts
// itself. "recounts_keyed" has what is left where such ids are deleted and removed.

// recountsTable holds what is left to count. SQLite and PostgreSQL have the same.
const recountsTable = "recounts"

// keyedTable holds what is left to do where ids are texts or UUIDs.
const keyedTable = recountsTable + "_keyed"

// recountBatch is how many rows a step takes, which bounds how long others wait.
const recountBatch = 500

// highest is above any id.
const highest = "9223372036854775807"

// recounts are the triggers that take from counts what a keeper's rows have
// added once it is deleted softly, or for good, and add it again once it is
// restored. By the time at which a removal takes its rows along there is no
// keeper any more, so that their own trigger leaves the counts alone.
func recounts(m *model.Model, relations []*relation) []trigger {
	var triggers []trigger
	for _, later := range []bool{true, false} {
		kept := map[string][]*relation{}
		var keepers []string
		for _, r := range relations {
			if r.later != later {
				continue
			}
			if kept[r.keepers] == nil {
				keepers = append(keepers, r.keepers)
			}
			kept[r.keepers] = append(kept[r.keepers], r)
		}
		for _, keeper := range keepers {
			if later {
				triggers = append(triggers, postpone(keeperOf(m, keeper), kept[keeper]))
			} else {
				triggers = append(triggers, recountMoved(keeper, kept[keeper]))
			}
			triggers = append(triggers, removal(keeper, kept[keeper]))
		}
	}
	return triggers
}

// recountMoved is the trigger for keepers that are deleted and restored.
func recountMoved(keeper string, relations []*relation) trigger {
	return recount(keeper, "update", keptMoved, "NEW", `CASE WHEN NEW."deleted_at" IS NULL THEN 1 ELSE -1 END`, relations)
}

// keptMoved is the condition under which a keeper is deleted or restored.
const keptMoved = `(OLD."deleted_at" IS NULL) <> (NEW."deleted_at" IS NULL)`

// removal is the trigger for keepers that are removed for good.
func removal(keeper string, relations []*relation) trigger {
	if !relations[0].later {
		return recount(keeper, "delete", `OLD."deleted_at" IS NULL`, "OLD", "-1", relations)
	}
	t := recount(keeper, "delete", "", "OLD", "-1", relations)
	forget := fmt.Sprintf("DELETE FROM %q WHERE \"keepers\" = '%s' AND \"keeper\" = OLD.\"id\";", recountsTable, keeper)
	t.body, t.lite = append(t.body, forget), append(t.lite, forget)
	return t
}

func recount(keeper, on, when, row, sign string, relations []*relation) trigger {
	t := trigger{name: "recount_" + keeper + "_on_" + on, table: keeper, on: on, when: when, first: on == "delete"}
	if relations[0].keyed {
		t.name = "recount_" + keeper + "_keyed_on_" + on
	}
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
	return fmt.Sprintf("SELECT \"child\".%q FROM %q AS \"child\" WHERE %s", r.fk, r.child, r.counting(row))
}

// counting is the condition on rows of the child that they are the keeper's, and
// have been counted: the keeper is a row that is removed or, without recounts,
// deleted or restored.
func (r *relation) counting(row string) string {
	theirs := fmt.Sprintf("\"child\".%q = %s.\"id\"", r.while, row)
	if !r.later {
		return theirs
	}
	return fmt.Sprintf("%s AND COALESCE((SELECT \"child\".%q > \"recount\".\"place\" FROM %q AS \"recount\" WHERE %s AND \"recount\".\"keeper\" = %s.\"id\"), %[5]s.\"deleted_at\" IS NULL)",
		theirs, r.fk, recountsTable, r.pending(), row)
}

// pending is the condition on rows of recounts that they are the relation's.
func (r *relation) pending() string {
	return fmt.Sprintf("\"recount\".\"keepers\" = '%s' AND \"recount\".\"relation\" = '%s'", r.keepers, r.name())
}

// recount adds what the keeper's rows count for, or takes it away. Where keepers
// are gone already, the parents that go with them stay as they are: they go
// next, and could not be written twice while they refer to no row.
func (r *relation) recount(row, sign string, gone bool) string {
	var set []string
	for _, c := range r.counters {
		set = append(set, fmt.Sprintf("%q = %q + (%s) * (SELECT COALESCE(sum(%s), 0) FROM %q AS \"child\" WHERE \"child\".%q = %q.\"id\" AND %s)",
			c.column, c.column, sign, c.adds(`"child"`), r.child, r.fk, r.parent, r.counting(row)))
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

// postpone is the trigger that writes down what a deletion or a restoration
// leaves to count, and the job that does it. A job that is under way for the
// keeper goes on in the other direction: its row is locked, so that it does not
// end meanwhile without having seen that there is more.
func postpone(k keeper, relations []*relation) trigger {
	keeper := k.table
	t := trigger{name: "recount_" + keeper + "_on_update", table: keeper, on: "update", when: keptMoved}
	for _, r := range relations {
		t.body = append(t.body, fmt.Sprintf("INSERT INTO %q (\"keepers\", \"keeper\", \"relation\", \"place\", \"away\", \"steps\")\n"+
			"\tVALUES ('%s', NEW.\"id\", '%s', CASE WHEN NEW.\"deleted_at\" IS NULL THEN %s ELSE 0 END, NEW.\"deleted_at\" IS NOT NULL, 0)\n"+
			"\tON CONFLICT (\"keepers\", \"keeper\", \"relation\") DO UPDATE SET \"away\" = excluded.\"away\";", recountsTable, keeper, r.name(), highest))
	}
	t.lite = append(slices.Clone(t.body), laterLite(k, ""))
	t.body = append(t.body, later(k, ""))
	return t
}

// keeper is a table of keepers, some of whose work is in the keyed table where keyed is set.
type keeper struct {
	table string
	keyed bool
}

// kind is the kind of the job: processes from before there was a keyed table do not take one
// that looks there.
func (k keeper) kind() string {
	if k.keyed {
		return "recount_keyed"
	}
	return "recount"
}

func keeperOf(m *model.Model, table string) keeper {
	return keeper{table, slices.ContainsFunc(m.Entities, func(e *model.Entity) bool {
		return e.Type.Table() == table && (!byNumbers(e) || mixed(e))
	})}
}

// mixed reports whether rows with other ids than numbers are deleted with those of the entity.
func mixed(e *model.Entity) bool {
	return slices.ContainsFunc(taken(e, true), func(c *cascade) bool { return c.keyed() })
}

// later makes the job that does what is left of a keeper, where the condition holds;
// empty is always.
func later(k keeper, when string) string {
	return job("INSERT", "json_build_object", k, "::jsonb", postgresNow, when,
		fmt.Sprintf("\n\tON CONFLICT (\"kind\", \"unique_key\") WHERE \"finished_at\" IS NULL DO UPDATE SET \"kind\" = '%s'", k.kind()))
}

// laterLite is later on SQLite.
func laterLite(k keeper, when string) string {
	return job("INSERT OR IGNORE", "json_object", k, "", SQLiteNow, when, "")
}

func job(insert, object string, k keeper, cast, now, when, conflict string) string {
	values := fmt.Sprintf("'%s', 'queued', 0, 0, 1000000, %s('keepers', '%s', 'keeper', NEW.\"id\")%s, 'bulk', '%[3]s ' || NEW.\"id\", 0, 0, %[5]s, %[5]s, %[5]s, %[5]s",
		k.kind(), object, k.table, cast, now)
	if when == "" {
		values = "VALUES (" + values + ")"
	} else {
		values = "SELECT " + values + " WHERE " + when
	}
	return fmt.Sprintf("%s INTO \"jobs\" (\"kind\", \"status\", \"progress\", \"attempts\", \"max_attempts\", \"args\", \"queue\", \"unique_key\",\n"+
		"\t\t\"fence\", \"generation\", \"run_at\", \"ring_at\", \"created_at\", \"updated_at\")\n\t%s%s;", insert, values, conflict)
}

// pendingTables are the tables of what is left to count, to delete and to remove, if any of
// it is left to a job.
func pendingTables(m *model.Model, relations []*relation) []Object {
	later := slices.ContainsFunc(relations, func(r *relation) bool { return r.later })
	keyed := false
	for _, e := range m.Entities {
		for _, c := range taken(e, m.HasJobs()) {
			later, keyed = later || c.later, keyed || c.later && c.keyed()
		}
		later, keyed = later || e.InSteps, keyed || e.InSteps && !byNumbers(e)
	}
	if !later {
		return nil
	}
	made := func(table, id, place string) Object {
		return Object{Name: table, First: true, Create: fmt.Sprintf("CREATE TABLE %q (\"keepers\" text NOT NULL, \"keeper\" %s NOT NULL, \"relation\" text NOT NULL,\n"+
			"\t\"place\" %s, \"away\" boolean NOT NULL, \"steps\" bigint NOT NULL, PRIMARY KEY (\"keepers\", \"keeper\", \"relation\"))", table, id, place)}
	}
	all := []Object{made(recountsTable, "bigint", "bigint NOT NULL")}
	if keyed {
		all = append(all, made(keyedTable, "text", "text"))
	}
	return all
}

// steps are the triggers by which the job counts: it adds to "steps" of the rows of
// a keeper, whose row it has locked, and each relation then takes one batch.
// Whoever adds a row of the keeper's holds a key lock on the keeper meanwhile (of
// the foreign key), so that none is passed over that was not committed yet. Whoever
// removes one locks the parent first, and reads the place then.
func steps(relations []*relation) (all []trigger) {
	for _, r := range relations {
		if r.later {
			all = append(all, r.step())
		}
	}
	return all
}

func (r *relation) step() trigger {
	mine := fmt.Sprintf("\"keepers\" = '%s' AND \"keeper\" = NEW.\"keeper\" AND \"relation\" = '%s'", r.keepers, r.name())
	next := func(pick, beyond, order, end string) string {
		return fmt.Sprintf("COALESCE((SELECT %s FROM (SELECT \"child\".%q AS \"key\" FROM %q AS \"child\" WHERE \"child\".%q = NEW.\"keeper\" AND \"child\".%[2]q %[5]s NEW.\"place\" ORDER BY \"child\".%[2]q%[6]s LIMIT %[7]d) AS \"next\"), %[8]s)",
			pick, r.fk, r.child, r.while, beyond, order, recountBatch, end)
	}
	reached := fmt.Sprintf("(SELECT \"place\" FROM %q WHERE %s)", recountsTable, mine)
	batch := fmt.Sprintf("SELECT \"child\".%q FROM %q AS \"child\" WHERE \"child\".%q = NEW.\"keeper\" AND \"child\".%[1]q > CASE WHEN NEW.\"away\" THEN NEW.\"place\" ELSE %[4]s END AND \"child\".%[1]q <= CASE WHEN NEW.\"away\" THEN %[4]s ELSE NEW.\"place\" END",
		r.fk, r.child, r.while, reached)
	var set []string
	for _, c := range r.counters {
		set = append(set, fmt.Sprintf("%q = %[1]q + CASE WHEN NEW.\"away\" THEN -1 ELSE 1 END * (SELECT COALESCE(sum(%s), 0) FROM %q AS \"child\" WHERE \"child\".%q = %q.\"id\" AND \"child\".%q = NEW.\"keeper\")",
			c.column, c.adds(`"child"`), r.child, r.fk, r.parent, r.while))
	}
	move := fmt.Sprintf("UPDATE %q SET \"place\" = CASE WHEN NEW.\"away\" THEN %s ELSE %s END WHERE %s;", recountsTable,
		next(`max("next"."key")`, ">", "", highest), next(`min("next"."key") - 1`, "<=", " DESC", "0"), mine)
	write := fmt.Sprintf("UPDATE %q SET %s WHERE \"id\" IN (%s);", r.parent, strings.Join(set, ", "), batch)
	end := fmt.Sprintf("DELETE FROM %q WHERE %s AND \"place\" = CASE WHEN \"away\" THEN %s ELSE 0 END;", recountsTable, mine, highest)
	return trigger{
		name: "recount_" + r.name(), table: recountsTable, on: "update of steps", when: fmt.Sprintf("NEW.\"keepers\" = '%s' AND NEW.\"relation\" = '%s'", r.keepers, r.name()),
		body: []string{move, fmt.Sprintf("PERFORM 1 FROM %q WHERE \"id\" IN (%s) ORDER BY \"id\" FOR NO KEY UPDATE;", r.parent, batch), write, end},
		lite: []string{move, write, end},
	}
}

// Shown is the expression for the field's value while keepers are recounted, in
// which {row} stands for the row. It is empty for a field that is always as its
// column has it, and for one with an index: to look at what is left to count would
// keep listings from being sorted by that, so that it is right once the job is done.
func Shown(m *model.Model, f *model.Field) string {
	if a, _ := model.FieldAnnotation(f.Type.Annotations); a.Tally == nil || !f.Scanned {
		return ""
	}
	for _, r := range relations(m, f.Entity) {
		for _, c := range r.counters {
			if c.column != f.Type.StorageKey() || !r.later {
				continue
			}
			// Whether there is anything to count is seen once for a statement. The order of
			// the tables is said: the first is as good as always empty.
			return fmt.Sprintf("CASE WHEN EXISTS (SELECT 1 FROM %[3]q) THEN {row}.%[1]q + COALESCE((SELECT CAST(sum(CAST(CASE WHEN \"recount\".\"away\" THEN -1 ELSE 1 END AS bigint) * %[2]s) AS bigint) FROM %[3]q AS \"recount\" CROSS JOIN %[4]q AS \"child\" "+
				"WHERE %[5]s AND \"child\".%[6]q = \"recount\".\"keeper\" AND \"child\".%[7]q = {row}.\"id\" AND (\"child\".%[7]q > \"recount\".\"place\") = \"recount\".\"away\"), 0) ELSE {row}.%[1]q END",
				c.column, c.adds(`"child"`), recountsTable, r.child, r.pending(), r.while, r.fk)
		}
	}
	return ""
}

// turns have PostgreSQL's writers of what keepers keep, any number of them at
// once, and who deletes or restores a keeper, one alone, take turns: before
// their statement locks a row. Without a table of jobs a deletion writes rows of
// many others, and who these are changes while it waits for them, so that no order
// of locks would keep it and the others from waiting for each other.
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
		if r.later {
			continue
		}
		add("recount_"+r.keepers+"_alone", "pg_advisory_xact_lock", r.keepers, `UPDATE OF "deleted_at" OR DELETE`, r.keepers)
		add("recount_"+r.keepers+"_with_"+r.child, "pg_advisory_xact_lock_shared", r.keepers, "INSERT OR UPDATE OR DELETE", r.child)
		if r.parent != r.keepers { // its removal takes rows of the child along
			add("recount_"+r.keepers+"_with_"+r.parent, "pg_advisory_xact_lock_shared", r.keepers, "DELETE", r.parent)
		}
	}
	return objects
}
