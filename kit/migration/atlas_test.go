package migration_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"
	"time"

	atlas "ariga.io/atlas/sql/migrate"
	"ariga.io/atlas/sql/postgres"
	"ariga.io/atlas/sql/sqlite"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
)

// atlasTable reads what has been applied as Atlas' command line does.
type atlasTable struct {
	atlas.RevisionReadWriter // which writes nothing here
	conn                     *sql.Conn
}

func (r atlasTable) ReadRevisions(ctx context.Context) (all []*atlas.Revision, err error) {
	rows, err := r.conn.QueryContext(ctx, "SELECT version, description, type, applied, total, executed_at, execution_time, error, error_stmt, hash, operator_version FROM "+migration.AtlasTable+" ORDER BY version")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var v atlas.Revision
		if err := rows.Scan(&v.Version, &v.Description, &v.Type, &v.Applied, &v.Total, &v.ExecutedAt, &v.ExecutionTime, &v.Error, &v.ErrorStmt, &v.Hash, &v.OperatorVersion); err != nil {
			return nil, err
		}
		all = append(all, &v)
	}
	return all, rows.Err()
}

// pending are the files that Atlas says the database has not had, and the statements that it
// says the last one had.
func pending(t *testing.T, db *store.DB, dir atlas.Dir) (files string, applied int) {
	t.Helper()
	conn, err := db.Session(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	open := sqlite.Open
	if db.Postgres() {
		open = postgres.Open
	}
	driver, err := open(conn)
	if err != nil {
		t.Fatal(err)
	}
	r := atlasTable{conn: conn}
	executor, err := atlas.NewExecutor(driver, dir, r)
	if err != nil {
		t.Fatal(err)
	}
	found, err := executor.Pending(t.Context())
	if err != nil && !errors.Is(err, atlas.ErrNoPendingFiles) {
		t.Fatal(err)
	}
	var names []string
	for _, f := range found {
		names = append(names, f.Name())
	}
	all, err := r.ReadRevisions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(all) > 0 {
		last := all[len(all)-1]
		applied = last.Applied
		if age := time.Since(last.ExecutedAt); age < 0 || age > time.Hour || last.OperatorVersion == "" {
			t.Errorf("Atlas reads that %s was applied %s ago by %q", last.Version, age, last.OperatorVersion)
		}
	}
	return strings.Join(names, " "), applied
}

func TestAtlasSeesWhatIsApplied(t *testing.T) {
	t.Parallel()
	storetest.Schema{}.Each(t, func(t *testing.T, db *store.DB) {
		sees := func(dir atlas.Dir, want string, statements int) {
			t.Helper()
			if got, n := pending(t, db, dir); got != want || n != statements {
				t.Errorf("Atlas says that %q is pending after %d statements, want %q after %d", got, n, want, statements)
			}
		}
		if err := migration.Apply(t.Context(), db, folder(t, one)); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := migration.KeepAtlas(t.Context(), db); err != nil {
				t.Fatal(err)
			}
		}
		sees(folder(t, one), "", 2)
		sees(folder(t, one, two), "2_step.sql", 2)
		if err := migration.Apply(t.Context(), db, folder(t, one, wrong)); err == nil {
			t.Fatal("a wrong file was applied")
		}
		sees(folder(t, one, two), "2_step.sql", 2)
		if err := migration.Apply(t.Context(), db, folder(t, one, two)); err != nil {
			t.Fatal(err)
		}
		sees(folder(t, one, two), "", 1)
		if !db.Postgres() {
			return
		}
		halfway := folder(t, one, two, live("ALTER TABLE a ADD COLUMN b text", "ALTER TABLE a ADD COLUMN b text", "ALTER TABLE a ADD COLUMN c text"))
		if err := migration.Apply(t.Context(), db, halfway); err == nil {
			t.Fatal("a column was added twice")
		}
		sees(halfway, "3_step.sql", 1)
		exec(t, db, "ALTER TABLE a DROP COLUMN b")
		if err := migration.Apply(t.Context(), db, halfway); err != nil {
			t.Fatal(err)
		}
		sees(halfway, "", 3)
		exec(t, db, "DELETE FROM "+migration.Table+" WHERE version = '3'") // as an operator does
		if err := migration.KeepAtlas(t.Context(), db); err != nil {
			t.Fatal(err)
		}
		sees(halfway, "3_step.sql", 1)
	})
}

// What Atlas has applied is not mixed with what this package applies.
func TestMigrationsOfAtlasAreLeftAlone(t *testing.T) {
	t.Parallel()
	storetest.Schema{}.Each(t, func(t *testing.T, db *store.DB) {
		if err := migration.KeepAtlas(t.Context(), db); err != nil {
			t.Fatal(err)
		}
		exec(t, db, "INSERT INTO "+migration.AtlasTable+" (version, description, executed_at, execution_time, hash, operator_version) VALUES ('0', 'before', CURRENT_TIMESTAMP, 0, '', 'Atlas CLI v1.0.0')")
		if err := migration.Apply(t.Context(), db, folder(t, one)); err != nil {
			t.Fatal(err)
		}
		if n := count(t, db, migration.AtlasTable); n != 1 {
			t.Errorf("Atlas' table has %d rows, want the one that Atlas has written", n)
		}
		if err := migration.KeepAtlas(t.Context(), db); err == nil || !strings.Contains(err.Error(), "migrations that another program has applied (0)") {
			t.Errorf("KeepAtlas: %v, want a refusal", err)
		}
	})
}
