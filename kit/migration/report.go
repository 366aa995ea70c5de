package migration

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"

	"github.com/entwine-go/entwine/kit/store"
)

// Report lists the migrations of a database.
type Report struct {
	// Applied and Pending are file names, in order.
	Applied, Pending []string
	// Begun is the version of the first pending file if some of its statements
	// were applied: it is applied statement by statement, and goes on.
	Begun string
	// Half are versions of which the database has had a part. Only a repair by hand or
	// a copy of a database leaves such a part behind.
	Half []string
	// Unknown are versions that the database has had and this program does
	// not know: it is older than the database.
	Unknown []string
}

// Check refuses a database that this program would not understand. The error says
// how to correct it. One that is only behind is fine.
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
	dir, err := Dir(files, db.Dialect.Name())
	if err != nil {
		return Report{}, err
	}
	return StatusOf(ctx, db, dir)
}

// StatusOf compares the database with the folder's migrations.
func StatusOf(ctx context.Context, db *store.DB, dir atlas.Dir) (Report, error) {
	r, err := revisions{db, of(db.Dialect)}.compare(ctx, dir)
	if err != nil {
		return r, fmt.Errorf("migration status: %w", err)
	}
	return r, nil
}

// compare compares the table with the folder's migrations.
func (r revisions) compare(ctx context.Context, dir atlas.Dir) (report Report, err error) {
	had, err := r.versions(ctx)
	if err != nil {
		return report, err
	}
	all, err := dir.Files()
	if err != nil {
		return report, err
	}
	for _, f := range all {
		switch state, has := had[f.Version()]; {
		case !has:
			report.Pending = append(report.Pending, f.Name())
		case state == whole:
			report.Applied = append(report.Applied, f.Name())
		case state == begun:
			if report.Pending = append(report.Pending, f.Name()); len(report.Pending) == 1 {
				report.Begun = f.Version()
			}
		}
		if had[f.Version()] != half {
			delete(had, f.Version())
		}
	}
	for _, version := range slices.Sorted(maps.Keys(had)) {
		if had[version] == half {
			report.Half = append(report.Half, version)
		} else {
			report.Unknown = append(report.Unknown, version)
		}
	}
	return report, nil
}
