package trial

import (
	"cmp"
	"context"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
)

// database has the differences between databases in inspecting them.
type database interface {
	// locks reads the table, the mode and how many wait, of locks that stop others. It is
	// empty where there are none of tables.
	locks() string
	// columns reads table, column, its place in the primary key from 1, and its form:
	// number, text, bytes, or empty where the order of values is not known.
	columns() string
	// order is the column of the table t in an ORDER BY, which compares bytes or numbers.
	order(c column) string
}

var databases = store.PerDialect[database](postgresDatabase{}, sqliteDatabase{})

type column struct {
	name string
	key  int
	form string
}

// table has the columns, with those of the key in their order, none where rows can't be
// compared by it.
type table struct {
	columns []string
	key     []column
}

// tables are those of a database but for the kit's own of migrations.
func tables(ctx context.Context, db *store.DB) (map[string]*table, error) {
	rows, err := db.QueryContext(ctx, databases.On(db.Dialect).columns())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all, unknown := map[string]*table{}, map[string]bool{}
	for rows.Next() {
		var name string
		var c column
		if err := rows.Scan(&name, &c.name, &c.key, &c.form); err != nil {
			return nil, err
		}
		if strings.HasPrefix(name, "entwine_") {
			continue
		}
		if all[name] == nil {
			all[name] = new(table)
		}
		of := all[name]
		of.columns = append(of.columns, c.name)
		if c.key > 0 {
			of.key = append(of.key, c)
			unknown[name] = unknown[name] || c.form == ""
		}
	}
	for name, of := range all {
		slices.SortFunc(of.key, func(a, b column) int { return a.key - b.key })
		if unknown[name] {
			of.key = nil
		}
	}
	return all, rows.Err()
}

// text is that of the migrations that are pending.
func (t *Trial) text(ctx context.Context, db *store.DB) (string, error) {
	has, err := migration.Status(ctx, db, t.Migrations)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, name := range has.Pending {
		text, err := fs.ReadFile(t.Migrations, path.Join(migration.Folder(db.Dialect.Name()), name))
		if err != nil {
			return "", err
		}
		b.Write(text)
	}
	return b.String(), nil
}

func names(text, table string) bool {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(table) + `\b`).MatchString(text)
}

const word = "[\"`]?(\\w+)[\"`]?"

var (
	renamedTable  = regexp.MustCompile(`(?i)ALTER TABLE ` + word + ` RENAME TO ` + word)
	renamedColumn = regexp.MustCompile(`(?i)ALTER TABLE ` + word + ` RENAME COLUMN ` + word + ` TO ` + word)
)

// renamed has the later names of tables and their columns. A table of SQLite is
// replaced by a copy, new_…, and by no other table.
func renamed(text string) (tables map[string]string, columns map[string]map[string]string) {
	tables, columns = map[string]string{}, map[string]map[string]string{}
	was := map[string]string{} // by the name of now
	for _, found := range renamedTable.FindAllStringSubmatch(text, -1) {
		if found[1] != "new_"+found[2] {
			first := cmp.Or(was[found[1]], found[1])
			tables[first], was[found[2]] = found[2], first
		}
	}
	for _, found := range renamedColumn.FindAllStringSubmatch(text, -1) {
		table := cmp.Or(was[found[1]], found[1])
		if columns[table] == nil {
			columns[table] = map[string]string{}
		}
		columns[table][found[2]] = found[3]
	}
	return tables, columns
}
