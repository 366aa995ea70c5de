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
}

// There returns the rows that are not deleted softly, nor going to be with another
// row.
func (r Rules) There() Rule {
	there := Null("deleted_at")
	if r.With == (With{}) {
		return there
	}
	stays := Rule{op: opStays, column: r.With.Column, details: &details{table: r.With.Table}, settled: true}
	return Rule{op: opAll, rules: []Rule{there, stays}, settled: true}
}

// writeStays writes that no deletion is at work that takes the row along. The table of
// what is left to do (see kit/codegen/triggers) is as good as always empty: databases
// read the keepers in it once for a statement. What is left to count has relations of
// other names there. A row without a keeper stays, which NOT IN would not say.
func (r Rule) writeStays(w Writer, alias, inner string) {
	if leavesOut(w) {
		w.WriteString("1=1")
		return
	}
	w.WriteString("(")
	r.writeOwn(w, alias)
	w.WriteString(` IN (SELECT "` + inner + `"."keeper" FROM "recounts" AS "` + inner + `" WHERE "` + inner + `"."keepers" = ` + literal(r.column, r.table) +
		` AND "` + inner + `"."away" AND SUBSTR("` + inner + `"."relation", 1, 5) = 'with_')) IS NOT TRUE`)
}
