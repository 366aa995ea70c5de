package planner

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/lib/pq"
)

// part is something in a database that Ent doesn't know, as the database
// describes it. An [Object] is one part or several.
type part struct {
	kind, name, table, text string
}

// key identifies a part.
func (p part) key() string { return p.kind + " " + p.name + " on " + p.table }

// casts are PostgreSQL's additions to a column: a cast where a text is needed, and the
// collation where the column has another. Parentheses follow from them.
var casts = strings.NewReplacer("::text", "", "::character varying", "", ` COLLATE "C"`, "", "(", "", ")", "")

// same reports whether the parts are alike. A view or an index over a table of a baseline
// has casts and an order that the same one over the table of the schema lacks, whose texts
// are compared by their bytes.
func (p part) same(other part) bool {
	if p.kind == "view" || p.kind == "index" {
		return casts.Replace(p.text) == casts.Replace(other.text)
	}
	return p.text == other.text
}

// early reports whether the part is dropped before the tables change rather
// than after: tables can't need it, but it may stand in their way.
func (p part) early() bool { return p.kind != "function" && p.kind != "extension" }

// rank orders drops: triggers read columns that are generated, whose indexes
// go with them.
func (p part) rank() int {
	ranks := []string{"trigger", "view", "materialized view", "index", "generated column"}
	if i := slices.Index(ranks, p.kind); i >= 0 {
		return i
	}
	return len(ranks)
}

// drop is the statement that removes the part.
func (p part) drop(d database) string {
	quote := pq.QuoteIdentifier
	switch {
	case p.kind == "function":
		return "DROP FUNCTION " + p.name // has its arguments
	case p.kind == "generated column":
		return "ALTER TABLE " + quote(p.table) + " DROP COLUMN " + quote(p.name)
	case p.kind == "index":
		return "DROP INDEX IF EXISTS " + quote(p.name) // it goes with its column
	case p.kind == "virtual table" || p.kind == "table":
		return "DROP TABLE " + quote(p.name)
	case p.kind == "sequence":
		return "DROP SEQUENCE " + quote(p.name)
	case p.kind == "trigger":
		return d.dropTrigger(p.name, p.table)
	case p.kind == "view":
		return "DROP VIEW " + quote(p.name)
	}
	return "DROP EXTENSION " + quote(p.name)
}

// mentions reports whether the part's text has the table's name in it.
func (p part) mentions(table string) bool {
	return p.table == table || mentions(p.text, table)
}

// These are the names of indexes, tables and sequences that are objects, or begin them: all
// others are Ent's. After unitsIndex follows the name of the index's own table, so that a
// table whose name begins so has indexes of Ent's.
const (
	objectIndex    = "search_"
	unitsIndex     = "units_"
	objectTable    = "recounts"
	keyedTable     = "recounts_keyed"
	objectSequence = "live_lease"
)

// searchRows matches the names of SQLite's tables that number the rows of others for
// full-text search.
const searchRows = "search!_%!_rows"

// parts reads what the database has, by key.
func (s *scratch) parts(ctx context.Context) (map[string]part, error) {
	rows, err := s.strings(ctx, s.database.parts())
	if err != nil {
		return nil, fmt.Errorf("read triggers and functions: %w", err)
	}
	all := make(map[string]part, len(rows))
	for _, r := range rows {
		p := part{kind: r[0], name: r[1], table: r[2], text: r[3]}
		if !strings.HasPrefix(p.name, syncing) && p.name != foldedName+"(text)" {
			all[p.key()] = p
		}
	}
	return all, nil
}

// readSyncs reads the triggers that migrations have left for programs from
// before them, and their functions.
func (s *state) readSyncs(ctx context.Context) error {
	if !s.database.live() {
		return nil
	}
	rows, err := s.strings(ctx, `SELECT t.tgname::text, c.relname::text, pg_get_functiondef(t.tgfoid)
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE c.relnamespace = current_schema()::regnamespace AND starts_with(t.tgname, '`+syncing+`') ORDER BY 1`)
	if err != nil {
		return fmt.Errorf("read triggers: %w", err)
	}
	s.functions = map[string]string{}
	for _, r := range rows {
		s.syncs = append(s.syncs, part{kind: "trigger", name: r[0], table: r[1]})
		s.functions[r[0]] = r[2]
	}
	return nil
}

// alone matches a statement that makes one trigger or one function and nothing else: their
// keys are in it, and PostgreSQL is not asked for all that there is after each of hundreds.
var alone = regexp.MustCompile(`^CREATE (?:OR REPLACE )?(?:TRIGGER "(\w+)" [^;]*? ON "(\w+)" [^;]*|FUNCTION "([a-z_][a-z0-9_]*)"\(\) RETURNS trigger LANGUAGE plpgsql AS \$\$[^$]*\$\$)$`)

// make makes the objects and returns the keys of what each has made.
func (s *scratch) make(ctx context.Context, objects []Object) ([][]string, error) {
	made := make([][]string, len(objects))
	if len(objects) == 0 {
		return made, nil
	}
	known, err := s.keys(ctx)
	if err != nil {
		return nil, err
	}
	for i, o := range objects {
		if err := s.run(ctx, o.Create); err != nil {
			return nil, fmt.Errorf("make %s: %w", o.Name, err)
		}
		var after map[string]bool
		if found := alone.FindStringSubmatch(strings.TrimRight(o.Create, "; \n\t")); found != nil {
			p := part{kind: "trigger", name: found[1], table: found[2]}
			if found[3] != "" {
				p = part{kind: "function", name: found[3] + "()"}
			}
			after = map[string]bool{p.key(): true}
		} else if after, err = s.keys(ctx); err != nil {
			return nil, err
		}
		for key := range after {
			if !known[key] {
				known[key], made[i] = true, append(made[i], key)
			}
		}
	}
	there, err := s.keys(ctx)
	if err != nil {
		return nil, err
	}
	for i, o := range objects {
		if slices.ContainsFunc(made[i], func(key string) bool { return !there[key] }) {
			return nil, fmt.Errorf("make %s: it is not there: %q", o.Name, made[i])
		}
	}
	return made, nil
}

// keys reads the keys of the parts alone: the database writes no text of any.
func (s *scratch) keys(ctx context.Context) (map[string]bool, error) {
	rows, err := s.strings(ctx, "SELECT kind, name, place FROM (SELECT '' AS kind, '' AS name, '' AS place, '' AS text WHERE 1 = 0 UNION ALL "+s.database.parts()+") AS parts")
	if err != nil {
		return nil, fmt.Errorf("read triggers and functions: %w", err)
	}
	all := make(map[string]bool, len(rows))
	for _, r := range rows {
		all[part{kind: r[0], name: r[1], table: r[2]}.key()] = true
	}
	return all, nil
}
