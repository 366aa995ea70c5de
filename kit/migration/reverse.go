package migration

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/lib/pq"
)

// reversal takes applied statements of PostgreSQL back, the last one first. The
// state of the database before them follows from the files before, which have made
// all of it.
type reversal struct {
	// before are the statements of those files.
	before []string
	// run are the statements, after those that hold locks already. Of those that can't be in
	// their transaction, first come before it and indexes after it.
	locks, run, first, indexes []string
	// renamed are the renames of values, by table and column.
	renamed map[string][][2]string
	// lost are the tables, and the columns as "table.column", that go with their
	// values. stays are columns of before whose rows keep what they were filled with.
	lost, stays []string
}

// name is an identifier, as the planner writes it, or PostgreSQL of a trigger.
const name = `"?(\w+)"?`

var (
	alters    = regexp.MustCompile(`(?s)^ALTER TABLE ` + name + ` (.*)$`)
	tables    = regexp.MustCompile(`^CREATE TABLE (?:IF NOT EXISTS )?` + name)
	indexed   = regexp.MustCompile(`^CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?(?:IF NOT EXISTS )?` + name + ` ON ` + name)
	functions = regexp.MustCompile(`(?s)^(?:CREATE (?:OR REPLACE )?|DROP )FUNCTION (?:IF EXISTS )?(\S+\(.*?\))`)
	triggers  = regexp.MustCompile(`(?s)^(CREATE (?:OR REPLACE )?|DROP )TRIGGER (?:IF EXISTS )?` + name + `.*? ON ` + name)
	renames   = regexp.MustCompile(`^ALTER INDEX ` + name + ` RENAME TO ` + name)

	addColumn     = regexp.MustCompile(`^ADD COLUMN ` + name)
	addConstraint = regexp.MustCompile(`^ADD CONSTRAINT ` + name)
	setRequired   = regexp.MustCompile(`^ALTER COLUMN ` + name + ` SET NOT NULL`)
	ofColumn      = regexp.MustCompile(`^ALTER COLUMN ` + name)
	dropCheck     = regexp.MustCompile(`^DROP CONSTRAINT ` + name + `$`)
	rename        = regexp.MustCompile(`^RENAME (COLUMN |CONSTRAINT |)(?:` + name + ` )?TO ` + name)
)

// irreversible says that a statement can't be taken back.
func irreversible(text string) error {
	first, _, _ := strings.Cut(text, "\n")
	return fmt.Errorf("it can't be taken back: the state before %s is not known; go on with it, or write another migration", first)
}

// add takes a statement back, which is before those that were added.
func (r *reversal) add(text string) error {
	if call, args := called(text); call != "" {
		return r.called(text, call, args)
	}
	switch {
	case strings.HasPrefix(text, "DO $$ BEGIN LOCK TABLE"):
		r.locks = append(r.locks, text)
	case strings.HasPrefix(text, "ANALYZE "), strings.HasPrefix(text, "CREATE EXTENSION "):
	case alters.MatchString(text):
		return r.alter(alters.FindStringSubmatch(text))
	case tables.MatchString(text):
		table := tables.FindStringSubmatch(text)[1]
		r.run, r.lost = append(r.run, "DROP TABLE "+pq.QuoteIdentifier(table)), append(r.lost, table)
	case indexed.MatchString(text):
		r.index(indexed.FindStringSubmatch(text))
	case functions.MatchString(text):
		return r.remake(functions, []int{1}, text, "DROP FUNCTION IF EXISTS "+functions.FindStringSubmatch(text)[1])
	case triggers.MatchString(text):
		found := triggers.FindStringSubmatch(text)
		return r.remake(triggers, []int{2, 3}, text, "DROP TRIGGER IF EXISTS "+pq.QuoteIdentifier(found[2])+" ON "+pq.QuoteIdentifier(found[3]))
	case renames.MatchString(text):
		found := renames.FindStringSubmatch(text)
		r.run = append(r.run, fmt.Sprintf("ALTER INDEX %q RENAME TO %q", found[2], found[1]))
	default:
		return irreversible(text)
	}
	return nil
}

// called takes back what a step of Go's did: questions do nothing, and what fills
// columns that go is gone with them.
func (r *reversal) called(text, call string, args []string) error {
	switch call {
	case "refuse", "ask":
		return nil
	case "fold":
		r.stays = append(r.stays, args[0]+"."+args[2])
	case "backfill":
		for _, part := range parts(args[1]) {
			found := assignment.FindStringSubmatch(part)
			if found == nil {
				continue
			}
			name := args[0] + "." + found[1]
			if renames := renamesOf(part); renames != nil {
				if r.renamed == nil {
					r.renamed = map[string][][2]string{}
				}
				r.renamed[name] = renames
			} else {
				r.stays = append(r.stays, name)
			}
		}
	case "collect":
		if !strings.HasPrefix(args[1], "INSERT INTO ") { // which goes into a new table
			return irreversible(text)
		}
	default:
		return irreversible(text)
	}
	return nil
}

func (r *reversal) index(found []string) {
	concurrently := ""
	if found[1] != "" {
		concurrently = "CONCURRENTLY "
	}
	drop := "DROP INDEX " + concurrently + "IF EXISTS " + pq.QuoteIdentifier(found[2])
	if concurrently != "" {
		r.indexes = append(r.indexes, drop)
		return
	}
	r.run = append(r.run, drop)
}

// remake has a function or a trigger be what it was before the file, if it was.
func (r *reversal) remake(form *regexp.Regexp, groups []int, text, drop string) error {
	is := form.FindStringSubmatch(text)
	for _, was := range slices.Backward(r.before) {
		found := form.FindStringSubmatch(was)
		if found == nil || slices.ContainsFunc(groups, func(g int) bool { return found[g] != is[g] }) {
			continue
		}
		if strings.HasPrefix(was, "DROP ") {
			break
		}
		for _, kind := range []string{"FUNCTION ", "TRIGGER "} {
			was = strings.Replace(was, "CREATE "+kind, "CREATE OR REPLACE "+kind, 1)
		}
		r.run = append(r.run, was)
		return nil
	}
	if strings.HasPrefix(text, "DROP ") { // of what no file has made
		return irreversible(text)
	}
	r.run = append(r.run, drop)
	return nil
}

// alter takes the parts of an ALTER TABLE back, the last one first.
func (r *reversal) alter(found []string) error {
	table := pq.QuoteIdentifier(found[1])
	back := func(text string) { r.run = append(r.run, "ALTER TABLE "+table+" "+text) }
	for _, part := range slices.Backward(parts(found[2])) {
		switch {
		case addColumn.MatchString(part):
			column := addColumn.FindStringSubmatch(part)[1]
			r.lost = append(r.lost, found[1]+"."+column)
			back("DROP COLUMN IF EXISTS " + pq.QuoteIdentifier(column))
		case addConstraint.MatchString(part):
			back("DROP CONSTRAINT IF EXISTS " + pq.QuoteIdentifier(addConstraint.FindStringSubmatch(part)[1]))
		case strings.HasPrefix(part, "VALIDATE CONSTRAINT "):
		case dropCheck.MatchString(part) && r.check(found[1], dropCheck.FindStringSubmatch(part)[1]) != "":
			name := dropCheck.FindStringSubmatch(part)[1]
			back("ADD CONSTRAINT " + pq.QuoteIdentifier(name) + " " + r.check(found[1], name) + " NOT VALID")
			r.indexes = append(r.indexes, "ALTER TABLE "+table+" VALIDATE CONSTRAINT "+pq.QuoteIdentifier(name))
		case strings.HasPrefix(part, "DROP CONSTRAINT ") && strings.HasSuffix(part, `_set"`): // which stood for NOT NULL
		case setRequired.MatchString(part):
			back("ALTER COLUMN " + pq.QuoteIdentifier(setRequired.FindStringSubmatch(part)[1]) + " DROP NOT NULL")
		case rename.MatchString(part):
			to := rename.FindStringSubmatch(part)
			if to[1] == "" {
				r.run = append(r.run, fmt.Sprintf("ALTER TABLE %q RENAME TO %q", to[3], found[1]))
			} else {
				back(fmt.Sprintf("RENAME %s%q TO %q", to[1], to[3], to[2]))
			}
		case ofColumn.MatchString(part):
			r.run = append(r.run, altersAdded+found[1]+"."+ofColumn.FindStringSubmatch(part)[1])
		default:
			return irreversible("ALTER TABLE " + table + " " + part)
		}
	}
	return nil
}

// check is how the files before have made a check that is there under the name, empty where
// they have made none.
func (r *reversal) check(table, name string) string {
	made := regexp.MustCompile(`(?s)^(?:ALTER|CREATE) TABLE (?:IF NOT EXISTS )?"?` + regexp.QuoteMeta(table) + `"?\b.*?CONSTRAINT "?` + regexp.QuoteMeta(name) + `"? CHECK (\(.*)$`)
	for _, was := range slices.Backward(r.before) {
		if found := made.FindStringSubmatch(strings.TrimSpace(was)); found != nil {
			return "CHECK " + enclosed(found[1])
		}
	}
	return ""
}

// enclosed is the text up to the parenthesis that ends what its first one begins.
func enclosed(text string) string {
	depth, quoted := 0, false
	for i := range len(text) {
		switch c := text[i]; {
		case c == '\'':
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return text[:i+1]
			}
		}
	}
	return text
}

var (
	renaming = regexp.MustCompile(`(?s)^"(\w+)" = .*CASE "(\w+)" ((?:WHEN '(?:[^']|'')*' THEN '(?:[^']|'')*' ?)+)END`)
	renamed1 = regexp.MustCompile(`WHEN '((?:[^']|'')*)' THEN '((?:[^']|'')*)'`)
)

// renamesOf are the values that a part of a backfill renames, nil where it does something
// else.
func renamesOf(part string) (all [][2]string) {
	found := renaming.FindStringSubmatch(part)
	if found == nil || found[1] != found[2] {
		return nil
	}
	for _, one := range renamed1.FindAllStringSubmatch(found[3], -1) {
		all = append(all, [2]string{one[1], one[2]})
	}
	return all
}

// values has rows have the names of values that they had before, most of them before the
// transaction, and those after it that were written meanwhile. That can't be where a name
// was that of another value, too.
func (r *reversal) values() error {
	for _, name := range slices.Sorted(maps.Keys(r.renamed)) {
		table, column, _ := strings.Cut(name, ".")
		var names, back []string
		for _, one := range r.renamed[name] {
			was, now := "'"+one[0]+"'", "'"+one[1]+"'"
			if slices.Contains(names, now) || strings.Contains(r.check(table, table+"_"+column+"_values"), now) {
				return fmt.Errorf("it can't be taken back: %s of %s was a value before, so that rows which had %s are not known; go on with it, or write another migration", now, name, was)
			}
			names, back = append(names, now), append(back, "WHEN "+now+" THEN "+was)
		}
		quoted := pq.QuoteIdentifier(column)
		call := Backfill(table, fmt.Sprintf("%s = CASE %[1]s %s END", quoted, strings.Join(back, " ")), fmt.Sprintf("%s IN (%s)", quoted, strings.Join(names, ", ")))
		r.first, r.indexes = append(r.first, call), append([]string{call}, r.indexes...)
	}
	return nil
}

// altersAdded stands in run for a change of a column, which needs nothing where the
// file has added that.
const altersAdded = "-- alters "

// settle takes out what columns and tables that go need not have taken back.
func (r *reversal) settle() error {
	gone := func(name string) bool {
		table, _, _ := strings.Cut(name, ".")
		return slices.Contains(r.lost, name) || slices.Contains(r.lost, table)
	}
	if err := r.values(); err != nil {
		return err
	}
	var run []string
	for _, text := range r.run {
		if column, ok := strings.CutPrefix(text, altersAdded); ok {
			if !gone(column) {
				return irreversible("the change of " + column)
			}
			continue
		}
		if found := triggers.FindStringSubmatch(text); found != nil && strings.HasPrefix(text, "DROP ") && gone(found[3]) {
			continue // it goes with its table
		}
		run = append(run, text)
	}
	slices.SortStableFunc(run, func(a, b string) int { return rank(a) - rank(b) })
	r.run = run
	r.stays = slices.DeleteFunc(r.stays, gone)
	r.lost = slices.DeleteFunc(r.lost, func(name string) bool {
		table, _, column := strings.Cut(name, ".")
		return column && slices.Contains(r.lost, table)
	})
	return nil
}

// rank has functions go once nothing calls them any longer.
func rank(text string) int {
	if strings.HasPrefix(text, "DROP FUNCTION ") {
		return 1
	}
	return 0
}

// parts are those of the text between commas that stand in no parentheses and in no
// quotes.
func parts(text string) (all []string) {
	depth, quote, from := 0, byte(0), 0
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			all, from = append(all, strings.TrimSpace(text[from:i])), i+1
		}
	}
	return append(all, strings.TrimSuffix(strings.TrimSpace(text[from:]), ";"))
}
