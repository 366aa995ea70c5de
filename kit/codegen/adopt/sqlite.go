package adopt

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
	atschema "ariga.io/atlas/sql/schema"
	_ "modernc.org/sqlite" // the database that is adopted

	"github.com/entwine-go/entwine/kit/codegen/planner"
)

// sqliteKind is the [kind] of files.
type sqliteKind struct{}

// open opens the file for reading alone.
func (sqliteKind) open(address string) (*sql.DB, error) {
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: strings.TrimPrefix(address, "file:")}).EscapedPath(), RawQuery: "mode=ro"}
	return sql.Open("sqlite", u.String())
}

func (sqliteKind) driver(db atschema.ExecQuerier) (atlas.Driver, error) {
	return planner.FileDriver(db)
}

// parted are tables that are no tables of their own.
func (sqliteKind) parted(ctx context.Context, db *sql.DB) (names []string, err error) {
	all, err := lines(ctx, db, "SELECT name FROM pragma_table_list WHERE type IN ('virtual', 'shadow') ORDER BY 1")
	for _, row := range all {
		names = append(names, row[0])
	}
	return names, err
}

func (sqliteKind) beside(ctx context.Context, db *sql.DB) (left []Left, err error) {
	all, err := lines(ctx, db, "SELECT type, name FROM sqlite_master WHERE type IN ('view', 'trigger') ORDER BY type DESC, name")
	for _, row := range all {
		l := Left{What: row[0] + " " + row[1], Why: "it works as before, and is part of the baseline"}
		if row[0] == "view" {
			l.Why, l.Do = "a view has no key, and no client is generated for one; it works as before, and is part of the baseline", "read it in SQL"
		}
		left = append(left, l)
	}
	return left, err
}

func (sqliteKind) objects() string {
	return "SELECT type, name, lower(name) FROM sqlite_master WHERE type <> 'trigger' ORDER BY 1 DESC, 2"
}

func (sqliteKind) renaming(all []object) string {
	var says []string
	for _, o := range all {
		if o.what == "table" {
			says = append(says, fmt.Sprintf("ALTER TABLE %s RENAME TO old_%[1]s", o.name))
		} else {
			says = append(says, fmt.Sprintf("DROP %s %s, and make it with another name", strings.ToUpper(o.what), o.name))
		}
	}
	return strings.Join(says, "; ")
}

// numbers: an INTEGER key of one column is the rowid.
func (sqliteKind) numbers(_ *atschema.Table, key *atschema.Column) bool {
	return strings.EqualFold(strings.TrimSpace(key.Type.Raw), "integer")
}

// unfit is that of texts (see gid.Texts), and of UUIDs that are not in the one form which is compared.
func (sqliteKind) unfit(key, id string, part bool) string {
	const controls = " GLOB '*[' || char(1) || '-' || char(31) || char(127) || ']*'"
	switch {
	case part && id == "Int64":
		return "typeof(" + key + ") <> 'integer'"
	case part && id == "String":
		return "typeof(" + key + ") <> 'text' OR length(CAST(" + key + " AS blob)) > 100 OR " + key + controls
	}
	switch id {
	case "String":
		return "typeof(" + key + ") <> 'text' OR length(CAST(" + key + " AS blob)) NOT BETWEEN 1 AND 255 OR " + key + " IN ('.', '..') OR " +
			key + " GLOB '*[/,\\]*' OR " + key + controls
	case "UUID":
		hex := func(n int) string { return strings.Repeat("[0-9a-f]", n) }
		return "typeof(" + key + ") <> 'text' OR " + key + " NOT GLOB '" + strings.Join([]string{hex(8), hex(4), hex(4), hex(4), hex(12)}, "-") + "'"
	}
	return ""
}

var (
	sizeOf = regexp.MustCompile(`\((\d+)\s*(?:,\s*(\d+)\s*)?\)`)
	// forms of texts: those in which this program writes a time and a date, and compares them.
	moments = `[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9][0-9][0-9][0-9]+00:00`
	days    = `[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]`
)

// form follows SQLite's own rules of affinity, by the words that a type has.
func (k sqliteKind) form(ctx context.Context, db *sql.DB, t *atschema.Table, c *atschema.Column) (form, error) {
	name := strings.ToUpper(c.Type.Raw)
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(name, w) {
				return true
			}
		}
		return false
	}
	var size, scale int
	if m := sizeOf.FindStringSubmatch(name); m != nil {
		size, _ = strconv.Atoi(m[1])
		scale, _ = strconv.Atoi(m[2])
	}
	switch {
	case has("BOOL"):
		return form{of: "Bool"}, nil
	case has("INT") && !has("POINT", "INTERVAL"):
		return integer(64), nil
	case has("UUID"):
		return uuidForm, nil
	case has("JSON"):
		return jsonForm, nil
	case has("CHAR", "CLOB", "TEXT"):
		return text(size), nil
	case has("BLOB"):
		return form{of: "Bytes", uncompared: true}, nil
	case has("REAL", "FLOAT", "DOUBLE"):
		return form{of: "Float"}, nil
	case has("DATETIME", "TIMESTAMP"):
		return k.written(ctx, db, t, c, moments, form{of: "Time"})
	case has("DATE"):
		return k.written(ctx, db, t, c, days, dateForm)
	case has("NUMERIC", "DECIMAL"):
		return decimal(size, scale), nil
	}
	return form{why: fmt.Sprintf("the column is declared as %q, of which SQLite keeps any value", c.Type.Raw), do: "read it in SQL"}, nil
}

// written is the form where all values are texts of that pattern; else they are
// shown as the texts that they are.
func (sqliteKind) written(ctx context.Context, db *sql.DB, t *atschema.Table, c *atschema.Column, pattern string, is form) (form, error) {
	column := `"` + strings.ReplaceAll(c.Name, `"`, `""`) + `"`
	query := fmt.Sprintf(`SELECT count(*) FILTER (WHERE typeof(+%[1]s) = 'text'), count(%[1]s), count(*) FILTER (WHERE +%[1]s GLOB '%[3]s') FROM %[2]q`, column, t.Name, pattern) //nolint:gosec // names of the database's own, and no column has a quotation mark
	var texts, all, alike int
	if err := db.QueryRowContext(ctx, query).Scan(&texts, &all, &alike); err != nil {
		return form{}, err
	}
	switch {
	case all > 0 && alike == all:
		return is, nil
	case texts == all:
		return form{of: "Text", bare: true, fixed: true}.because("the values are not in the one form that this program writes and compares times in, or there are none yet: each is shown as the text that it is, and no client writes it"), nil
	}
	return form{why: fmt.Sprintf("%d of %d values are numbers where others are texts: they have no order", all-texts, all), do: "bring them to one form"}, nil
}
