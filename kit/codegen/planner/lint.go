package planner

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
	_ "ariga.io/atlas/sql/postgres/postgrescheck" // its analyzers
	atschema "ariga.io/atlas/sql/schema"
	"ariga.io/atlas/sql/sqlcheck"
	"ariga.io/atlas/sql/sqlclient"
	_ "ariga.io/atlas/sql/sqlite/sqlitecheck" // its analyzers

	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/pgserver"
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
	// Note is set where nothing has to be done.
	Note bool
}

func (f Finding) String() string {
	if f.Note {
		return fmt.Sprintf("%s: note: %s", f.File, f.Text)
	}
	return fmt.Sprintf("%s: %s (%s)\n\t%s", f.File, f.Text, f.Code, advice(f.Code))
}

// Lint examines the files below root that are newer than the version since: "" for
// all. A file that says "-- atlas:nolint DS102" has been thought about, and so
// have drops that its header names. A filled column is no finding. Without a
// server, PostgreSQL's are not examined, which is a note.
func Lint(ctx context.Context, root, since string) ([]Finding, error) {
	var all []Finding
	if half, err := Half(root); err != nil {
		return nil, err
	} else if half {
		all = append(all, Finding{File: migration.DigestFile, Code: codeHalf, Text: errHalf.Error()})
	}
	for _, dialectName := range Dialects {
		dir, err := folder(root, dialectName)
		if err != nil {
			return nil, err
		}
		found, err := lint(ctx, dialectName, dir, since)
		if errors.Is(err, pgserver.ErrMissing) {
			all = append(all, Finding{File: migration.Folder(dialectName), Note: true, Text: "not examined: " + err.Error()})
			continue
		}
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
			for _, text := range stopped(before.tables, file) {
				all = append(all, Finding{File: migration.Folder(dialectName) + "/" + file.Name(), Note: true, Text: text})
			}
			renamed(before.tables, file)
			found, err := s.examine(ctx, file, before, after)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file.Name(), err)
			}
			all = append(all, found...)
		}
		before = after
	}
	if len(before.syncs) > 0 {
		var names []string
		for _, p := range before.syncs {
			names = append(names, p.name+" of "+p.table)
		}
		all = append(all, Finding{File: migration.Folder(dialectName), Note: true,
			Text: "for programs from before a migration there are " + strings.Join(names, ", ") + ": weave migrate contract NAME, in a release after theirs, ends that"})
	}
	return all, nil
}

// apply runs one file.
func (s *scratch) apply(ctx context.Context, dir atlas.Dir, file atlas.File) error {
	executor, err := atlas.NewExecutor(s.migrator, dir, atlas.NopRevisionReadWriter{})
	if err != nil {
		return err
	}
	return executor.Execute(ctx, file)
}

var (
	renaming = regexp.MustCompile("(?m)^ALTER TABLE [`\"](\\w+)[`\"] RENAME (?:COLUMN [`\"](\\w+)[`\"] )?TO [`\"](\\w+)[`\"]")
	renamer  = regexp.MustCompile(`(?m)^ALTER (?:INDEX|TABLE "\w+" RENAME CONSTRAINT) "(\w+)" (?:RENAME )?TO "(\w+)"`)
)

// stopped says of what the file renames that programs from before it stop there.
func stopped(tables *atschema.Schema, file atlas.File) (says []string) {
	for _, r := range renaming.FindAllStringSubmatch(string(file.Bytes()), -1) {
		if _, ok := tables.Table(r[1]); !ok { // the copy of a rewritten table
			continue
		}
		name := r[1]
		if r[2] != "" {
			name += "." + r[2]
		}
		says = append(says, fmt.Sprintf("it calls %s %s: programs from before it fail at their next statement that has the name before", name, r[3]))
	}
	return says
}

// renamed gives tables, columns, indexes and keys the names that the file gives
// them, so that a rename is not taken for a loss.
func renamed(tables *atschema.Schema, file atlas.File) {
	for _, r := range renaming.FindAllStringSubmatch(string(file.Bytes()), -1) {
		t, ok := tables.Table(r[1])
		if !ok { // the copy of a rewritten table
			continue
		}
		if r[2] == "" {
			t.Name = r[3]
		} else if c, ok := t.Column(r[2]); ok {
			c.Name = r[3]
		}
	}
	names := map[string]string{}
	for _, r := range renamer.FindAllStringSubmatch(string(file.Bytes()), -1) {
		names[r[1]] = r[2]
	}
	follow := func(name *string) {
		if to, ok := names[*name]; ok {
			*name = to
		}
	}
	for _, t := range tables.Tables {
		for _, i := range t.Indexes {
			follow(&i.Name)
		}
		for _, k := range t.ForeignKeys {
			follow(&k.Symbol)
		}
		for _, c := range t.Checks() {
			follow(&c.Name)
		}
		if t.PrimaryKey != nil {
			follow(&t.PrimaryKey.Name)
		}
	}
}

// examine judges the statements of a file: losses that its header does not name,
// statements that may fail, and statements that take long.
func (s *scratch) examine(ctx context.Context, file atlas.File, before, after *state) (found []Finding, err error) {
	changes, err := s.driver.SchemaDiff(before.tables, after.tables, atschema.DiffNormalized())
	if err != nil {
		return nil, err
	}
	path := migration.Folder(s.dialect) + "/" + file.Name()
	allowed := Allow{Drop: directives(file, dropDirective)}
	for _, l := range (&states{current: before, desired: after}).own(losses(changes), nil) {
		if !accepted(file, l.code) && !slices.ContainsFunc(allowed.Drop, l.named) {
			found = append(found, Finding{File: path, Code: l.code, Text: l.text})
		}
	}
	more, err := s.analyze(ctx, file, before.tables, after.tables, changes)
	if err != nil {
		return nil, err
	}
	found = append(found, more...)
	for _, table := range directives(file, longDirective) {
		found = append(found, Finding{File: path, Note: true,
			Text: "it writes every row of " + table + ", which takes long where there are many: others wait for its locks until the whole file is applied"})
	}
	return found, nil
}

// findings are those of the files that the plan would become, but for losses.
func (p *plan) findings(ctx context.Context, desired *state, files []atlas.File) ([]Finding, error) {
	changes, err := desired.driver.SchemaDiff(p.before, desired.tables, atschema.DiffNormalized())
	if err != nil {
		return nil, err
	}
	return desired.analyze(ctx, together(files), p.before, desired.tables, changes)
}

// analyze examines what a file does as a whole: statement by statement, the
// rewrite of a SQLite table would look like its loss.
func (s *scratch) analyze(ctx context.Context, file atlas.File, before, after *atschema.Schema, changes []atschema.Change) ([]Finding, error) {
	name := s.database.analyzers()
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
			From:    &atschema.Realm{Schemas: []*atschema.Schema{before}},
			To:      &atschema.Realm{Schemas: []*atschema.Schema{after}},
		},
		Reporter: sqlcheck.ReportWriterFunc(func(r sqlcheck.Report) {
			reported = true
			for _, d := range r.Diagnostics {
				if d.Code != codeDropTable && d.Code != codeDropColumn && !accepted(file, d.Code) && !provided(file, d) {
					found = append(found, Finding{File: migration.Folder(s.dialect) + "/" + file.Name(), Code: d.Code, Text: d.Text})
				}
			}
		}),
	}
	for _, a := range analyzers {
		// An analyzer may return its report as an error as well.
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

var (
	quoted    = regexp.MustCompile(`"(\w+)"`)
	oneColumn = regexp.MustCompile(`column "(\w+)"`)
)

// provided reports whether the file itself does what the finding misses: it
// fills the column, or refuses while there are duplicates.
func provided(file atlas.File, d sqlcheck.Diagnostic) bool {
	form, names := "", oneColumn
	switch d.Code {
	case "MF103", "MF104", "LT101":
		form = "(?is)entwine_backfill\\([^;]*\"%[1]s\" =|\\bUPDATE\\b[^;]*\\bSET\\b[^;]*[\"`]?\\b%[1]s\\b[\"`]?\\s*=|entwine_fold\\([^;]*'%[1]s'\\)"
	case "MF101", "MF102":
		form, names = "entwine_refuse\\([^\\n]*GROUP BY [^\\n]*\"%[1]s\"", quoted
	default:
		return false
	}
	return slices.ContainsFunc(names.FindAllStringSubmatch(d.Text, -1), func(name []string) bool {
		return regexp.MustCompile(fmt.Sprintf(form, name[1])).Match(file.Bytes())
	})
}
