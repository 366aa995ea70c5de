package planner

import (
	"fmt"
	"slices"
	"strings"
	once "sync"
	"unicode"
	"unicode/utf8"

	atlas "ariga.io/atlas/sql/migrate"
	"github.com/lib/pq"
	"golang.org/x/text/cases"
)

// foldedName is the function by which PostgreSQL folds texts that other programs write,
// as package fold does. It is no part of the schema: it is made where a migration needs
// it, and stays.
const foldedName = "entwine_folded"

// foldedAlong is the body of a trigger that folds the text for who does not write the
// folded one. A text that comes folded is left alone.
func foldedAlong(text, folded string) string {
	return fmt.Sprintf(`IF NEW.%[2]s IS NULL AND NEW.%[1]s IS NOT NULL OR TG_OP = 'UPDATE' AND NEW.%[1]s IS DISTINCT FROM OLD.%[1]s AND NEW.%[2]s IS NOT DISTINCT FROM OLD.%[2]s THEN
		NEW.%[2]s := %[3]s(NEW.%[1]s::text);
	END IF;`, pq.QuoteIdentifier(text), pq.QuoteIdentifier(folded), foldedName)
}

// withFolded puts the function before statements that need it. Texts of ASCII alone cost
// no more than lower does.
func withFolded(statements []*atlas.Change) []*atlas.Change {
	needs := func(c *atlas.Change) bool { return strings.Contains(c.Cmd, ":= "+foldedName+"(") }
	if !slices.ContainsFunc(statements, needs) {
		return statements
	}
	return append([]*atlas.Change{{Cmd: foldedFunction(), Comment: "fold texts as the program does"}}, statements...)
}

// foldings are the letters outside ASCII that are folded, and what each becomes: three
// letters at most.
var foldings = once.OnceValue(func() (all [][2]string) {
	fold := cases.Fold()
	for r := rune(utf8.RuneSelf); r <= unicode.MaxRune; r++ {
		if was := string(r); utf8.ValidRune(r) && fold.String(was) != was {
			all = append(all, [2]string{was, fold.String(was)})
		}
	}
	return all
})

// foldedFunction is the statement that makes it. What PostgreSQL's lower does depends on
// the database's locale, and leaves ß, ς and others that are folded.
func foldedFunction() string {
	var from, to, long strings.Builder
	folded := "t"
	for _, f := range foldings() {
		if utf8.RuneCountInString(f[1]) == 1 {
			from.WriteString(f[0])
			to.WriteString(f[1])
			continue
		}
		long.WriteString(f[0])
		folded = fmt.Sprintf("replace(%s, '%s', '%s')", folded, f[0], f[1])
	}
	return fmt.Sprintf(`CREATE OR REPLACE FUNCTION %s(t text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
	t := translate(t COLLATE "C", 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz');
	IF octet_length(t) = char_length(t) THEN
		RETURN t;
	END IF;
	t := translate(t, '%s', '%s');
	IF t ~ '[%s]' THEN
		t := %s;
	END IF;
	RETURN normalize(t, NFC);
END $$`, foldedName, from.String(), to.String(), long.String(), folded)
}

// controls are the control characters of ASCII.
const controls = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 127"

// foldingsView has, in SQLite, the letters and what they become, and those of ASCII. Views
// are left alone where nothing needs them any longer.
const foldingsView = "entwine_foldings"

// fileFolds are SQLite's triggers that fold the text, and the view that they read. SQL can't
// compose letters of several characters there, as NFC does.
func fileFolds(table, text, folded string, key []string) []Object {
	var was, now, ascii strings.Builder
	for _, f := range foldings() {
		if slices.ContainsFunc(foldings(), func(other [2]string) bool { return other[0] == f[1] }) {
			continue // the program has a Cherokee letter and its capital become each other
		}
		was.WriteString(f[0])
		fmt.Fprintf(&now, "%-3s", f[1])
	}
	for c := ' '; c <= '~'; c++ {
		ascii.WriteString(strings.ReplaceAll(string(c), "'", "''"))
	}
	for i, k := range key {
		key[i] = fmt.Sprintf("%q IS NEW.%[1]q", k)
	}
	// One letter after the other, all of its places at once: as many steps as there are
	// different letters outside ASCII. No letter becomes one that is folded.
	const first = `substr("rest", 1, 1)`
	value := fmt.Sprintf(`(WITH RECURSIVE "all"("text", "rest") AS (SELECT lower(NEW.%[1]q), ltrim(NEW.%[1]q, "ascii") FROM %[2]q UNION ALL SELECT CASE WHEN instr("was", %[3]s) > 0 THEN replace("text", %[3]s, rtrim(substr("now", instr("was", %[3]s) * 3 - 2, 3))) ELSE "text" END, ltrim(replace("rest", %[3]s, ''), "ascii") FROM "all", %[2]q WHERE "rest" <> '') SELECT "text" FROM "all" WHERE "rest" = '')`,
		text, foldingsView, first)
	trigger := func(name, on, of, when string) Object {
		return Object{Name: name, Create: fmt.Sprintf("CREATE TRIGGER %q AFTER %s%s ON %q WHEN %s BEGIN UPDATE %[4]q SET %[6]q = %[7]s WHERE %[8]s; END",
			name, on, of, table, when, folded, value, strings.Join(key, " AND "))}
	}
	return []Object{
		{Name: foldingsView, Create: fmt.Sprintf("CREATE VIEW %q AS SELECT '%s' AS \"was\", '%s' AS \"now\", '%s' || char(%s) AS \"ascii\"", foldingsView, was.String(), now.String(), ascii.String(), controls)},
		trigger(foldName(table, text)+"_insert", "INSERT", "", fmt.Sprintf("NEW.%q IS NULL AND NEW.%q IS NOT NULL", folded, text)),
		trigger(foldName(table, text), "UPDATE", fmt.Sprintf(" OF %q", text), fmt.Sprintf("NEW.%[1]q IS NOT OLD.%[1]q AND NEW.%[2]q IS OLD.%[2]q", text, folded)),
	}
}
