package storetest

import (
	"context"
	"database/sql"
	"fmt"
	"testing"

	"github.com/entwine-go/entwine/kit/store"
)

// Kept returns the database at the address and runs s.Up there. It is not removed
// after the test or benchmark, so that a million rows are filled in once: Up changes
// nothing where it ran before.
func (s Schema) Kept(t testing.TB, url string) *store.DB {
	t.Helper()
	db := open(t, store.Config{URL: url})
	if err := s.Up(t.Context(), db); err != nil {
		t.Fatalf("migrate %s: %v", url, err)
	}
	return db
}

// Bare takes the triggers and indexes of the table away, calls load and makes them
// again, which inserts many rows in a fraction of the time. Triggers do not see those
// rows: they are neither counted nor announced. On PostgreSQL the triggers stay that
// compute columns of the row itself.
func Bare(t testing.TB, db *store.DB, table string, load func()) {
	t.Helper()
	var undo []string
	session(t, db, func(run func(string), texts func(string) []string) {
		if db.Postgres() {
			undo = append(texts(`SELECT i.indexdef FROM pg_indexes i WHERE i.tablename = '`+table+`' AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conname = i.indexname)`),
				`ALTER TABLE "`+table+`" ENABLE TRIGGER USER`)
			stay := texts(`SELECT 'ALTER TABLE "` + table + `" ENABLE TRIGGER "' || t.tgname || '"' FROM pg_trigger t WHERE t.tgrelid = '"` + table + `"'::regclass AND NOT t.tgisinternal AND starts_with(t.tgname, 'keep_')`)
			for _, name := range texts(`SELECT i.indexname FROM pg_indexes i WHERE i.tablename = '` + table + `' AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conname = i.indexname)`) {
				run(`DROP INDEX "` + name + `"`)
			}
			run(`ALTER TABLE "` + table + `" DISABLE TRIGGER USER`)
			for _, statement := range stay { // the values of the rows themselves
				run(statement)
			}
			return
		}
		undo = texts(`SELECT "sql" FROM "sqlite_master" WHERE "tbl_name" = '` + table + `' AND "type" IN ('index', 'trigger') AND "sql" IS NOT NULL ORDER BY "type"`)
		for _, drop := range texts(`SELECT 'DROP ' || "type" || ' "' || "name" || '"' FROM "sqlite_master" WHERE "tbl_name" = '` + table + `' AND "type" IN ('index', 'trigger') AND "sql" IS NOT NULL`) {
			run(drop)
		}
		for _, name := range texts(`SELECT "name" FROM "sqlite_master" WHERE "sql" LIKE 'CREATE VIRTUAL TABLE%content="` + table + `"%'`) {
			undo = append(undo, `INSERT INTO "`+name+`" ("`+name+`") VALUES ('rebuild')`)
		}
	})
	load()
	session(t, db, func(run func(string), _ func(string) []string) {
		if db.Postgres() {
			run("SET maintenance_work_mem = '512MB'")
		}
		for _, statement := range undo {
			run(statement)
		}
		run(map[bool]string{true: "VACUUM ANALYZE", false: "ANALYZE"}[db.Postgres()])
	})
}

// session calls fn with a way to run statements, and one to read texts, that
// no timeout ends.
func session(t testing.TB, db *store.DB, fn func(run func(string), texts func(string) []string)) {
	t.Helper()
	conn, err := db.Session(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fn(func(statement string) {
		t.Helper()
		if _, err := conn.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}, func(query string) []string {
		t.Helper()
		all, err := texts(t.Context(), conn, query)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return all
	})
}

func texts(ctx context.Context, conn *sql.Conn, query string) (all []string, err error) {
	rows, err := conn.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, fmt.Errorf("read a text: %w", err)
		}
		all = append(all, text)
	}
	return all, rows.Err()
}
