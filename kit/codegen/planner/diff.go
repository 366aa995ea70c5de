package planner

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
	atschema "ariga.io/atlas/sql/schema"

	"github.com/entwine-go/entwine/kit/pgserver"
)

// Diff writes, for each database, the migration that leads from the files below
// root to the schema, and returns the paths of what it wrote: none where nothing
// changed. Each new file is replayed and compared before it stays. A change that
// would lose data, and is not allowed, is refused with both ways. Without a
// server, what follows PostgreSQL's first migration is left out, and [Half] says
// so from then on.
func Diff(ctx context.Context, root, name string, s Schema, allow Allow) (written []string, err error) {
	if !nameForm.MatchString(name) {
		return nil, fmt.Errorf("%w: %q: lower-case letters, digits and _ are allowed", ErrName, name)
	}
	digest := s.Digest()
	version, err := nextVersion(root)
	if err != nil {
		return nil, err
	}
	var all []*planned
	var refused []string
	half := false
	for _, dialectName := range Dialects {
		p, err := diff(ctx, root, dialectName, version, name, s, allow)
		if errors.Is(err, pgserver.ErrMissing) {
			if half, err = unwritten(root, digest); err != nil {
				return nil, err
			}
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dialectName, err)
		}
		if p != nil {
			all = append(all, p)
			refused = append(refused, p.refused...)
		}
	}
	refused = unique(refused)
	if wrong := unused(allow, all); len(refused)+len(wrong) > 0 {
		return nil, &LossError{Says: append(refused, wrong...), Meant: meant(all, len(wrong))}
	}
	for _, p := range all { // both databases, or neither
		if err := p.write(); err != nil {
			return written, err
		}
		written = append(written, p.paths()...)
	}
	return written, writeDigest(root, digest, half)
}

// ErrLoss says that a migration would lose data, or may fail, and was not
// allowed to.
var ErrLoss = errors.New("nothing was written: say what is meant")

// LossError is an [ErrLoss] with what the author has to say first.
type LossError struct {
	Says []string
	// Meant are the flags that say so of all, none where flags do not suffice.
	Meant []string
}

func (r *LossError) Error() string { return ErrLoss.Error() + ":\n" + strings.Join(r.Says, "\n") }
func (r *LossError) Unwrap() error { return ErrLoss }

// meant are the flags by which all that is refused is allowed, none where
// something else is wrong, too.
func meant(all []*planned, wrong int) (flags []string) {
	for _, p := range all {
		if slices.Contains(p.meant, "") {
			wrong++
		}
		flags = append(flags, p.meant...)
	}
	if wrong > 0 {
		return nil
	}
	return unique(flags)
}

// ErrMissing says that the migrations don't lead to the schema.
var ErrMissing = errors.New("the schema is ahead of the migrations: weave migrate diff NAME writes what is missing")

// unique leaves out what is there twice: most is said of both databases.
func unique(all []string) (once []string) {
	for _, s := range all {
		if !slices.Contains(once, s) {
			once = append(once, s)
		}
	}
	return once
}

// unused are the names given to --drop that mean nothing.
func unused(allow Allow, all []*planned) (says []string) {
	for _, name := range allow.Drop {
		if !slices.ContainsFunc(all, func(p *planned) bool { return slices.ContainsFunc(p.lost, func(l loss) bool { return l.named(name) }) }) {
			says = append(says, fmt.Sprintf("--drop %s: nothing that is called so would go", name))
		}
	}
	return says
}

// planned is a migration that is yet to be written.
type planned struct {
	dir   *atlas.LocalDir
	files []atlas.File
	lost  []loss
	// refused are the questions that the author has to answer first, meant the flag
	// that answers each, empty where none does.
	refused, meant []string
}

func (p *planned) paths() (all []string) {
	for _, f := range p.files {
		all = append(all, filepath.Join(p.dir.Path(), f.Name()))
	}
	return all
}

func (p *planned) write() error {
	for _, f := range p.files {
		if err := p.dir.WriteFile(f.Name(), f.Bytes()); err != nil {
			return err
		}
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
			if next, err = following(last); err != nil {
				return "", fmt.Errorf("version of %s: %w", files[len(files)-1].Name(), err)
			}
		}
	}
	return next, nil
}

// following is the version after one.
func following(version string) (string, error) {
	n, err := strconv.ParseInt(version, 10, 64)
	return strconv.FormatInt(n+1, 10), err
}

func diff(ctx context.Context, root, dialectName, version, name string, s Schema, allow Allow) (_ *planned, err error) {
	dir, err := folder(root, dialectName)
	if err != nil {
		return nil, err
	}
	if there, err := dir.Files(); err != nil || len(there) == 0 && !databaseOf(dialectName).Embedded() {
		return begin(ctx, dialectName, dir, version, name, s)
	}
	desired, err := build(ctx, dialectName, s)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, desired.close()) }()
	p, err := desired.missing(ctx, dir, s)
	if err != nil {
		if p != nil {
			if refused, flags := allow.refusals(p.lost, name); len(refused) > 0 { // it is said why, and what to do
				return &planned{lost: p.lost, refused: refused, meant: flags}, nil
			}
		}
		return nil, err
	}
	if len(p.changes)+len(p.live) == 0 {
		return nil, nil
	}
	files, err := p.files(version, name, allow)
	if err != nil {
		return nil, err
	}
	found, err := p.findings(ctx, desired, files)
	if err != nil {
		return nil, err
	}
	refused, flags := allow.refusals(p.lost, name)
	if stopped := allow.stops(p.stops, name); len(stopped) > 0 {
		refused, flags = append(refused, stopped...), append(flags, "--accept "+codeRewrite)
	}
	for _, f := range found {
		refused, flags = append(refused, fmt.Sprintf("%s (%s): %s", f.Text, f.Code, advice(f.Code))), append(flags, accepts(f.Code))
	}
	if len(refused) > 0 {
		return &planned{lost: p.lost, refused: refused, meant: flags}, nil
	}
	if err := desired.try(ctx, dir, files, s); err != nil {
		return nil, fmt.Errorf("%w\nin the migration that would have been:\n%s", err, together(files).Bytes())
	}
	return &planned{dir: dir, files: files, lost: p.lost}, nil
}

// try replays the folder with the new files and compares.
func (s *state) try(ctx context.Context, dir atlas.Dir, added []atlas.File, want Schema) error {
	files, err := dir.Files()
	if err != nil {
		return err
	}
	trial := new(atlas.MemDir)
	if err := trial.CopyFiles(append(files, added...)); err != nil {
		return err
	}
	rest, err := s.missing(ctx, trial, want)
	if err != nil {
		return err
	}
	if missing := slices.Concat(rest.changes, rest.live); len(missing) > 0 {
		return fmt.Errorf("it does not reach the schema; missing:\n%s", texts(missing))
	}
	return nil
}

// Verify reports, as an error, what the files below root lack to be the schema.
func Verify(ctx context.Context, root string, s Schema) error {
	digest := s.Digest()
	return errors.Join(verifyFiles(ctx, root, s), verifyDigest(root, digest))
}

// verifyFiles examines every database that there is a server for: that there is
// none is an error beside what the others lack.
func verifyFiles(ctx context.Context, root string, s Schema) error {
	var errs []error
	for _, dialectName := range Dialects {
		missing, err := verify(ctx, root, dialectName, s)
		if errors.Is(err, pgserver.ErrMissing) {
			errs = append(errs, fmt.Errorf("%s: %w", dialectName, err))
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", dialectName, err)
		}
		if len(missing) > 0 {
			errs = append(errs, fmt.Errorf("%s: %w:\n%s", dialectName, ErrMissing, texts(missing)))
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
	p, err := desired.missing(ctx, dir, s)
	if err != nil {
		return nil, err
	}
	return slices.Concat(p.changes, p.live), nil
}

// plan has the steps from the files to the schema.
type plan struct {
	// changes are one transaction; live are applied one by one, after them.
	changes, live []*atlas.Change
	lost          []loss
	// stops are the tables that nothing can read or write meanwhile, long those
	// of which every row is written in the transaction.
	stops  []stop
	long   []string
	filled []Fill
	// before is the former schema, by the names of now.
	before *atschema.Schema
}

// missing plans what leads from the folder to the state. Where that can't be
// planned it returns, beside the error, what would be lost.
func (s *state) missing(ctx context.Context, dir atlas.Dir, want Schema) (_ *plan, err error) {
	current, err := replay(ctx, s.dialect, dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, current.close()) }()
	return s.from(ctx, current, dir, want)
}

// from plans what leads from the current state, which it changes, to this one. The
// folder has the baselines.
func (s *state) from(ctx context.Context, current *state, dir atlas.Dir, want Schema) (_ *plan, err error) {
	s.adopt(current)
	b := &states{current: current, desired: s}
	p := &plan{}
	var all steps
	if all.renames, b.renamed, err = current.rename(ctx, s, want.Renames); err != nil {
		return nil, err
	}
	fills := want.Fills
	if all.plain, fills, err = current.plain(ctx, s, fills); err != nil {
		return nil, err
	}
	p.before = current.tables
	changes, err := b.first(ctx, dir)
	if err != nil {
		return nil, err
	}
	p.lost, p.filled = b.own(losses(changes), want.Renames), b.fills(fills)
	way, gone := obstacles{filled: p.filled, altered: altered(changes)}, changes
	rewriting := stopping(p.before, changes)
	parts := current.parts
	if len(p.filled) > 0 || b.asksOfNew(changes) {
		if all.additions, err = b.plan(ctx, b.additions(changes, p.filled)); err != nil {
			return nil, err
		}
		for _, c := range all.additions {
			if err := current.run(ctx, c.Cmd); err != nil {
				return nil, err
			}
		}
		if err := current.refresh(ctx); err != nil {
			return nil, err
		}
		current.parts = parts // a table that was made anew has lost some
		all.fills = b.fill(p.filled)
		if changes, err = b.compare(); err != nil {
			return nil, err
		}
	}
	all.refusals = append(b.refusals(changes), b.refusing()...)
	stopped := stops(p.before, changes)
	for _, r := range rewriting {
		stopped = append(stopped, r.table)
	}
	if s.database.live() && len(stopped) == 0 {
		return p, b.live(ctx, p, all, changes)
	}
	p.long = stopped
	for _, f := range p.filled {
		p.long = append(p.long, f.Table)
	}
	if s.database.live() {
		p.stops = rewriting
	}
	if all.tables, err = b.plan(ctx, changes); err != nil {
		return p, err
	}
	way.rewritten = append(b.rewritten(all.additions), b.rewritten(all.tables)...)
	if s.database.live() {
		outlived, settles := b.outlived(gone)
		all.renames = append(all.renames, outlived...)
		all.fills = append(settles, all.fills...)
	}
	p.changes = b.order(all, way)
	return p, nil
}

// states are the schema that the files lead to, and the wanted one.
type states struct {
	current, desired *state
	// renamed are the renames that lead from the one to the other.
	renamed []Rename
}

// first are the changes of the tables, without those of what baselines have made.
func (b *states) first(ctx context.Context, dir atlas.Dir) ([]atschema.Change, error) {
	if err := b.desired.leaveAdopted(ctx, b.current, dir); err != nil {
		return nil, err
	}
	return b.compare()
}

// compare are the changes of the tables.
func (b *states) compare() ([]atschema.Change, error) {
	changes, err := b.current.driver.SchemaDiff(b.current.tables, b.desired.tables, atschema.DiffNormalized())
	if err != nil {
		return nil, fmt.Errorf("compare tables: %w", err)
	}
	return changes, nil
}

// plan are the statements of the changes.
func (b *states) plan(ctx context.Context, changes []atschema.Change) ([]*atlas.Change, error) {
	if len(changes) == 0 {
		return nil, nil
	}
	plan, err := b.current.driver.PlanChanges(ctx, "changes", changes, func(o *atlas.PlanOptions) {
		o.SchemaQualifier, o.Indent = new(string), "  "
	})
	if err != nil {
		return nil, fmt.Errorf("plan changes of tables: %w", err)
	}
	return b.keepIDs(plan.Changes), nil
}

// keepIDs has a table that SQLite makes anew go on with its ids where it was:
// AUTOINCREMENT alone would begin after the last row that is copied, and give
// the id of a row that was removed to another one.
func (b *states) keepIDs(changes []*atlas.Change) (all []*atlas.Change) {
	rewritten := b.rewritten(changes)
	for _, c := range changes {
		all = append(all, c)
		for _, table := range rewritten {
			if strings.HasPrefix(c.Cmd, "CREATE TABLE `new_"+table+"`") && strings.Contains(c.Cmd, "AUTOINCREMENT") {
				all = append(all, &atlas.Change{
					Cmd:     fmt.Sprintf("INSERT INTO sqlite_sequence (name, seq) SELECT 'new_%[1]s', seq FROM sqlite_sequence WHERE name = '%[1]s'", table),
					Comment: "go on with the ids of " + strconv.Quote(table),
				})
			}
		}
	}
	return all
}

// rewritten are the tables that are made anew: a copy takes their place.
func (b *states) rewritten(changes []*atlas.Change) (tables []string) {
	if !b.current.database.rewrites() {
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
