package planner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
	"ariga.io/atlas/sql/postgres"
	_ "ariga.io/atlas/sql/postgres/postgrescheck" // its analyzers
	atschema "ariga.io/atlas/sql/schema"
	"ariga.io/atlas/sql/sqlcheck"
	"ariga.io/atlas/sql/sqlclient"
	"ariga.io/atlas/sql/sqlite"
	_ "ariga.io/atlas/sql/sqlite/sqlitecheck" // its analyzers
	"entgo.io/ent/dialect"

	"github.com/entwine-go/entwine/kit/runtime/migration"
)

// Finding is something in a migration that may lose data, fail on a table
// with rows, or break the program that runs beside it.
type Finding struct {
	// File is the migration's path below the root.
	File string
	// Code is Atlas's: DS102.
	Code string
	// Text says what it is.
	Text string
}

func (f Finding) String() string { return fmt.Sprintf("%s: %s (%s)", f.File, f.Text, f.Code) }

// Lint examines the files below root that are newer than the version since:
// "" for all. A file that says "-- atlas:nolint DS102" has been thought about.
func Lint(ctx context.Context, root, since string) ([]Finding, error) {
	var all []Finding
	for _, dialectName := range Dialects {
		dir, err := folder(root, dialectName)
		if err != nil {
			return nil, err
		}
		found, err := lint(ctx, dialectName, dir, since)
		if err != nil {
			return nil, fmt.Errorf("lint the migrations of %s: %w", dialectName, err)
		}
		all = append(all, found...)
	}
	return all, nil
}

func lint(ctx context.Context, dialectName string, dir *atlas.LocalDir, since string) (all []Finding, err error) {
	s, err := newScratch(ctx, dialectName)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	files, err := dir.Files()
	if err != nil {
		return nil, err
	}
	if since != "" && !slices.ContainsFunc(files, func(f atlas.File) bool { return f.Version() == since }) {
		return nil, fmt.Errorf("no migration has the version %q", since)
	}
	before, err := s.inspect(ctx)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if err := s.apply(ctx, dir, file); err != nil {
			return nil, err
		}
		after, err := s.inspect(ctx)
		if err != nil {
			return nil, err
		}
		if file.Version() > since {
			found, err := s.analyze(ctx, file, before, after)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file.Name(), err)
			}
			all = append(all, found...)
		}
		before = after
	}
	return all, nil
}

// apply runs one file.
func (s *scratch) apply(ctx context.Context, dir atlas.Dir, file atlas.File) error {
	executor, err := atlas.NewExecutor(s.driver, dir, atlas.NopRevisionReadWriter{})
	if err != nil {
		return err
	}
	return executor.Execute(ctx, file)
}

// analyze examines what a file does as a whole: statement by statement, the
// rewrite of a SQLite table would look like its loss.
func (s *scratch) analyze(ctx context.Context, file atlas.File, before, after *state) ([]Finding, error) {
	changes, err := s.driver.SchemaDiff(before.tables, after.tables, atschema.DiffNormalized())
	if err != nil {
		return nil, err
	}
	name := postgres.DriverName
	if s.dialect == dialect.SQLite {
		name = sqlite.DriverName
	}
	analyzers, err := sqlcheck.AnalyzerFor(name, nil)
	if err != nil {
		return nil, err
	}
	var found []Finding
	reported := false
	pass := &sqlcheck.Pass{
		Dev: &sqlclient.Client{Name: name, DB: s.DB, Driver: s.driver},
		File: &sqlcheck.File{
			File:    file,
			Changes: []*sqlcheck.Change{{Changes: changes, Stmt: &atlas.Stmt{Text: string(file.Bytes())}}},
			Sum:     changes,
			From:    &atschema.Realm{Schemas: []*atschema.Schema{before.tables}},
			To:      &atschema.Realm{Schemas: []*atschema.Schema{after.tables}},
		},
		Reporter: sqlcheck.ReportWriterFunc(func(r sqlcheck.Report) {
			reported = true
			for _, d := range r.Diagnostics {
				if !accepted(file, d.Code) {
					found = append(found, Finding{migration.Folder(s.dialect) + "/" + file.Name(), d.Code, d.Text})
				}
			}
		}),
	}
	for _, a := range analyzers {
		// What an analyzer reports it may return as an error besides.
		reported = false
		if err := a.Analyze(ctx, pass); err != nil && !reported {
			return nil, err
		}
	}
	return found, nil
}

// accepted reports whether the file's author has allowed the finding.
func accepted(file atlas.File, code string) bool {
	f, ok := file.(*atlas.LocalFile)
	return ok && slices.ContainsFunc(f.Directive("nolint"), func(codes string) bool {
		return codes == "" || slices.Contains(strings.Fields(codes), code)
	})
}
