package planner

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
	atschema "ariga.io/atlas/sql/schema"
	"entgo.io/ent/dialect"
)

// Diff writes, for each database, the migration that leads from the files
// below root to the schema, and returns the paths of what it wrote: none
// where nothing changed. Each new file is replayed and compared before it
// stays.
func Diff(ctx context.Context, root, name string, s Schema) (written []string, err error) {
	if !nameForm.MatchString(name) {
		return nil, fmt.Errorf("%w: %q: lower-case letters, digits and _ are allowed", ErrName, name)
	}
	version, err := nextVersion(root)
	if err != nil {
		return nil, err
	}
	var all []*planned
	for _, dialectName := range Dialects {
		p, err := diff(ctx, root, dialectName, version, name, s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dialectName, err)
		}
		if p != nil {
			all = append(all, p)
		}
	}
	for _, p := range all { // both databases, or neither
		if err := p.write(); err != nil {
			return written, err
		}
		written = append(written, p.path())
	}
	return written, nil
}

// planned is a migration that is yet to be written.
type planned struct {
	dir  *atlas.LocalDir
	file atlas.File
}

func (p *planned) path() string { return filepath.Join(p.dir.Path(), p.file.Name()) }

func (p *planned) write() error {
	if err := p.dir.WriteFile(p.file.Name(), p.file.Bytes()); err != nil {
		return err
	}
	return hash(p.dir)
}

// ErrName says that a migration can't be called so.
var ErrName = errors.New("the name of a migration is part of a file's name")

var nameForm = regexp.MustCompile(`^[a-z0-9][a-z0-9_]*$`)

// nextVersion is the time, in seconds, or the second after the newest file's:
// the same in both folders.
func nextVersion(root string) (string, error) {
	next := atlas.NewVersion()
	for _, dialectName := range Dialects {
		dir, err := unchecked(root, dialectName)
		if err != nil {
			return "", err
		}
		files, err := dir.Files()
		if err != nil || len(files) == 0 {
			continue
		}
		if last := files[len(files)-1].Version(); last >= next {
			n, err := strconv.ParseInt(last, 10, 64)
			if err != nil {
				return "", fmt.Errorf("version of %s: %w", files[len(files)-1].Name(), err)
			}
			next = strconv.FormatInt(n+1, 10)
		}
	}
	return next, nil
}

func diff(ctx context.Context, root, dialectName, version, name string, s Schema) (_ *planned, err error) {
	dir, err := folder(root, dialectName)
	if err != nil {
		return nil, err
	}
	desired, err := build(ctx, dialectName, s)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, desired.close()) }()
	changes, err := desired.missing(ctx, dir, s.Renames)
	if err != nil || len(changes) == 0 {
		return nil, err
	}
	plan := &atlas.Plan{Version: version, Name: name, Changes: changes}
	file, err := atlas.DefaultFormatter.FormatFile(plan)
	if err != nil {
		return nil, err
	}
	file = withHeader(file, name)
	if err := desired.try(ctx, dir, file); err != nil {
		return nil, fmt.Errorf("%w\nin the migration that would have been:\n%s", err, file.Bytes())
	}
	return &planned{dir, file}, nil
}

// try replays the folder with the new file and compares.
func (s *state) try(ctx context.Context, dir atlas.Dir, file atlas.File) error {
	files, err := dir.Files()
	if err != nil {
		return err
	}
	trial := new(atlas.MemDir)
	if err := trial.CopyFiles(append(files, file)); err != nil {
		return err
	}
	rest, err := s.missing(ctx, trial, nil)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return fmt.Errorf("it does not reach the schema; missing:\n%s", texts(rest))
	}
	return nil
}

// Verify reports, as an error, what the files below root lack to be the schema.
func Verify(ctx context.Context, root string, s Schema) error {
	var errs []error
	for _, dialectName := range Dialects {
		missing, err := verify(ctx, root, dialectName, s)
		if err != nil {
			return fmt.Errorf("%s: %w", dialectName, err)
		}
		if len(missing) > 0 {
			errs = append(errs, fmt.Errorf("%s lacks a migration, which weave migrate diff NAME writes:\n%s", dialectName, texts(missing)))
		}
	}
	return errors.Join(errs...)
}

func verify(ctx context.Context, root, dialectName string, s Schema) (missing []*atlas.Change, err error) {
	dir, err := folder(root, dialectName)
	if err != nil {
		return nil, err
	}
	desired, err := build(ctx, dialectName, s)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, desired.close()) }()
	return desired.missing(ctx, dir, s.Renames)
}

// missing are the statements that lead from the folder to the state.
func (s *state) missing(ctx context.Context, dir atlas.Dir, renames map[string]string) (_ []*atlas.Change, err error) {
	current, err := replay(ctx, s.dialect, dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, current.close()) }()
	b := states{current, s}
	renamed, err := current.rename(ctx, s, renames)
	if err != nil {
		return nil, err
	}
	tables, err := b.tables(ctx)
	if err != nil {
		return nil, err
	}
	return b.order(renamed, tables), nil
}

// states are what the files add up to and what the schema asks for.
type states struct{ current, desired *state }

// tables plans the changes of the tables.
func (b *states) tables(ctx context.Context) ([]*atlas.Change, error) {
	changes, err := b.current.driver.SchemaDiff(b.current.tables, b.desired.tables, atschema.DiffNormalized())
	if err != nil {
		return nil, fmt.Errorf("compare tables: %w", err)
	}
	if len(changes) == 0 {
		return nil, nil
	}
	plan, err := b.current.driver.PlanChanges(ctx, "changes", changes, func(o *atlas.PlanOptions) {
		o.SchemaQualifier, o.Indent = new(string), "  "
	})
	if err != nil {
		return nil, fmt.Errorf("plan changes of tables: %w", err)
	}
	return plan.Changes, nil
}

// rewritten are the tables that SQLite makes anew: a copy takes their place.
func (b *states) rewritten(changes []*atlas.Change) (tables []string) {
	if b.current.dialect != dialect.SQLite {
		return nil
	}
	for _, c := range changes {
		if rest, ok := strings.CutPrefix(c.Cmd, "ALTER TABLE `new_"); ok {
			if from, to, ok := strings.Cut(rest, "` RENAME TO `"); ok && strings.TrimSuffix(to, "`") == from {
				tables = append(tables, from)
			}
		}
	}
	return tables
}

func texts(changes []*atlas.Change) string {
	var b strings.Builder
	for _, c := range changes {
		fmt.Fprintf(&b, "\t%s;\n", c.Cmd)
	}
	return b.String()
}
