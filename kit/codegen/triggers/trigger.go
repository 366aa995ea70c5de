package triggers

import (
	"fmt"
	"strings"
)

// Object is something that a database keeps beside Ent's tables: a trigger, a
// function that one calls, what full-text search reads.
type Object struct {
	// Name is for messages, Create makes it.
	Name, Create string
	// First is set for what tables need.
	First bool
	// Refuses is a condition that no row may meet when the object is made, empty for
	// none: of the table and the column in Of, "categories.parent_id", after which may
	// follow others that have to be there for it to be asked. Says is the message
	// about rows that do.
	Refuses, Of, Says string
}

// trigger describes a trigger of the database.
type trigger struct {
	name, table string
	// on is the statement: "insert", "update" or "delete".
	on string
	// when is a condition over OLD and NEW, empty for always.
	when string
	// first is set where it happens before the rows that refer to a removed row
	// go with it.
	first bool
	// body holds the statements. Where the databases differ they are written
	// for PostgreSQL, and lite holds SQLite's.
	body, lite []string
	// announces is set where it says that a row was written, which SQLite does once
	// more for the version: see versions. of are then the columns that it is about on
	// SQLite, quoted: none for all.
	announces bool
	of        []string
	// live is set where that is for live lists: see joined.
	live bool
	// asks are conditions under which a new row is refused: Refuses, Of and Says.
	asks Object
}

// postgres returns the function and the trigger that calls it. A trigger that
// is before the row is removed may not change rows that the same statement
// removes, too: what is to be first comes after that, and goes by its name
// before those of foreign keys (RI_…), for triggers are called in the order of
// theirs, capitals first.
func (t trigger) postgres() []Object {
	if t.first {
		t.name = strings.ToUpper(t.name)
	}
	function := fmt.Sprintf("CREATE OR REPLACE FUNCTION %q() RETURNS trigger LANGUAGE plpgsql AS $$\nBEGIN\n\t%s\n\tRETURN NULL;\nEND $$",
		t.name, strings.Join(t.body, "\n\t"))
	when := ""
	if t.when != "" {
		when = " WHEN (" + t.when + ")"
	}
	create := fmt.Sprintf("CREATE TRIGGER %q AFTER %s ON %q FOR EACH ROW%s EXECUTE FUNCTION %q()",
		t.name, strings.ToUpper(t.on), t.table, when, t.name)
	return []Object{t.asking(t.name+" (function)", function), {Name: t.name, Create: create}}
}

// inside is the body of the trigger within that of another one of PostgreSQL.
func (t trigger) inside() []string {
	if t.when == "" {
		return t.body
	}
	return []string{"IF " + t.when + " THEN", "\t" + strings.ReplaceAll(strings.Join(t.body, "\n"), "\n", "\n\t"), "END IF;"}
}

func (t trigger) sqlite() Object {
	moment := "AFTER"
	if t.first {
		moment = "BEFORE"
	}
	body, when := t.lite, ""
	if body == nil {
		body = t.body
	}
	if t.when != "" {
		when = " WHEN " + t.when
	}
	on := strings.ToUpper(t.on)
	if len(t.of) > 0 {
		on += " OF " + strings.Join(t.of, ", ")
	}
	return t.asking(t.name, fmt.Sprintf("CREATE TRIGGER %q %s %s ON %q FOR EACH ROW%s BEGIN\n\t%s\nEND",
		t.name, moment, on, t.table, when, strings.Join(body, "\n\t")))
}

// asking is the object that is made first of the trigger.
func (t trigger) asking(name, create string) Object {
	o := t.asks
	o.Name, o.Create = name, create
	return o
}
