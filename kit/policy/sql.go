package policy

import (
	"fmt"
	"strconv"
	"strings"
)

// Writer takes a predicate as SQL text and arguments. Ent's *sql.Builder is wrapped
// into one here; package read has its own.
type Writer interface {
	// WriteString writes verbatim SQL.
	WriteString(text string)
	// Arg writes a placeholder for the value.
	Arg(value any)
}

// Brief is a [Writer] of a statement that finds out by itself whether deletions are at
// work, and is written anew where any is: conditions on that (see [With]) are left out.
type Brief interface {
	Writer
	// LeaveOut notes that a condition is left out, which asks the table of deletions of ids
	// that are texts where keyed is set. It reports false where none is to be.
	LeaveOut(keyed bool) bool
}

// Write writes a folded rule as a boolean SQL expression over the columns of the table
// with the alias. The alias may be empty where the rule has no conditions on related
// rows: in their subqueries a bare name would mean a column of theirs. Only ids of
// the user, the API key and the tenant are arguments, and the row's values given to
// [Rule.Of]. Other values stand in the text, so that it is one text for all users with a
// role, and matches partial indexes.
func (r Rule) Write(w Writer, alias string) { r.write(w, alias, 0) }

func (r Rule) write(w Writer, alias string, depth int) {
	switch r.op {
	case opAlways:
		w.WriteString("1=1")
	case opNever:
		w.WriteString("1=0")
	case opOwner:
		writeColumn(w, alias, r.column)
		w.WriteString(" = ")
		w.Arg(r.value)
	case opIs:
		r.writeIs(w, alias)
	case opIn:
		r.writeIn(w, alias)
	case opLess:
		writeColumn(w, alias, r.column)
		w.WriteString(" < ")
		writeColumn(w, alias, r.foreign)
	case opNull:
		writeColumn(w, alias, r.column)
		w.WriteString(" IS NULL")
	case opAny:
		r.writeList(w, alias, " OR ", depth)
	case opAll:
		r.writeList(w, alias, " AND ", depth)
	case opNot:
		// A NULL inside must not make the negation unknown.
		w.WriteString("NOT COALESCE((")
		r.rules[0].write(w, alias, depth)
		w.WriteString("), FALSE)")
	case opRelated, opAnother:
		inner, compares := "r"+strconv.Itoa(depth), " = "
		if r.op == opAnother {
			compares = " <> "
		}
		w.WriteString(`EXISTS (SELECT 1 FROM "`)
		w.WriteString(r.table)
		w.WriteString(`" AS "`)
		w.WriteString(inner)
		w.WriteString(`" WHERE `)
		writeColumn(w, inner, r.foreign)
		w.WriteString(compares)
		r.writeOwn(w, alias)
		if !r.rules[0].Always() {
			w.WriteString(" AND ")
			r.rules[0].write(w, inner, depth+1)
		}
		w.WriteString(")")
	case opKept:
		r.writeKept(w, alias)
	case opStays:
		r.writeStays(w, alias, "r"+strconv.Itoa(depth))
	default:
		panic(fmt.Sprintf("policy: a rule about the viewer is written before For (op %d)", r.op))
	}
}

// writeOwn writes the row's own column that related rows are compared with, or its value.
func (r Rule) writeOwn(w Writer, alias string) {
	if r.value != nil {
		w.Arg(r.value)
		return
	}
	if alias == "" {
		panic("policy: a rule about related rows is written without an alias")
	}
	writeColumn(w, alias, r.column)
}

func (r Rule) writeIs(w Writer, alias string) {
	if value, ok := r.value.(bool); ok {
		if !value {
			w.WriteString("NOT ")
		}
		writeColumn(w, alias, r.column)
		return
	}
	writeColumn(w, alias, r.column)
	w.WriteString(" = " + literal(r.column, r.value))
}

func (r Rule) writeIn(w Writer, alias string) {
	if len(r.values) == 0 {
		w.WriteString("1=0")
		return
	}
	writeColumn(w, alias, r.column)
	w.WriteString(" IN (")
	for i, value := range r.values {
		if i > 0 {
			w.WriteString(", ")
		}
		w.WriteString(literal(r.column, value))
	}
	w.WriteString(")")
}

// literal is a value that a schema names, in SQL.
func literal(column string, value any) string {
	switch value := value.(type) {
	case string:
		return "'" + strings.ReplaceAll(value, "'", "''") + "'"
	case int:
		return strconv.Itoa(value)
	}
	panic(fmt.Sprintf("policy: Is(%q, %T): a string, a bool or an int is allowed", column, value))
}

func (r Rule) writeList(w Writer, alias, separator string, depth int) {
	w.WriteString("(")
	first := true
	for _, rule := range r.rules {
		if r.op == opAll && rule.op == opStays && rule.leftOut(w) {
			continue
		}
		if !first {
			w.WriteString(separator)
		}
		first = false
		rule.write(w, alias, depth)
	}
	if first { // of all rules
		w.WriteString("1=1")
	}
	w.WriteString(")")
}

func writeColumn(w Writer, alias, column string) {
	if alias != "" {
		w.WriteString(`"`)
		w.WriteString(alias)
		w.WriteString(`".`)
	}
	w.WriteString(`"`)
	w.WriteString(column)
	w.WriteString(`"`)
}
