package planner

import (
	"fmt"
	"slices"
	"strings"

	atschema "ariga.io/atlas/sql/schema"
)

// Allow lists the losses and stops that the author of a migration accepts.
type Allow struct {
	// Drop names tables, and columns as "table.column" or alone, whose values go.
	Drop []string
	// Accept lists codes of findings that are meant.
	Accept []string
}

// Codes of what loses data. The first two are Atlas's.
const (
	codeDropTable  = "DS102"
	codeDropColumn = "DS103"
	codeNarrower   = "TY101"
	codeHalf       = "HF101"
	codeRewrite    = "LV101"
)

// loss is something whose values a migration throws away.
type loss struct {
	code, table, column, text string
	// instead are the columns or tables that appear and could be the same
	// under another name.
	instead []string
	// taken is the name that it was to have (expose.Was), which another has already.
	taken string
}

func (l loss) name() string {
	if l.column == "" {
		return l.table
	}
	return l.table + "." + l.column
}

// unclear reports whether it may be a rename.
func (l loss) unclear() bool { return len(l.instead) > 0 || l.taken != "" }

// named reports whether a name given to --drop means it.
func (l loss) named(name string) bool { return name == l.name() || name == l.column }

// derived ends the names of columns that follow from another of the table.
const derived = "_fold"

// losses are the tables, columns and values that the changes remove.
func losses(changes []atschema.Change) (all []loss) {
	for _, c := range changes {
		switch c := c.(type) {
		case *atschema.DropTable:
			all = append(all, loss{code: codeDropTable, table: c.T.Name,
				text: fmt.Sprintf("the table %s would go with all its rows", c.T.Name), instead: newTables(changes)})
		case *atschema.ModifyTable:
			all = append(all, columnLosses(c)...)
		}
	}
	return all
}

func columnLosses(m *atschema.ModifyTable) (all []loss) {
	for _, c := range m.Changes {
		switch c := c.(type) {
		case *atschema.DropColumn:
			if strings.HasSuffix(c.C.Name, derived) {
				continue
			}
			l := loss{code: codeDropColumn, table: m.T.Name, column: c.C.Name,
				text: fmt.Sprintf("%s.%s would go with its values", m.T.Name, c.C.Name)}
			for _, other := range m.Changes {
				if a, ok := other.(*atschema.AddColumn); ok && typeOf(a.C) == typeOf(c.C) && !strings.HasSuffix(a.C.Name, derived) {
					l.instead = append(l.instead, a.C.Name)
				}
			}
			all = append(all, l)
		case *atschema.ModifyColumn:
			if c.Change.Is(atschema.ChangeType) && !wider(c.From.Type.Type, c.To.Type.Type) {
				all = append(all, loss{code: codeNarrower, table: m.T.Name, column: c.To.Name,
					text: fmt.Sprintf("%s.%s becomes %s, and was %s: values may be cut or not fit", m.T.Name, c.To.Name, typeOf(c.To), typeOf(c.From))})
			}
		}
	}
	return all
}

func newTables(changes []atschema.Change) (names []string) {
	for _, c := range changes {
		if a, ok := c.(*atschema.AddTable); ok {
			names = append(names, a.T.Name)
		}
	}
	return names
}

func typeOf(c *atschema.Column) string {
	if c.Type.Raw != "" {
		return c.Type.Raw
	}
	return fmt.Sprintf("%T", c.Type.Type)
}

// wider reports whether every value of the one type is one of the other.
func wider(from, to atschema.Type) bool {
	sizes := map[string]int{"smallint": 2, "int": 4, "integer": 4, "bigint": 8, "real": 4, "double precision": 8}
	switch from := from.(type) {
	case *atschema.IntegerType:
		to, ok := to.(*atschema.IntegerType)
		return ok && sizes[from.T] <= sizes[to.T]
	case *atschema.FloatType:
		to, ok := to.(*atschema.FloatType)
		return ok && sizes[from.T] <= sizes[to.T]
	case *atschema.StringType:
		to, ok := to.(*atschema.StringType)
		return ok && (to.Size == 0 || from.Size > 0 && from.Size <= to.Size)
	}
	return false
}

// question asks whether the loss is a rename, with the line that says so.
func (l loss) question() string {
	if l.taken != "" {
		return fmt.Sprintf("expose.Was has it be called %[1]s, which is there already. Which is it?\n\trenamed: remove what is called %[1]s in this release, and rename %[2]s in the next one", l.taken, l.name())
	}
	names := strings.Join(l.instead, " or ")
	if l.column == "" {
		return fmt.Sprintf("%s is new. Which is it?\n\trenamed: expose.Was with the name that the entity or the edge of %s had, at the one of %s", names, l.table, names)
	}
	return fmt.Sprintf("%s, of the same type, is new. Which is it?\n\trenamed: expose.Was(%q) at the field %s", names, l.column, names)
}

// refusals are the questions about losses that the author has not accepted, and
// the flags that accept them.
func (a Allow) refusals(lost []loss, name string) (all, flags []string) {
	for _, l := range lost {
		flag := "--drop " + l.name()
		switch {
		case l.code == codeNarrower:
			if flag = "--accept " + l.code; slices.Contains(a.Accept, l.code) {
				continue
			}
			all = append(all, fmt.Sprintf("%s.\n\tIt is safe as a new field beside it, with expose.Backfill of an expression over this one.\n\tIf it is meant: weave migrate diff %s --accept %s", l.text, name, l.code))
		case slices.ContainsFunc(a.Drop, l.named):
			continue
		case l.unclear(): // a flag would drop what may be a rename
			flag, all = "", append(all, fmt.Sprintf("%s, and %s\n\tremoved: weave migrate diff %s --drop %s", l.text, l.question(), name, l.name()))
		default:
			all = append(all, fmt.Sprintf("%s.\n\tIf it is meant: weave migrate diff %s --drop %s", l.text, name, l.name()))
		}
		flags = append(flags, flag)
	}
	return all, flags
}

// stop is a change that PostgreSQL writes a table anew for, while nothing reads
// or writes it: a column of another type or, without types, a new one whose
// default is another one in each row.
type stop struct{ table, column, from, to string }

// stopping are those that are not refused as narrower types already.
func stopping(before *atschema.Schema, changes []atschema.Change) (all []stop) {
	for _, change := range changes {
		m, ok := change.(*atschema.ModifyTable)
		if !ok {
			continue
		}
		if _, has := before.Table(m.T.Name); !has {
			continue
		}
		for _, c := range m.Changes {
			if !rewrites(c) {
				continue
			}
			switch c := c.(type) {
			case *atschema.AddColumn:
				all = append(all, stop{table: m.T.Name, column: c.C.Name})
			case *atschema.ModifyColumn:
				if wider(c.From.Type.Type, c.To.Type.Type) {
					all = append(all, stop{m.T.Name, c.To.Name, typeOf(c.From), typeOf(c.To)})
				}
			}
		}
	}
	return all
}

// stops are the questions about tables that are written anew.
func (a Allow) stops(stops []stop, name string) (all []string) {
	for _, s := range stops {
		switch {
		case slices.Contains(a.Accept, codeRewrite):
		case s.to == "":
			all = append(all, fmt.Sprintf("%[1]s.%[2]s has a default that is another one in each row: PostgreSQL writes the whole table anew, and nothing reads or writes it meanwhile.\n"+
				"\tIt is safe without a default in the database, with expose.Backfill of the expression.\n"+
				"\tIf the table is small: weave migrate diff %[3]s --accept %[4]s", s.table, s.column, name, codeRewrite))
		default:
			all = append(all, fmt.Sprintf("%[1]s.%[2]s becomes %[4]s, and was %[3]s: PostgreSQL writes the whole table anew, and nothing reads or writes it meanwhile.\n"+
				"\tIt is safe as a new field beside it, with expose.Backfill(%[2]q); this one goes in a later release, once no program reads it.\n"+
				"\tIf the table is small: weave migrate diff %[5]s --accept %[6]s", s.table, s.column, s.from, s.to, name, codeRewrite))
		}
	}
	return all
}

// accepts is the flag that allows a finding, by its code. Duplicates have to go,
// and PostgreSQL's half is written where PostgreSQL is.
func accepts(code string) string {
	switch code {
	case "MF101", "MF102", codeHalf:
		return ""
	}
	return "--accept " + code
}

// advice is the advice on a finding, by its code.
func advice(code string) string {
	switch code {
	case "MF103":
		return `expose.Backfill("…") at the field says what the rows that are there get; or make it optional, or give it a default; --accept MF103 if the table has no rows`
	case "MF104", "LT101":
		return `expose.Backfill("…") at the field says what rows without a value get; --accept ` + code + ` if there are none`
	case "MF101", "MF102":
		return "remove the duplicates first, in a migration of their own"
	case codeHalf:
		return "weave migrate diff NAME, where PostgreSQL is"
	case codeDropTable, codeDropColumn:
		return "weave migrate diff … --drop says that it is meant"
	}
	return "weave migrate diff … --accept " + code + ", or a line at the top of the file, -- atlas:nolint " + code + ", says that it is meant"
}
