package triggers

import (
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/entc/gen"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/model"
)

// heard are the triggers that announce writes of tables to live lists
// (expose.Resource.Live): a row of the table of events for each row that is written, of
// the entities themselves with the columns that filters and policies ask most, as they
// were and as they are. Package live knows the triggers by their names.
func heard(m *model.Model) (all []trigger) {
	for _, t := range m.Heard() {
		var kept []*gen.Field
		for _, e := range m.Entities {
			if e.Type == t && e.Live {
				kept = e.Matched()
			}
		}
		all = append(all, hears(announced{t.Table(), model.StoredIn(t), t.Name, t, kept})...)
	}
	if len(all) > 0 {
		for _, pending := range pendingTables(m, keptRelations(m)) { // which policies ask: see policy.With
			all = append(all, hears(announced{table: pending.Name, stored: pending.Name, entity: "Recount"})...)
		}
	}
	return all
}

// announced is a table by the name that lists read it by, what has its rows, and the fields
// of the type that are announced.
type announced struct {
	table, stored, entity string
	of                    *gen.Type
	kept                  []*gen.Field
}

// hears are the triggers of a table.
func hears(a announced) []trigger {
	return []trigger{a.on("insert", "NEW"), a.on("update", "OLD", "NEW"), a.on("delete", "OLD")}
}

// on is the trigger of one statement.
func (a announced) on(on string, rows ...string) trigger {
	insert := func(xid, payload, now string) string {
		return fmt.Sprintf("INSERT INTO \"events\" (\"xid\", \"topic\", \"entity\", \"entity_id\", \"key\", \"payload\", \"created_at\")\n"+
			"\tVALUES (%s, 'live.%s', '%s', 0, 0, %s, %s);", xid, a.table, a.entity, payload, now)
	}
	postgres, sqlite := "NULL", "NULL"
	if len(a.kept) > 0 {
		postgres = a.matched(rows, "json_build_object", func(column string) string { return column }) + "::text"
		sqlite = a.matched(rows, "json_object", func(column string) string {
			return fmt.Sprintf("json(CASE WHEN %[1]s THEN 'true' WHEN NOT %[1]s THEN 'false' ELSE 'null' END)", column)
		})
	}
	return trigger{
		name: fmt.Sprintf("live_of_%s_on_%s", a.table, on), table: a.stored, on: on, announces: true, live: true,
		body: []string{insert(postgresXID, postgres, postgresNow)}, lite: []string{insert(sqliteXID, sqlite, SQLiteNow)},
	}
}

// joined are the triggers of PostgreSQL. There a call of a trigger costs as much as the row
// that it inserts, so that the trigger that announces a write to live lists has the bodies
// of the others that announce it, and its own where a process holds the lease.
func joined(all []trigger) (some []trigger) {
	write := func(t trigger) string { return t.on + " of " + t.table }
	heard, others := map[string]bool{}, map[string][]string{}
	for _, t := range all {
		heard[write(t)] = heard[write(t)] || t.live
	}
	for _, t := range all { // live ones come after the others
		switch {
		case t.live:
			t.when = held
			t.body, t.when = slices.Concat(others[write(t)], t.inside()), ""
		case t.announces && heard[write(t)]:
			others[write(t)] = append(others[write(t)], t.inside()...)
			continue
		}
		some = append(some, t)
	}
	return some
}

// lease is PostgreSQL's sequence whose value says until when a process listens, which
// package live raises (doc/internals/live-lists.md). held is the condition that one does
// now. A sequence has no versions: transactions see its value of now whatever their
// snapshot is.
const (
	lease = "live_lease"
	held  = `pg_sequence_last_value('"` + lease + `"') >> 30 > date_part('epoch', ` + postgresNow + `)`
)

// leases are the sequence, where there is what asks for it. Processes of the version
// before listen without a lease: a database that has announced anything gives them a day.
func leases(heard []trigger) []Object {
	if len(heard) == 0 {
		return nil
	}
	return []Object{{Name: lease, Create: fmt.Sprintf("DO $$ BEGIN\n\tCREATE SEQUENCE %q;\n"+
		"\tIF pg_sequence_last_value(pg_get_serial_sequence('\"events\"', 'id')::regclass) IS NOT NULL THEN\n"+
		"\t\tPERFORM setval('%[1]q', date_part('epoch', now() + interval '1 day')::bigint << 30);\n\tEND IF;\nEND $$", lease)}}
}

// matched is a JSON object of the rows by their names, with the columns.
func (a announced) matched(rows []string, object string, flag func(column string) string) string {
	all := make([]string, len(rows))
	for i, row := range rows {
		members := make([]string, len(a.kept))
		for j, f := range a.kept {
			value := model.Cell(a.of, f, row)
			if f.Type.Type == field.TypeBool {
				value = flag(value)
			}
			members[j] = fmt.Sprintf("'%s', %s", f.StorageKey(), value)
		}
		all[i] = fmt.Sprintf("'%s', %s(%s)", strings.ToLower(row), object, strings.Join(members, ", "))
	}
	return object + "(" + strings.Join(all, ", ") + ")"
}
