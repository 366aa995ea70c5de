package migration

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"

	"github.com/entwine-go/entwine/kit/store"
)

// Hold is for how long a statement may hold its lock: it follows from what it
// has to do and not from how fast it does it.
type Hold int

// How long locks are held.
const (
	// None is no lock that others notice.
	None Hold = iota
	// Instant is the same time whatever rows there are.
	Instant
	// Batches is less than 50 ms at a time, for some rows.
	Batches
	// Scan reads each row of the table.
	Scan
	// Rewrite writes each row of the table.
	Rewrite
)

func (h Hold) String() string {
	return []string{"none", "instant", "batches of rows", "scan", "rewrite"}[h]
}

// Effect describes a statement of a migration: its work, and its locks that other
// sessions notice.
type Effect struct {
	// Words describe it.
	Words string
	// Table is the table whose lock it takes; Lock is PostgreSQL's name of that
	// lock, empty where it takes none that others notice; Hold for how long.
	Table, Lock string
	Hold        Hold
	// Reads and Writes are set where other sessions can't read or write meanwhile.
	Reads, Writes bool
}

// Locks of PostgreSQL.
const (
	accessExclusive      = "ACCESS EXCLUSIVE"
	shareRowExclusive    = "SHARE ROW EXCLUSIVE"
	shareUpdateExclusive = "SHARE UPDATE EXCLUSIVE"
	share                = "SHARE"
	rows                 = "ROW EXCLUSIVE"
)

// kind is a form of statements and what one of them does.
type kind struct {
	form  *regexp.Regexp
	words string // with $1, $2 of the form
	table string // as well
	lock  string
	hold  Hold
}

func form(text string) *regexp.Regexp { return regexp.MustCompile(`(?is)^\s*` + text) }

// word is a name, quoted or not.
const word = "[\"`]?([\\w.]+)[\"`]?"

var (
	tableMade = form(`CREATE TABLE ` + word)
	validated = form(`ALTER TABLE ` + word + ` VALIDATE CONSTRAINT ` + word)
)

// kinds are looked through in order; the first whose form fits says it.
var kinds = []kind{
	{tableMade, "make the table $1", "", "", Instant},
	{form(`DROP TABLE (?:IF EXISTS )?` + word), "drop the table $1", "$1", accessExclusive, Instant},
	{form(`ALTER TABLE ` + word + ` RENAME COLUMN ` + word + ` TO ` + word), "call $2 of $1 $3", "$1", accessExclusive, Instant},
	{form(`ALTER TABLE ` + word + ` RENAME CONSTRAINT ` + word + ` TO ` + word), "call $2 of $1 $3", "$1", accessExclusive, Instant},
	{form(`ALTER TABLE ` + word + ` RENAME TO ` + word), "call the table $1 $2", "$1", accessExclusive, Instant},
	{validated, "see that all rows of $1 keep $2", "$1", shareUpdateExclusive, Scan},
	{form(`ALTER TABLE ` + word + ` ADD\s+CONSTRAINT ` + word + ` FOREIGN KEY .*REFERENCES ` + word + `.* NOT VALID\s*;?$`), "new rows of $1 keep $2, which refers to $3", "$1", shareRowExclusive, Instant},
	{form(`ALTER TABLE ` + word + `.* ADD\s+CONSTRAINT ` + word + `.* FOREIGN KEY `), "rows of $1 keep $2, which refers to another table", "$1", shareRowExclusive, Scan},
	{form(`ALTER TABLE ` + word + `.* ADD\s+CONSTRAINT ` + word + ` .* NOT VALID\s*;?$`), "new rows of $1 keep $2", "$1", accessExclusive, Instant},
	{form(`ALTER TABLE ` + word + `.* ADD\s+CONSTRAINT ` + word), "all rows of $1 keep $2", "$1", accessExclusive, Scan},
	{form(`ALTER TABLE ` + word + ` DROP CONSTRAINT ` + word), "$1 no longer keeps $2", "$1", accessExclusive, Instant},
	{form(`ALTER TABLE ` + word + ` .*ADD COLUMN ` + word + ` .*GENERATED ALWAYS AS .* STORED`), "add $2 to $1, computed for each row", "$1", accessExclusive, Rewrite},
	{form(`ALTER TABLE ` + word + ` .*ALTER COLUMN ` + word + ` (?:SET DATA )?TYPE `), "give $2 of $1 another type", "$1", accessExclusive, Rewrite},
	{form(`ALTER TABLE ` + word + ` ALTER COLUMN ` + word + ` SET NOT NULL`), "$2 of $1 is required", "$1", accessExclusive, Scan},
	{form(`ALTER TABLE ` + word + ` ADD COLUMN ` + word), "add $2 to $1", "$1", accessExclusive, Instant},
	{form(`ALTER TABLE ` + word + ` ALTER COLUMN ` + word + ` DROP EXPRESSION`), "$2 of $1 is no generated column any longer, and keeps its values", "$1", accessExclusive, Instant},
	{form(`ALTER TABLE ` + word + ` DROP COLUMN ` + word), "drop $2 of $1 with its values", "$1", accessExclusive, Instant},
	{form(`ALTER TABLE ` + word), "change $1", "$1", accessExclusive, Instant},
	{form(`CREATE (?:UNIQUE )?INDEX CONCURRENTLY (?:IF NOT EXISTS )?` + word + ` ON ` + word), "make the index $1 of $2", "$2", shareUpdateExclusive, Scan},
	{form(`CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?` + word + ` ON ` + word), "make the index $1 of $2", "$2", share, Scan},
	{form(`DROP INDEX CONCURRENTLY (?:IF EXISTS )?` + word), "drop the index $1", "", "", None},
	{form(`DROP INDEX (?:IF EXISTS )?` + word), "drop the index $1", "its table", accessExclusive, Instant},
	{form(`ALTER INDEX ` + word + ` RENAME TO ` + word), "call the index $1 $2", "", "", None},
	{form(`CREATE (?:OR REPLACE )?TRIGGER ` + word + ` .*? ON ` + word), "make the trigger $1 of $2", "$2", shareRowExclusive, Instant},
	{form(`DROP TRIGGER (?:IF EXISTS )?` + word + ` ON ` + word), "drop the trigger $1 of $2", "$2", accessExclusive, Instant},
	{form(`DROP TRIGGER (?:IF EXISTS )?` + word), "drop the trigger $1", "", "", Instant},
	{form(`CREATE TRIGGER ` + word), "make the trigger $1", "", "", Instant},
	{form(`CREATE OR REPLACE FUNCTION ` + word), "make the function $1", "", "", None},
	{form(`DROP FUNCTION (?:IF EXISTS )?` + word), "drop the function $1", "", "", None},
	{form(`(?:DO \$\$ BEGIN\s+)?CREATE SEQUENCE ` + word), "make the sequence $1", "", "", None},
	{form(`CREATE EXTENSION (?:IF NOT EXISTS )?` + word), "make the extension $1", "", "", None},
	{form(`CREATE VIRTUAL TABLE ` + word), "make the table $1 of a search", "", "", Instant},
	{form(`PRAGMA (\w+) = (\w+)`), "set $1 to $2", "", "", None},
	{form(`ANALYZE ` + word), "count the values of $1 for the planner of queries", "$1", shareUpdateExclusive, Scan},
	{form(`CREATE VIEW ` + word), "make the view $1", "", "", None},
	{form(`DO \$\$ BEGIN LOCK TABLE (.*) IN ACCESS EXCLUSIVE MODE`), "lock $1 in the order in which programs do", "$1", accessExclusive, Instant},
	{form(`CALL entwine_refuse\('(.*?)', '`), "ask first: $1", "", "", None},
	{form(`CALL entwine_fold\('(\w+)', '(\w+)', '(\w+)'`), "fold $2 of $1 into $3", "$1", rows, Batches},
	{form(`CALL entwine_ask\('(\w+)', '(\w+)'`), "ask first: $1: what $2 follows from", "", "", None},
	{form(`CALL entwine_backfill\('(\w+)'`), "fill " + filledWord + " of the rows of $1", "$1", rows, Batches},
	{form(`CALL entwine_collect\('(\w+)', 'INSERT INTO "(\w+)"`), "collect in $2 what the rows of $1 have", "$1", rows, Batches},
	{form(`UPDATE ` + word), "write rows of $1", "$1", rows, Rewrite},
	{form(`INSERT INTO ` + word), "add rows to $1", "$1", rows, Rewrite},
	{form(`DELETE FROM ` + word), "remove rows of $1", "$1", rows, Rewrite},
}

// Effects are the effects of the file's statements. Statements on a table that the
// file itself makes have none.
func Effects(file atlas.File, dialectName string) ([]Effect, error) {
	d := named(dialectName)
	statements, err := driver{cut: d.cut()}.ScanStmts(string(file.Bytes()))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file.Name(), err)
	}
	own, proved := map[string]bool{}, false
	var all []Effect
	for _, s := range statements {
		e := effect(s.Text)
		if made := tableMade.FindStringSubmatch(s.Text); made != nil {
			own[made[1]] = true
		}
		if found := validated.FindStringSubmatch(s.Text); found != nil {
			proved = strings.HasSuffix(found[2], "_set")
		}
		d.notice(&e, Live(file), own[e.Table], proved)
		all = append(all, e)
	}
	return all, nil
}

// filledWord stands for the columns of a backfill, which has any number of them.
const filledWord = "{columns}"

// unknownWords begin those of a statement that is of no known form.
const unknownWords = "run "

func effect(text string) Effect {
	for _, k := range kinds {
		found := k.form.FindStringSubmatchIndex(text)
		if found == nil {
			continue
		}
		expand := func(template string) string {
			return strings.ReplaceAll(string(k.form.ExpandString(nil, template, text, found)), `"`, "")
		}
		words := strings.ReplaceAll(expand(k.words), "''", "'")
		if _, args := called(text); strings.Contains(words, filledWord) && len(args) > 1 {
			words = strings.Replace(words, filledWord, strings.Join(assigned(args[1]), ", "), 1)
		}
		return Effect{Words: words, Table: expand(k.table), Lock: k.lock, Hold: k.hold}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return Effect{Words: unknownWords + first}
}

// String describes the effect on other sessions.
func (e Effect) String() string {
	if e.Lock == "" && !e.Writes {
		return e.Words
	}
	stops := "others read and write"
	switch {
	case e.Reads:
		stops = "others neither read nor write"
	case e.Writes:
		stops = "others read and do not write"
	}
	lock := ""
	if e.Lock != "" {
		lock = e.Lock + " of " + e.Table + ", "
	}
	return fmt.Sprintf("%s (%s%s; %s)", e.Words, lock, e.Hold, stops)
}

// Listed is a migration with its effects, and the part of it that the database has had.
type Listed struct {
	Name string
	// Applied is set where the database has had it all, Done and Total are how
	// many of its statements.
	Applied     bool
	Done, Total int
	// Rows is how many rows the backfill has passed that is the next statement,
	// Of about how many there are.
	Rows, Of int64
	Effects  []Effect
}

// Longest is for how long the migration stops others from writing.
func (l Listed) Longest() Hold {
	longest := None
	for _, e := range l.Effects {
		if e.Writes || e.Hold == Batches {
			longest = max(longest, e.Hold)
		}
	}
	return longest
}

// List lists the folder's migrations.
func List(ctx context.Context, db *store.DB, dir atlas.Dir) (all []Listed, err error) {
	r := revisions{db, of(db.Dialect)}
	report, err := r.compare(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("migration status: %w", err)
	}
	files, err := dir.Files()
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		l := Listed{Name: f.Name(), Applied: slices.Contains(report.Applied, f.Name())}
		if l.Effects, err = Effects(f, db.Dialect.Name()); err != nil {
			return nil, err
		}
		l.Total = len(l.Effects)
		if f.Version() == cmp.Or(report.Begun, "-") {
			v, err := r.ReadRevision(ctx, f.Version())
			if err != nil {
				return nil, fmt.Errorf("migration status: %w", err)
			}
			p, err := r.progress(ctx, f.Version())
			if err != nil {
				return nil, fmt.Errorf("migration status: %w", err)
			}
			l.Done, l.Rows, l.Of = v.Applied, p.Rows, max(p.Of, p.Rows)
		}
		all = append(all, l)
	}
	return all, nil
}
