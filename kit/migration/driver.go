package migration

import (
	"context"
	"database/sql"

	atlas "ariga.io/atlas/sql/migrate"
	"ariga.io/atlas/sql/schema"
)

// driver is the interface of a database that Atlas needs to apply files: how they
// are cut into statements, and how one is run. Atlas' own drivers can inspect and
// plan as well, for which they link HCL and all of its databases.
type driver struct {
	atlas.Driver // nil: nothing else is asked
	db           schema.ExecQuerier
	cut          atlas.ScannerOptions
}

var _ atlas.StmtScanner = driver{}

// ScanStmts cuts the text of a file into statements.
func (d driver) ScanStmts(text string) ([]*atlas.Stmt, error) {
	return (&atlas.Scanner{ScannerOptions: d.cut}).Scan(text)
}

// ExecContext runs a statement.
func (d driver) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return d.db.ExecContext(ctx, query, args...)
}

// CheckClean has nothing against tables of someone else's.
func (driver) CheckClean(context.Context, *atlas.TableIdent) error { return nil }
