package adopt

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
	atschema "ariga.io/atlas/sql/schema"

	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
)

// Database is the inspected database.
type Database struct {
	Dialect string
	Tables  []*table
	// Beside are views, functions and others that no entity is made of.
	Beside []Left

	db      *sql.DB
	kind    kind
	objects []object
}

// object is something that has a name of its own in the database: no two of them have the
// same key there.
type object struct{ what, name, key string }

// table is a table and what Atlas does not read of it.
type table struct {
	*atschema.Table
	kind  kind
	forms map[string]form
	// unfit is a value of the key that can't be the id of a row, nil for none.
	unfit *string
}

// kind has the differences between databases.
type kind interface {
	open(address string) (*sql.DB, error)
	driver(db atschema.ExecQuerier) (atlas.Driver, error)
	// parted are the tables with partitions, and these. beside lists what is no table.
	parted(ctx context.Context, db *sql.DB) ([]string, error)
	beside(ctx context.Context, db *sql.DB) ([]Left, error)
	// objects selects what, name and key of each [object], and renaming says how some come
	// to have other names.
	objects() (query string)
	renaming(all []object) string
	// form is the form of a column's values.
	form(ctx context.Context, db *sql.DB, t *atschema.Table, c *atschema.Column) (form, error)
	// numbers reports whether the database gives new rows their ids.
	numbers(t *atschema.Table, key *atschema.Column) bool
	// unfit is the condition of rows whose key can't be an id of that kind, or a part of
	// one, empty where all can.
	unfit(key, id string, part bool) string
	// creations are the statements that have made the tables.
	creations(ctx context.Context, db *sql.DB, tables []string) ([]string, error)
}

var kinds = store.PerDialect[kind](postgresKind{}, sqliteKind{})

// Open reads the database at an address: postgres://…, or the path of a file of SQLite.
func Open(ctx context.Context, address string) (*Database, error) {
	d := &Database{Dialect: "sqlite3"}
	if strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://") {
		d.Dialect = "postgres"
	} else if _, err := os.Stat(strings.TrimPrefix(address, "file:")); err != nil {
		return nil, fmt.Errorf("%s: postgres://… or the path of a SQLite file is allowed: %w", address, err)
	}
	d.kind = kinds.On(store.DialectOf(d.Dialect))
	var err error
	if d.db, err = d.kind.open(address); err != nil {
		return nil, err
	}
	if err := d.read(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("read the database: %w", err), d.db.Close())
	}
	return d, nil
}

// Close ends the connection.
func (d *Database) Close() error { return d.db.Close() }

// own are the tables that migrations of this program make beside those of schemas.
var own = []string{migration.Table, migration.DevelopmentTable, migration.AtlasTable, "recounts", "recounts_keyed", "sqlite_sequence"}

func (d *Database) read(ctx context.Context) error {
	driver, err := d.kind.driver(d.db)
	if err != nil {
		return err
	}
	parted, err := d.kind.parted(ctx, d.db)
	if err != nil {
		return err
	}
	s, err := driver.InspectSchema(ctx, "", &atschema.InspectOptions{Exclude: parted})
	if err != nil {
		return err
	}
	for _, t := range s.Tables {
		if slices.Contains(own, t.Name) {
			continue
		}
		own := &table{Table: t, kind: d.kind, forms: map[string]form{}}
		for _, c := range t.Columns {
			if own.forms[c.Name], err = d.kind.form(ctx, d.db, t, c); err != nil {
				return fmt.Errorf("column %s of %s: %w", c.Name, t.Name, err)
			}
		}
		if err := own.judgeKey(ctx, d.db); err != nil {
			return fmt.Errorf("key of %s: %w", t.Name, err)
		}
		d.Tables = append(d.Tables, own)
	}
	slices.SortFunc(d.Tables, func(a, b *table) int { return strings.Compare(a.Name, b.Name) })
	for _, name := range parted {
		d.Beside = append(d.Beside, Left{"table " + name, "it has partitions, or is one, and Atlas does not read it",
			"read it in SQL; a key of one column that is unique over all partitions can't be had in PostgreSQL"})
	}
	beside, err := d.kind.beside(ctx, d.db)
	if err != nil {
		return err
	}
	d.Beside = append(d.Beside, beside...)
	named, err := lines(ctx, d.db, d.kind.objects())
	for _, o := range named {
		d.objects = append(d.objects, object{o[0], o[1], o[2]})
	}
	return err
}

// lines reads rows of texts.
func lines(ctx context.Context, db *sql.DB, query string, args ...any) (all [][]string, err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		row, dest := make([]string, len(columns)), make([]any, len(columns))
		for i := range row {
			dest[i] = &row[i]
		}
		if err := rows.Scan(dest...); err != nil {
			return nil, err
		}
		all = append(all, row)
	}
	return all, rows.Err()
}
