package migration

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	atlas "ariga.io/atlas/sql/migrate"
	"ariga.io/atlas/sql/schema"

	"github.com/entwine-go/entwine/kit/store"
)

// DevelopmentTable is where a developer's SQLite database says that weave dev
// has brought it to a schema to which no migrations lead yet:
// doc/schema/loop.md. Its one row is the digest of that schema.
const DevelopmentTable = "entwine_development"

// ErrDevelopment says that a database is as a schema wants it that is not the
// one which the program's migrations lead to.
var ErrDevelopment = errors.New("the database is where weave dev has brought it, and no migration leads there: " +
	"weave dev goes on with it, and weave migrate down undoes the last step")

// Developed is the digest of the schema that weave dev has brought the database
// to, empty where migrations alone have made it.
func Developed(ctx context.Context, db *store.DB) (digest string, err error) {
	if !db.Dialect.Embedded() {
		return "", nil
	}
	r := revisions{db, of(db.Dialect)}
	found, err := r.strings(ctx, "SELECT name FROM sqlite_master WHERE name = $1", DevelopmentTable)
	if err == nil && len(found) > 0 {
		found, err = r.strings(ctx, "SELECT digest FROM "+DevelopmentTable)
	}
	if err != nil {
		return "", fmt.Errorf("read %s: %w", DevelopmentTable, err)
	}
	if len(found) > 0 {
		digest = found[0]
	}
	return digest, nil
}

// Step brings a developer's SQLite database to a schema.
type Step struct {
	// Statements lead there, as planner.Develop has planned them.
	Statements []string
	// Digest is that of the schema.
	Digest string
	// Files are the migrations. The database counts as having had all of them and no
	// other: the statements bring it at least to their result.
	Files fs.FS
	// Try is set where nothing of it is to stay.
	Try bool
}

// Develop applies the step in one transaction.
func Develop(ctx context.Context, db *store.DB, s Step) error {
	dir, err := Dir(s.Files, db.Dialect.Name())
	if err != nil {
		return err
	}
	return inSQLite(ctx, db, s.Try, func(tx schema.ExecQuerier) error {
		stepped := Steps(tx, db.Dialect)
		for _, text := range s.Statements {
			if _, err := stepped.ExecContext(ctx, text); err != nil {
				return fmt.Errorf("%w\nin the statement %s", refusalOf(err, ""), text)
			}
		}
		if err := (revisions{tx, of(db.Dialect)}).settle(ctx, dir); err != nil {
			return err
		}
		return develop(ctx, tx, s)
	})
}

// develop notes which schema the database has, unless migrations lead there.
func develop(ctx context.Context, tx schema.ExecQuerier, s Step) error {
	texts := []string{"DROP TABLE IF EXISTS " + DevelopmentTable}
	if !Developing(s.Files, s.Digest) {
		texts = append(texts, "CREATE TABLE "+DevelopmentTable+" (digest text NOT NULL)", "INSERT INTO "+DevelopmentTable+" VALUES ('"+s.Digest+"')")
	}
	for _, text := range texts {
		if _, err := tx.ExecContext(ctx, text); err != nil {
			return fmt.Errorf("note the schema: %w", err)
		}
	}
	return nil
}

// Developing reports whether the migrations in files lead a developer's database to the
// schema with the digest.
func Developing(files fs.FS, digest string) bool {
	return Matches(files, digest, only(database.Embedded).Name()) == nil
}

// settled reports whether weave dev has brought the database to the schema that
// the migrations lead to, and has it count as having had them. One that was
// brought elsewhere is refused.
func settled(ctx context.Context, db *store.DB, files fs.FS) (bool, error) {
	digest, err := Developed(ctx, db)
	if err != nil || digest == "" {
		return false, err
	}
	if !Developing(files, digest) {
		return false, ErrDevelopment
	}
	return true, Develop(ctx, db, Step{Digest: digest, Files: files})
}

// inSQLite runs do in a transaction like that of a migration.
func inSQLite(ctx context.Context, db *store.DB, try bool, do func(tx schema.ExecQuerier) error) error {
	conn, err := db.Session(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	t := &target{conn: conn, db: db}
	tx, err := of(db.Dialect).begin(ctx, t)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil || try {
		return errors.Join(err, tx.rollback())
	}
	return tx.commit()
}

// settle has the table say that the database has had the folder's migrations
// and no others.
func (r revisions) settle(ctx context.Context, dir atlas.Dir) error {
	if err := r.init(ctx); err != nil {
		return err
	}
	had, err := r.versions(ctx)
	if err != nil {
		return err
	}
	files, err := dir.Files()
	if err != nil {
		return err
	}
	for _, f := range files {
		if state, has := had[f.Version()]; has && state == whole {
			delete(had, f.Version())
			continue
		}
		if err := r.record(ctx, dir, f); err != nil {
			return err
		}
		delete(had, f.Version())
	}
	for version := range had {
		if err := r.DeleteRevision(ctx, version); err != nil {
			return err
		}
	}
	return nil
}
