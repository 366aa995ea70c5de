package triggers

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"

	"entgo.io/ent/entc/gen"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/gid"
)

// To delete a row softly deletes others with it (expose.DeletedWith), and to restore it
// restores those. There may be a million of them. The write takes the first batch along,
// which is all of them for most rows, and leaves the rest to the job that counts
// what follows from a deletion, too (see recounts): a row of "recounts" for each table, in
// which "place" is the id of the row that the job has come to. Rows that a deletion has
// not come to are hidden by their policy (policy.With), and a restoration brings rows
// back as it comes to them. To restore in the midst of a deletion, or the other way
// round, begins from the first row again, in the other direction.
//
// Where ids on either side are texts or UUIDs, the row is one of "recounts_keyed", whose
// "place" is null before the first row. Without a table of jobs the write takes all rows along.

// cascade is the foreign key from rows to the rows that they are deleted with.
type cascade struct {
	keepers, child string
	// by is the child's column that names a row of the table of keepers.
	by string
	// order are the columns that the job follows, which an index has after by.
	order []string
	// changed is the child's time of the last change, empty where it has none.
	changed string
	// mark is the value of deleted_with in rows that were deleted with a keeper whose id is
	// no number, empty for the keeper's id. It is negative, as no id is, and that of no
	// other relation of the child: the keeper itself is in by.
	mark string
	// later is set where the write leaves rows to the job.
	later bool
	// ids and keeperIDs are the forms of the ids of the child and of the keeper.
	ids, keeperIDs gid.Form
}

// keyed reports whether ids on either side are texts or UUIDs.
func (c *cascade) keyed() bool { return c.ids != gid.Numbers || c.keeperIDs != gid.Numbers }

// table holds what is left of it to do.
func (c *cascade) table() string {
	if c.keyed() {
		return keyedTable
	}
	return recountsTable
}

// taken are the tables whose rows are deleted with those of the entity.
func taken(e *model.Entity, jobs bool) (all []*cascade) {
	if !e.SoftDelete {
		return nil
	}
	for _, edge := range e.DeletedWith() {
		c := &cascade{keepers: e.Type.Table(), child: edge.To.Type.Table(), by: edge.FarKey().StorageKey(), later: jobs}
		c.ids, c.keeperIDs = model.IDsOf(edge.To.Type.ID), model.IDsOf(e.Type.ID)
		if !byNumbers(e) {
			c.mark = fmt.Sprintf("-%d", int64(crc32.ChecksumIEEE([]byte(c.keepers+"."+c.by)))+1)
		}
		c.order = followed(edge.To.Type, c.by)
		for _, f := range edge.To.Type.Fields {
			if f.UpdateDefault && f.Type.Type == field.TypeTime {
				c.changed = f.StorageKey()
			}
		}
		all = append(all, c)
	}
	return all
}

// followed are the columns of an index that begins with by and has each row once: a
// time, which no row is without, and the id. Where there is none it is the id alone.
func followed(t *gen.Type, by string) []string {
	for _, i := range t.Indexes {
		if len(i.Columns) != 3 || i.Columns[0] != by || i.Columns[2] != t.ID.StorageKey() {
			continue
		}
		for _, f := range t.Fields {
			if f.StorageKey() == i.Columns[1] && f.Type.Type == field.TypeTime && f.Immutable && !f.Optional {
				return i.Columns[1:]
			}
		}
	}
	return []string{t.ID.StorageKey()}
}

// cascades are the triggers that delete and restore rows with others.
func cascades(m *model.Model) (all []trigger) {
	for _, e := range m.Entities {
		t := trigger{name: "cascade_" + e.Type.Table() + "_on_update", table: e.Type.Table(), on: "update", when: itself}
		var later []*cascade
		var steps []trigger
		for _, c := range taken(e, m.HasJobs()) {
			if c.later {
				later, steps = append(later, c), append(steps, c.step())
				continue
			}
			t.body = append(t.body, c.write("", true)...)
			t.lite = append(t.lite, c.write("", false)...)
		}
		if len(later) > 0 {
			body, lite := taking(keeperOf(m, e.Type.Table()), later)
			t.body, t.lite = append(t.body, body...), append(t.lite, lite...)
		}
		if len(t.body) > 0 {
			all = append(append(all, t), steps...)
		}
	}
	return all
}

// itself is the condition under which a keeper is deleted or restored, and not with
// another row.
const itself = keptMoved + ` AND OLD."deleted_with" IS NULL AND NEW."deleted_with" IS NULL`

// taking are the statements that take the first batches along, and leave the rest to the
// job.
func taking(k keeper, with []*cascade) (body, lite []string) {
	names := map[string][]string{} // by the tables of what is left
	for _, c := range with {
		id, place := `NEW."id"`, "0"
		if c.keyed() {
			id, place = `CAST(NEW."id" AS text)`, "NULL"
		}
		names[c.table()] = append(names[c.table()], "'"+c.name()+"'")
		body = append(body, fmt.Sprintf("INSERT INTO %q (\"keepers\", \"keeper\", \"relation\", \"place\", \"away\", \"steps\")\n"+
			"\tVALUES ('%s', %s, '%s', %s, NEW.\"deleted_at\" IS NOT NULL, 0)\n"+
			"\tON CONFLICT (\"keepers\", \"keeper\", \"relation\") DO UPDATE SET \"away\" = excluded.\"away\", \"place\" = %[5]s;", c.table(), k.table, id, c.name(), place))
	}
	var pending []string
	for _, table := range []string{recountsTable, keyedTable} {
		if len(names[table]) == 0 {
			continue
		}
		left := fmt.Sprintf("%s AND \"relation\" IN (%s)", of(table, k.table, "NEW"), strings.Join(names[table], ", "))
		body = append(body, fmt.Sprintf("UPDATE %q SET \"steps\" = \"steps\" + 1 WHERE %s;", table, left))
		pending = append(pending, fmt.Sprintf("EXISTS (SELECT 1 FROM %q WHERE %s)", table, left))
	}
	when := strings.Join(pending, " OR ")
	return append(slices.Clone(body), later(k, when)), append(body, laterLite(k, when))
}

// of is the condition that a row of one of the tables of what is left to do is about the
// keeper, which is OLD or NEW.
func of(table, keepers, row string) string {
	id := row + `."id"`
	if table == keyedTable {
		id = "CAST(" + id + " AS text)"
	}
	return fmt.Sprintf("\"keepers\" = '%s' AND \"keeper\" = %s", keepers, id)
}

// name identifies the remaining work of it in the queue.
func (c *cascade) name() string { return "with_" + c.child }

// id is the id in the column, which is text where the cascade is keyed. SQLite has UUIDs as
// texts, and would cast one to a number.
func (c *cascade) id(column string, form gid.Form, postgres bool) string {
	switch {
	case !c.keyed(), form == gid.Texts, form == gid.UUIDs && !postgres:
		return column
	case form == gid.UUIDs:
		return "CAST(" + column + " AS uuid)"
	}
	return "CAST(" + column + " AS bigint)"
}

// write deletes or restores the rows of a keeper, which is NEW: all, or those that the
// condition selects, and NEW is the row of what is left to do then.
func (c *cascade) write(selected string, postgres bool) []string {
	keeper, away, at := `NEW."id"`, `NEW."deleted_at" IS NOT NULL`, `NEW."deleted_at"`
	if selected != "" {
		keeper, away = c.id(`NEW."keeper"`, c.keeperIDs, postgres), `NEW."away"`
		at = fmt.Sprintf("(SELECT \"deleted_at\" FROM %q WHERE \"id\" = %s)", c.keepers, keeper)
	}
	changed := ""
	if c.changed != "" {
		changed = fmt.Sprintf(", %q = %s", c.changed, map[bool]string{true: postgresNow, false: SQLiteNow}[postgres])
	}
	where, with := cmp.Or(selected, fmt.Sprintf("%q = %s", c.by, keeper)), cmp.Or(c.mark, keeper)
	return []string{
		fmt.Sprintf("UPDATE %q SET \"deleted_at\" = %s, \"deleted_with\" = %s%s WHERE %s AND \"deleted_at\" IS NULL AND %s;", c.child, at, with, changed, where, away),
		fmt.Sprintf("UPDATE %q SET \"deleted_at\" = NULL, \"deleted_with\" = NULL%s WHERE %s AND \"deleted_with\" = %s AND NOT (%s);", c.child, changed, where, with, away),
	}
}

// step is the trigger by which the job goes on: see steps.
func (c *cascade) step() trigger {
	body := func(postgres bool) []string {
		next := func(columns, end string) string {
			return fmt.Sprintf("SELECT %s FROM %q WHERE %q = %s AND %s ORDER BY %s LIMIT %s",
				columns, c.child, c.by, c.id(`NEW."keeper"`, c.keeperIDs, postgres), c.after(postgres), quotedList(c.order), end)
		}
		batch := fmt.Sprintf("\"id\" IN (%s)", next(`"id"`, fmt.Sprint(recountBatch)))
		mine := fmt.Sprintf("\"keepers\" = '%s' AND \"keeper\" = NEW.\"keeper\" AND \"relation\" = '%s'", c.keepers, c.name())
		statements := c.write(batch, postgres)
		if postgres {
			statements = append([]string{fmt.Sprintf("PERFORM 1 FROM %q WHERE %s ORDER BY \"id\" FOR NO KEY UPDATE;", c.child, batch)}, statements...)
		}
		last := fmt.Sprintf("1 OFFSET %d", recountBatch-1)
		place, end := fmt.Sprintf("COALESCE((%s), %s)", next(`"id"`, last), highest), `"place" = `+highest
		if c.keyed() {
			place, end = "("+next(`CAST("id" AS text)`, last)+")", `"place" IS NULL`
		}
		return append(statements,
			fmt.Sprintf("UPDATE %q SET \"place\" = %s WHERE %s;", c.table(), place, mine),
			fmt.Sprintf("DELETE FROM %q WHERE %s AND %s;", c.table(), mine, end))
	}
	name := "recount_" + c.name()
	if c.keyed() {
		name += "_keyed"
	}
	return trigger{
		name: name, table: c.table(), on: "update of steps", when: fmt.Sprintf("NEW.\"keepers\" = '%s' AND NEW.\"relation\" = '%s'", c.keepers, c.name()),
		body: body(true), lite: body(false),
	}
}

// after is the condition that a row comes after the place. Should the row there be
// gone, the job begins anew: it passes over what is done.
func (c *cascade) after(postgres bool) string {
	place := `NEW."place"`
	if c.keyed() {
		least := map[gid.Form]string{gid.Numbers: "0", gid.UUIDs: uuid.Nil.String()}[c.ids]
		place = c.id(fmt.Sprintf("COALESCE(%s, '%s')", place, least), c.ids, postgres)
	}
	if len(c.order) == 1 {
		return fmt.Sprintf("%q > %s", c.order[0], place)
	}
	return fmt.Sprintf("(%s) > (COALESCE((SELECT \"reached\".%q FROM %q AS \"reached\" WHERE \"reached\".\"id\" = %s), %s), %[4]s)",
		quotedList(c.order), c.order[0], c.child, place, map[bool]string{true: "'-infinity'", false: "''"}[postgres]) // less than any time
}

func quotedList(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = fmt.Sprintf("%q", name)
	}
	return strings.Join(quoted, ", ")
}
