package planner

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	atlas "ariga.io/atlas/sql/migrate"

	"github.com/entwine-go/entwine/kit/migration"
)

// Step has the statements from a developer's SQLite database to a schema without a
// migration.
type Step struct {
	// Statements are those that migration.Develop runs. None: the database is
	// as the schema wants it.
	Statements []string
	// Lost are the tables, and the columns as "table.column", whose values go.
	Lost []string
	// Asks are questions: a column that is removed while another one of its type is
	// added may be a rename.
	Asks []string
	// Findings say what may fail on tables with rows, and what to do about it.
	Findings []string
	// Digest is that of the schema.
	Digest string
}

// Rows is a database that can be asked.
type Rows interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Develop plans the step from what the database is, once the pending files have
// been applied to it, to the schema. The pending files are some of all. The database itself
// is only read.
func Develop(ctx context.Context, db Rows, pending, all atlas.Dir, s Schema) (_ *Step, err error) {
	step := &Step{Digest: s.Digest()}
	desired, err := build(ctx, only(database.Embedded), s)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, desired.close()) }()
	current, err := likeness(ctx, db, pending)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, current.close()) }()
	p, err := desired.from(ctx, current, all, s)
	if err != nil {
		return nil, err
	}
	if len(p.changes) == 0 {
		return step, nil
	}
	for _, c := range p.changes {
		step.Statements = append(step.Statements, c.Cmd)
	}
	for _, l := range p.lost {
		step.Lost = append(step.Lost, l.name())
		if l.unclear() {
			step.Asks = append(step.Asks, l.asks())
		}
	}
	files, err := p.files("1", "development", Allow{})
	if err != nil {
		return nil, err
	}
	found, err := p.findings(ctx, desired, files)
	for _, f := range found {
		step.Findings = append(step.Findings, fmt.Sprintf("%s: %s", f.Text, advice(f.Code)))
	}
	return step, err
}

// asks returns the question about a loss that may be a rename. Nothing is lost
// meanwhile: the step keeps the values.
func (l loss) asks() string {
	return l.name() + " is gone, and " + l.question() + "\n\tremoved: there is nothing to do"
}

// likeness is a scratch database with the tables of the database, and none of
// its rows, after the pending files.
func likeness(ctx context.Context, db Rows, pending atlas.Dir) (_ *state, err error) {
	texts, err := creations(ctx, db)
	if err != nil {
		return nil, fmt.Errorf("read what the database is: %w", err)
	}
	s, err := newScratch(ctx, only(database.Embedded))
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("make what the database is: %w", err), s.close())
		}
	}()
	if err := s.run(ctx, texts...); err != nil {
		return nil, err
	}
	if err := s.replay(ctx, pending, atlas.WithAllowDirty(true)); err != nil {
		return nil, err
	}
	return s.inspect(ctx)
}

// creations are the statements that have made what is in the database, in their
// order: without its own tables, those of migrations, and what full-text tables
// make for themselves.
func creations(ctx context.Context, db Rows) (texts []string, err error) {
	rows, err := db.QueryContext(ctx, `SELECT sql FROM sqlite_master WHERE sql IS NOT NULL
	AND name NOT LIKE 'sqlite\_%' ESCAPE '\' AND tbl_name NOT IN ('`+migration.Table+`', '`+migration.DevelopmentTable+`', '`+migration.AtlasTable+`')
	AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow') ORDER BY rowid`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, rows.Err()
}
