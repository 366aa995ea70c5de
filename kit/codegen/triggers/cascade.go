package triggers

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"

	"entgo.io/ent/entc/gen"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/model"
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
// Without a table of jobs, and where ids are texts or UUIDs, the write takes all rows along.

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
}

// taken are the tables whose rows are deleted with those of the entity.
func taken(e *model.Entity, jobs bool) (all []*cascade) {
	if !e.SoftDelete {
		return nil
	}
	for _, edge := range e.DeletedWith() {
		c := &cascade{keepers: e.Type.Table(), child: edge.To.Type.Table(), by: edge.FarKey().StorageKey()}
		c.later = jobs && byNumbers(e) && byNumbers(edge.To)
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
			t.body = append(t.body, c.write("NEW", "", postgresNow)...)
			t.lite = append(t.lite, c.write("NEW", "", SQLiteNow)...)
		}
		if len(later) > 0 {
			body, lite := taking(e.Type.Table(), later)
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
func taking(keepers string, with []*cascade) (body, lite []string) {
	names := make([]string, len(with))
	for i, c := range with {
		names[i] = "'" + c.name() + "'"
		body = append(body, fmt.Sprintf("INSERT INTO %q (\"keepers\", \"keeper\", \"relation\", \"place\", \"away\", \"steps\")\n"+
			"\tVALUES ('%s', NEW.\"id\", '%s', 0, NEW.\"deleted_at\" IS NOT NULL, 0)\n"+
			"\tON CONFLICT (\"keepers\", \"keeper\", \"relation\") DO UPDATE SET \"away\" = excluded.\"away\", \"place\" = 0;", recountsTable, keepers, c.name()))
	}
	left := fmt.Sprintf("\"keepers\" = '%s' AND \"keeper\" = NEW.\"id\" AND \"relation\" IN (%s)", keepers, strings.Join(names, ", "))
	body = append(body, fmt.Sprintf("UPDATE %q SET \"steps\" = \"steps\" + 1 WHERE %s;", recountsTable, left))
	pending := fmt.Sprintf("EXISTS (SELECT 1 FROM %q WHERE %s)", recountsTable, left)
	return append(slices.Clone(body), later(keepers, pending)), append(body, laterLite(keepers, pending))
}

// name identifies the remaining work of it in the queue.
func (c *cascade) name() string { return "with_" + c.child }

// write deletes or restores the rows of a keeper: all, or those that the condition
// selects. The row is a keeper's, or one of recounts.
func (c *cascade) write(row, selected, now string) []string {
	keeper, away, at := row+`."id"`, row+`."deleted_at" IS NOT NULL`, row+`."deleted_at"`
	if selected != "" {
		keeper, away = row+`."keeper"`, row+`."away"`
		at = fmt.Sprintf("(SELECT \"deleted_at\" FROM %q WHERE \"id\" = %s)", c.keepers, keeper)
	}
	changed := ""
	if c.changed != "" {
		changed = fmt.Sprintf(", %q = %s", c.changed, now)
	}
	where, with := cmp.Or(selected, fmt.Sprintf("%q = %s", c.by, keeper)), cmp.Or(c.mark, keeper)
	return []string{
		fmt.Sprintf("UPDATE %q SET \"deleted_at\" = %s, \"deleted_with\" = %s%s WHERE %s AND \"deleted_at\" IS NULL AND %s;", c.child, at, with, changed, where, away),
		fmt.Sprintf("UPDATE %q SET \"deleted_at\" = NULL, \"deleted_with\" = NULL%s WHERE %s AND \"deleted_with\" = %s AND NOT (%s);", c.child, changed, where, with, away),
	}
}

// step is the trigger by which the job goes on: see steps.
func (c *cascade) step() trigger {
	beginning := map[bool]string{true: "'-infinity'", false: "''"} // less than any time
	body := func(postgres bool, now string) []string {
		next := func(columns, end string) string {
			return fmt.Sprintf("SELECT %s FROM %q WHERE %q = NEW.\"keeper\" AND %s ORDER BY %s LIMIT %s",
				columns, c.child, c.by, c.after(beginning[postgres]), quotedList(c.order), end)
		}
		batch := fmt.Sprintf("\"id\" IN (%s)", next(`"id"`, fmt.Sprint(recountBatch)))
		mine := fmt.Sprintf("\"keepers\" = '%s' AND \"keeper\" = NEW.\"keeper\" AND \"relation\" = '%s'", c.keepers, c.name())
		statements := c.write("NEW", batch, now)
		if postgres {
			statements = append([]string{fmt.Sprintf("PERFORM 1 FROM %q WHERE %s ORDER BY \"id\" FOR NO KEY UPDATE;", c.child, batch)}, statements...)
		}
		return append(statements,
			fmt.Sprintf("UPDATE %q SET \"place\" = COALESCE((%s), %s) WHERE %s;", recountsTable, next(`"id"`, fmt.Sprintf("1 OFFSET %d", recountBatch-1)), highest, mine),
			fmt.Sprintf("DELETE FROM %q WHERE %s AND \"place\" = %s;", recountsTable, mine, highest))
	}
	return trigger{
		name: "recount_" + c.name(), table: recountsTable, on: "update of steps", when: fmt.Sprintf("NEW.\"keepers\" = '%s' AND NEW.\"relation\" = '%s'", c.keepers, c.name()),
		body: body(true, postgresNow), lite: body(false, SQLiteNow),
	}
}

// after is the condition that a row comes after the place. Should the row there be
// gone, the job begins anew: it passes over what is done.
func (c *cascade) after(beginning string) string {
	if len(c.order) == 1 {
		return fmt.Sprintf("%q > NEW.\"place\"", c.order[0])
	}
	return fmt.Sprintf("(%s) > (COALESCE((SELECT \"reached\".%q FROM %q AS \"reached\" WHERE \"reached\".\"id\" = NEW.\"place\"), %s), NEW.\"place\")",
		quotedList(c.order), c.order[0], c.child, beginning)
}

func quotedList(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = fmt.Sprintf("%q", name)
	}
	return strings.Join(quoted, ", ")
}
