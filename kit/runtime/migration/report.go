package migration

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"

	"github.com/entwine-go/entwine/kit/runtime/store"
)

// Report says what a database has had.
type Report struct {
	// Applied and Pending are file names, in order.
	Applied, Pending []string
	// Half are versions of which the database has had a part. None is left
	// behind here, but by who repairs a database by hand, or copies one.
	Half []string
	// Unknown are versions that the database has had and this program does
	// not know: it is older than the database.
	Unknown []string
}

// Check refuses a database that this program would not understand, and says
// what to do about it. One that is only behind is fine.
func (r Report) Check() error {
	if len(r.Half) > 0 {
		return fmt.Errorf("migration %s was applied in part, so the tables are neither those from before it nor those from after it: "+
			"restore a copy from before it; or finish or undo its statements by hand, then set applied = total in its row of %s, or delete the row",
			strings.Join(r.Half, ", "), Table)
	}
	if n := len(r.Unknown); n > 0 {
		return fmt.Errorf("the database is newer than this program, which does not know its migration %s: "+
			"start the version of the program that has it, or a later one, or restore a copy from before it", r.Unknown[n-1])
	}
	return nil
}

// Status compares the database with the migrations in files.
func Status(ctx context.Context, db *store.DB, files fs.FS) (Report, error) {
	dir, err := Dir(files, db.Dialect)
	if err != nil {
		return Report{}, err
	}
	return StatusOf(ctx, db, dir)
}

// StatusOf compares the database with the folder's migrations.
func StatusOf(ctx context.Context, db *store.DB, dir atlas.Dir) (Report, error) {
	r, err := revisions{db, db.Postgres()}.compare(ctx, dir)
	if err != nil {
		return r, fmt.Errorf("migration status: %w", err)
	}
	return r, nil
}

// compare compares the table with the folder's migrations.
func (r revisions) compare(ctx context.Context, dir atlas.Dir) (report Report, err error) {
	had, half, err := r.versions(ctx)
	if err != nil {
		return report, err
	}
	all, err := dir.Files()
	if err != nil {
		return report, err
	}
	for _, f := range all {
		if i := slices.Index(had, f.Version()); i >= 0 {
			report.Applied, had = append(report.Applied, f.Name()), slices.Delete(had, i, i+1)
		} else if !slices.Contains(half, f.Version()) {
			report.Pending = append(report.Pending, f.Name())
		}
	}
	report.Half, report.Unknown = half, had
	return report, nil
}
