package policy

// With names the rows with which those of an entity are deleted softly
// (expose.DeletedWith): a post goes with its author.
//
//	policy.Rules{SoftDelete: true, With: policy.With{Column: "author_id", Table: "users"}, …}
//
// The deletion of such a row then takes a bounded number of rows along, and a job the
// others, a batch at a time (doc/schema/deletion.md). Rows that the job has not come to
// are read as deleted ones. The service has a table of jobs: else the deletion takes all
// of them along, and With stays empty.
type With struct {
	// Column is the entity's foreign key, and Table the table that it leads to.
	Column, Table string
	// Keyed is set where ids on one of the two sides are texts or UUIDs.
	Keyed bool
}

// There returns the rows that are not deleted softly, nor going to be with another
// row.
func (r Rules) There() Rule {
	there := Null("deleted_at")
	if r.With == (With{}) {
		return there
	}
	return Rule{op: opAll, rules: []Rule{there, r.With.stays(false)}, settled: true}
}

// kept returns the rows that are there for those who read deleted ones, too: those that are
// not being removed for good, on their own or with another row. A removal that is left
// to a job sets deleted_with to 0, which is the id of no row.
func (r Rules) kept() Rule {
	kept := Rule{op: opKept, column: "deleted_with", settled: true}
	if r.With == (With{}) {
		return kept
	}
	return Rule{op: opAll, rules: []Rule{kept, r.With.stays(true)}, settled: true}
}

// stays returns the rows that no deletion at work takes along, or no removal.
func (w With) stays(removal bool) Rule {
	d := &details{table: w.Table}
	if removal {
		d.foreign = "removal"
	}
	if w.Keyed {
		d.values = []any{"keyed"}
	}
	return Rule{op: opStays, column: w.Column, details: d, settled: true}
}

// writeStays writes that no deletion is at work that takes the row along. The table of
// what is left to do (see kit/codegen/triggers) is as good as always empty: databases
// read the keepers in it once for a statement. Rows that are left to count have
// relations of other names there, and a removal one that is "with_" alone. A row
// without a keeper stays, which NOT IN would not say.
func (r Rule) writeStays(w Writer, alias, inner string) {
	if r.leftOut(w) {
		w.WriteString("1=1")
		return
	}
	own, end, table := "(", "", "recounts"
	if r.keyed() { // ids are texts in that table
		own, end, table = "(CAST(", " AS text)", "recounts_keyed"
	}
	relation := `SUBSTR("` + inner + `"."relation", 1, 5)`
	if r.foreign != "" {
		relation = `"` + inner + `"."relation"`
	}
	w.WriteString(own)
	r.writeOwn(w, alias)
	w.WriteString(end + ` IN (SELECT "` + inner + `"."keeper" FROM "` + table + `" AS "` + inner + `" WHERE "` + inner + `"."keepers" = ` + literal(r.column, r.table) +
		` AND "` + inner + `"."away" AND ` + relation + ` = 'with_')) IS NOT TRUE`)
}

// keyed reports whether the deletion at work is in the table of ids that are texts.
func (r Rule) keyed() bool { return len(r.values) > 0 }

// leftOut reports whether the statement finds out by itself whether deletions are at work.
func (r Rule) leftOut(w Writer) bool {
	b, ok := w.(Brief)
	return ok && b.LeaveOut(r.keyed())
}

// writeKept writes that the row is not being removed for good.
func (r Rule) writeKept(w Writer, alias string) {
	w.WriteString("(")
	writeColumn(w, alias, r.column)
	w.WriteString(" IS NULL OR ")
	writeColumn(w, alias, r.column)
	w.WriteString(" <> 0)")
}
