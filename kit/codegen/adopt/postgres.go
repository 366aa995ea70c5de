package adopt

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
	"ariga.io/atlas/sql/postgres"
	atschema "ariga.io/atlas/sql/schema"
	_ "github.com/lib/pq" // the database that is adopted
)

// postgresKind is the [kind] of servers.
type postgresKind struct{}

// open has the session refuse writes.
func (postgresKind) open(address string) (*sql.DB, error) {
	by := "?"
	if strings.Contains(address, "?") {
		by = "&"
	}
	return sql.Open("postgres", address+by+"default_transaction_read_only=on")
}

func (postgresKind) driver(db atschema.ExecQuerier) (atlas.Driver, error) { return postgres.Open(db) }

func (postgresKind) parted(ctx context.Context, db *sql.DB) (names []string, err error) {
	all, err := lines(ctx, db, `SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND (relkind = 'p' OR relkind = 'r' AND relispartition) ORDER BY 1`)
	for _, row := range all {
		names = append(names, row[0])
	}
	return names, err
}

var besides = `
SELECT CASE relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' ELSE 'foreign table' END, relname::text, 1
FROM pg_class c WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('v', 'm', 'f')
	AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
UNION ALL
SELECT 'trigger', t.tgname || ' of ' || string_agg(c.relname, ', ' ORDER BY c.relname), 2 FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal AND NOT c.relispartition GROUP BY t.tgname
UNION ALL
SELECT 'function', proname::text, 3 FROM pg_proc p WHERE pronamespace = current_schema()::regnamespace
	AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
UNION ALL
SELECT 'index', c.relname || ' of ' || t.relname, 4 FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind = 'r' AND NOT t.relispartition AND ` + indexBrought + `
UNION ALL
SELECT 'constraint', k.conname || ' of ' || t.relname, 5 FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid
WHERE t.relnamespace = current_schema()::regnamespace AND NOT t.relispartition AND (` + constraintBrought + `)
UNION ALL
SELECT 'default', 'of ' || t.relname || '.' || a.attname, 6 FROM pg_attrdef f JOIN pg_class t ON t.oid = f.adrelid JOIN pg_attribute a ON a.attrelid = f.adrelid AND a.attnum = f.adnum
WHERE t.relnamespace = current_schema()::regnamespace AND NOT t.relispartition AND ` + defaultBrought + `
ORDER BY 3, 2`

func (postgresKind) beside(ctx context.Context, db *sql.DB) (left []Left, err error) {
	all, err := lines(ctx, db, besides)
	for _, row := range all {
		l := Left{What: row[0] + " " + row[1], Why: "it works as before, and a database that migrations make from nothing does not have it"}
		if row[2] > "3" {
			l.Why = "it needs what an extension or a function of the database brings: it works as before, and a database that migrations make from nothing does not have it"
		}
		if strings.HasSuffix(row[0], "view") {
			l.Why, l.Do = "a view has no key, and no client is generated for one; it works as before", "read it in SQL, or make the column that is unique the id of an entity of your own"
		}
		left = append(left, l)
	}
	return left, err
}

func (postgresKind) objects() string {
	return `SELECT CASE relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' WHEN 'i' THEN 'index' WHEN 'I' THEN 'index' WHEN 'S' THEN 'sequence' ELSE 'table' END, relname::text, relname::text
FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind <> 'c'
UNION ALL
SELECT 'type', typname::text, typname::text FROM pg_type t WHERE typnamespace = current_schema()::regnamespace AND typelem = 0 AND (typrelid = 0 OR EXISTS (SELECT FROM pg_class c WHERE c.oid = typrelid AND relkind = 'c'))
ORDER BY 1 DESC, 2`
}

func (postgresKind) renaming(all []object) string {
	var says []string
	for _, o := range all {
		says = append(says, fmt.Sprintf("ALTER %s %s RENAME TO old_%[2]s", strings.ToUpper(o.what), o.name))
	}
	text := strings.Join(says, "; ")
	if i := slices.IndexFunc(all, func(o object) bool { return o.what == "table" }); i >= 0 {
		text += fmt.Sprintf("; programs that know %[1]s by that name find a view in a schema that comes first in their search_path: CREATE SCHEMA before; CREATE VIEW before.%[1]s AS SELECT * FROM old_%[1]s", all[i].name)
	}
	return text
}

// A default that takes the next number of a sequence.
var next = regexp.MustCompile(`(?i)^nextval\(`)

func (postgresKind) numbers(_ *atschema.Table, key *atschema.Column) bool {
	if _, serial := key.Type.Type.(*postgres.SerialType); serial {
		return true
	}
	for _, a := range key.Attrs {
		if _, ok := a.(*postgres.Identity); ok {
			return true
		}
	}
	x, ok := key.Default.(*atschema.RawExpr)
	return ok && next.MatchString(strings.TrimSpace(x.X))
}

// graphName matches names of enum values in GraphQL.
var graphName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

func (k postgresKind) form(ctx context.Context, db *sql.DB, _ *atschema.Table, c *atschema.Column) (form, error) {
	t := c.Type.Type
	if u, ok := t.(*postgres.UserDefinedType); ok && u.C == "d" {
		base, err := lines(ctx, db, "SELECT format_type(typbasetype, typtypmod) FROM pg_type WHERE oid = $1::regtype", u.T)
		if err != nil || len(base) == 0 {
			return form{}, err
		}
		if t, err = postgres.ParseType(base[0][0]); err != nil {
			return form{}, err
		}
		f := k.of(t)
		if f.why != "" {
			f.why = "; " + f.why
		}
		f.why = "the type is the domain " + u.T + " over " + base[0][0] + ", whose own checks the database keeps, so clients do not write it" + f.why
		f.fixed = true // what the domain refuses would be an error that names no field
		return f, nil
	}
	return k.of(t), nil
}

// unfit is that of texts: see gid.Texts.
func (postgresKind) unfit(key, id string, part bool) string {
	switch {
	case id != "String":
		return ""
	case part: // other characters are written otherwise: see model.RowKey
		return "octet_length(" + key + ") > 100 OR " + key + ` ~ '[[:cntrl:]]'`
	}
	return "octet_length(" + key + ") NOT BETWEEN 1 AND 255 OR " + key + ` ~ '[[:cntrl:]/\\,]' OR ` + key + " IN ('.', '..')"
}

// of is the form of a type.
func (postgresKind) of(t atschema.Type) form {
	switch t := t.(type) {
	case *atschema.IntegerType:
		return integer(bits(t.T))
	case *postgres.SerialType:
		return integer(bits(t.IntegerType().T))
	case *atschema.BoolType:
		return form{of: "Bool"}
	case *atschema.FloatType:
		return form{of: "Float"}
	case *atschema.DecimalType:
		return decimal(t.Precision, t.Scale)
	case *atschema.StringType:
		if strings.HasPrefix(t.T, "char") && !strings.Contains(t.T, "var") {
			return text(max(1, t.Size)).because("the type pads its texts with spaces, which clients see")
		}
		return text(t.Size)
	case *atschema.JSONType:
		return jsonForm
	case *atschema.UUIDType:
		return uuidForm
	case *atschema.BinaryType:
		return form{of: "Bytes", uncompared: true}
	case *atschema.EnumType:
		if slices.ContainsFunc(t.Values, func(v string) bool { return !graphName.MatchString(v) }) {
			return form{of: "String", values: t.Values, uncompared: true}.because("an enum of GraphQL has no values such as " + strings.Join(t.Values, ", ") + ": a text of these")
		}
		return form{of: "Enum", values: t.Values}
	case *atschema.TimeType:
		switch name := strings.ToLower(t.T); {
		case name == "date":
			return dateForm
		case strings.HasPrefix(name, "timestamp with time zone") || name == "timestamptz":
			return form{of: "Time"}
		case strings.HasPrefix(name, "timestamp"):
			return form{of: "Time"}.because("the type has no zone: it is read and written as UTC")
		}
	}
	return form{why: fmt.Sprintf("no kind of field holds %s", typeName(t)), do: "read it in SQL, or show it by expose.Derived"}
}

func typeName(t atschema.Type) string {
	if text, err := postgres.FormatType(t); err == nil {
		return text
	}
	return fmt.Sprintf("the type %T", t)
}

func bits(name string) int {
	switch strings.ToLower(name) {
	case "smallint", "int2":
		return 16
	case "bigint", "int8":
		return 64
	}
	return 32
}
