// Package codegen makes everything that follows from schema/: Ent's code,
// typed ids, the descriptions of entities that both APIs read and write by, the
// GraphQL schema and its executor, the OpenAPI document with its server and
// client, and the tables of the operations that packages of the kit answer.
//
// Each of these is a package, an emitter. Emitters read package model and
// write through package source; they know neither each other nor anything
// that is generated, so the generator compiles from a tree in which all of
// that is missing.
package codegen

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"entgo.io/ent/entc/load"
	_ "github.com/lib/pq"  // scratch databases
	_ "modernc.org/sqlite" // scratch databases

	"github.com/entwine-go/entwine/kit/codegen/contract"
	"github.com/entwine-go/entwine/kit/codegen/crud"
	"github.com/entwine-go/entwine/kit/codegen/database"
	"github.com/entwine-go/entwine/kit/codegen/dryrun"
	"github.com/entwine-go/entwine/kit/codegen/entity"
	"github.com/entwine-go/entwine/kit/codegen/facts"
	"github.com/entwine-go/entwine/kit/codegen/graphql"
	"github.com/entwine-go/entwine/kit/codegen/manifest"
	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/openapi"
	"github.com/entwine-go/entwine/kit/codegen/orm"
	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/codegen/port"
	"github.com/entwine-go/entwine/kit/codegen/position"
	"github.com/entwine-go/entwine/kit/codegen/rows"
	"github.com/entwine-go/entwine/kit/codegen/service"
	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/codegen/typecheck"
	described "github.com/entwine-go/entwine/kit/manifest"
	"github.com/entwine-go/entwine/kit/store"
)

// folders hold what is generated, and nothing else.
var folders = []string{"ent", "internal/entity", "internal/rows", "gql/generated", "gql/crud", "rest/oas", "rest/crud", service.Folder}

// Folders are the folders that hold what is generated, below a module's own.
func Folders() []string { return slices.Clone(folders) }

// Generate generates for the service in the folder, which is that of go.mod or one below. Mistakes
// in schemas are errors of type [model.SchemaError], joined, with their file, line and field and
// the allowed values. Nothing is changed where there is one, or where the generated code does not
// compile.
//
// The folder, or one below it, is the process's working directory meanwhile: Ent
// and gqlgen look for the module there. Further information for the developer is
// written to notes.
func Generate(ctx context.Context, root string, notes io.Writer) error {
	_, err := Generation{Notes: notes}.Run(ctx, root)
	return err
}

// Generation is a way to generate.
type Generation struct {
	// Notes is where is written what the developer may want to know beside.
	Notes io.Writer
	// Progress is where is written every five seconds what is under way. It may be nil.
	Progress io.Writer
	// SQLiteOnly has PostgreSQL not read the SQL of schemas.
	SQLiteOnly bool
	// Judged hears what the schemas declare as soon as they are judged, before anything
	// is written. Its error ends the generation. It may be nil.
	Judged func(d Declaration) error
	// Done hears of each part of the work when it is done. It may be nil.
	Done func(part string)
}

// Run is [Generate], and returns what the schemas declare.
func (g Generation) Run(ctx context.Context, root string) (d Declaration, err error) {
	if g.Progress == nil {
		g.Progress = io.Discard
	}
	whole := new(sync.Mutex)
	g.Notes, g.Progress = &orderly{whole, g.Notes}, &orderly{whole, g.Progress}
	at, heard := &stage{}, g.Done
	g.Done = func(part string) {
		if at.done(part); heard != nil {
			heard(part)
		}
	}
	err = alone(ctx, root, g.Notes, func(tree *source.Tree) error {
		return Telling(g.Progress, nil, at.says, func() error {
			d, err = g.run(ctx, tree)
			return err
		})
	})
	return d, err
}

// Database reads the schemas of the module whose go.mod is in the folder, and
// says what its databases should look like. Like [Generate] it checks them, and
// has the folder as the working directory.
func Database(root string) (wanted planner.Schema, err error) {
	err = declared(context.Background(), root, func(tree *source.Tree, m *model.Model, past *load.SchemaSpec) error {
		wanted, err = database.Wanted(tree, m, past)
		return located(tree, err)
	})
	return wanted, err
}

// Entities reads the schemas of the module whose go.mod is in the folder, and
// returns the entities that its APIs expose. Like [Database] it checks them.
func Entities(ctx context.Context, root string) (all []*model.Entity, err error) {
	err = declared(ctx, root, func(_ *source.Tree, m *model.Model, _ *load.SchemaSpec) error {
		all = m.Entities
		return nil
	})
	return all, err
}

// declared calls do with what the schemas declare.
func declared(ctx context.Context, root string, do func(*source.Tree, *model.Model, *load.SchemaSpec) error) error {
	return alone(ctx, root, io.Discard, func(tree *source.Tree) error {
		spec, err := orm.Load(tree, folders...)
		if err != nil {
			return err
		}
		past, err := database.Past(spec)
		if err != nil {
			return located(tree, err)
		}
		graph, err := orm.NewGraph(tree, spec)
		if err != nil {
			return located(tree, err)
		}
		m, err := model.New(graph)
		if err != nil {
			return located(tree, err)
		}
		return do(tree, m, past)
	})
}

// Declaration has the databases, the contract and the manifest that schemas
// declare.
type Declaration struct {
	Database planner.Schema
	Contract *contract.Contract
	// Manifest describes the service to programs.
	Manifest *described.Manifest
}

// Client writes a package with the typed client of a published OpenAPI document,
// of any version of the API, into the folder.
func Client(folder, pkg string, document []byte) error {
	return openapi.WriteClient(folder, pkg, document)
}

// Contract reads the schemas of the module whose go.mod is in the folder, and
// says what they promise. Like [Database] it checks them.
func Contract(ctx context.Context, root string) (*contract.Contract, error) {
	d, err := Declared(ctx, root)
	return d.Contract, err
}

// Declared is [Database] and [Contract] at once.
func Declared(ctx context.Context, root string) (d Declaration, err error) {
	err = alone(ctx, root, io.Discard, func(tree *source.Tree) error {
		spec, err := orm.Load(tree, folders...)
		if err != nil {
			return err
		}
		past, err := database.Past(spec)
		if err != nil {
			return located(tree, err)
		}
		told, err := orm.Probe(ctx, tree, spec)
		if err != nil {
			return err
		}
		graph, err := orm.NewGraph(tree, spec)
		if err != nil {
			return located(tree, err)
		}
		m, findings := model.Read(graph, told.Entities...)
		m.Describe(*told.Service)
		judge := Generation{Notes: io.Discard, SQLiteOnly: true}
		if findings, err = judge.judge(ctx, tree, m, findings); err != nil {
			return err
		}
		if len(findings) > 0 {
			return located(tree, errors.Join(findings...))
		}
		if err := d.promise(ctx, tree, m, told); err != nil {
			return err
		}
		d.Database, err = database.Wanted(tree, m, past)
		return located(tree, err)
	})
	return d, err
}

// promise reads the contract of the model, and the manifest.
func (d *Declaration) promise(ctx context.Context, tree *source.Tree, m *model.Model, told facts.Facts) error {
	s, err := database.Schema(m)
	if err != nil {
		return err
	}
	if d.Contract, err = contract.Of(ctx, tree, m, told.Entities, s.Tables); err != nil {
		return err
	}
	d.Manifest = manifest.Of(m, d.Contract)
	return manifest.Translate(tree.Root, d.Manifest)
}

// alone is [within] while no other process reads schemas or generates in the folder. That it waits
// for one is written to notes.
func alone(ctx context.Context, root string, notes io.Writer, run func(*source.Tree) error) error {
	release, err := source.Hold(ctx, root, func() {
		fmt.Fprintln(notes, "another weave is at work in this folder: waiting until it is done")
	})
	if err != nil {
		return err
	}
	return errors.Join(within(root, run), release())
}

// within calls run with the tree of the folder, in that folder.
func within(root string, run func(*source.Tree) error) error {
	tree, err := source.Open(root)
	if err != nil {
		return err
	}
	back, err := os.Getwd()
	if err != nil {
		return err
	}
	if err := os.Chdir(tree.Root); err != nil {
		return err
	}
	defer func() { _ = os.Chdir(back) }()
	return run(tree)
}

func (g Generation) run(ctx context.Context, tree *source.Tree) (d Declaration, err error) {
	schemas, err := orm.Load(tree, folders...)
	if err != nil {
		return d, err
	}
	g.Done("read")
	past, err := database.Past(schemas)
	if err != nil {
		return d, located(tree, err)
	}
	told, err := orm.Probe(ctx, tree, schemas)
	if err != nil {
		return d, err
	}
	g.Done("ask")
	stage, err := tree.Stage(folders...)
	if err != nil {
		return d, err
	}
	defer func() { err = errors.Join(err, stage.Close()) }()
	api := &graphql.Schema{}
	graph, err := orm.NewGraph(stage.Tree, schemas, api.Option())
	if err != nil {
		return d, located(tree, err)
	}
	m, findings := model.Read(graph, told.Entities...)
	m.Describe(*told.Service)
	if findings, err = g.judge(ctx, tree, m, findings); err != nil {
		return d, err
	}
	if len(findings) > 0 {
		return d, located(tree, errors.Join(findings...))
	}
	if err := d.promise(ctx, tree, m, told); err != nil {
		return d, located(tree, err)
	}
	if d.Database, err = database.Wanted(tree, m, past); err != nil {
		return d, located(tree, err)
	}
	g.Done("judge")
	if g.Judged != nil {
		if err := g.Judged(d); err != nil {
			return d, err
		}
	}
	if err := write(stage.Tree, m, api); err != nil {
		return d, located(tree, err)
	}
	if err := errors.Join(manifest.Write(stage.Tree, d.Manifest), d.Contract.Write(stage.Tree)); err != nil {
		return d, err
	}
	g.Done("write")
	if err := typecheck.Check(ctx, stage.Tree, folders...); err != nil {
		return d, fmt.Errorf("what would be generated does not compile, so nothing was changed:\n%w", err)
	}
	if err := stage.Commit(); err != nil {
		return d, err
	}
	if err := attribute(tree); err != nil {
		return d, err
	}
	g.Done("check")
	return d, warn(tree, m, g.Notes)
}

// warn prints the filters and sorts that no index serves.
func warn(tree *source.Tree, m *model.Model, notes io.Writer) error {
	found := m.Unserved()
	if len(found) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(notes, "warning: %s\n", strings.ReplaceAll(located(tree, errors.Join(found...)).Error(), "\n", "\nwarning: "))
	return err
}

// write writes everything into the stage, in which the process is meanwhile.
func write(stage *source.Tree, m *model.Model, api *graphql.Schema) error {
	graphql.Annotate(m)
	// Ent first: the GraphQL schema is made while Ent generates.
	return within(stage.Root, func(*source.Tree) error {
		for _, write := range []func(*source.Tree, *model.Model) error{
			orm.Write, database.Write, entity.Write, rows.Write, api.Write, openapi.Write, crud.Write, service.Write,
		} {
			if err := write(stage, m); err != nil {
				return err
			}
		}
		return nil
	})
}

// judge adds what is wrong beside what the model says: in the documents, in the SQL, and
// in files that are not generated.
func (g Generation) judge(ctx context.Context, tree *source.Tree, m *model.Model, known []error) ([]error, error) {
	known = append(known, model.Findings(openapi.Check(m))...)
	beside, err := ownGenerators(tree)
	if err != nil {
		return nil, err
	}
	played, err := g.rehearse(ctx, m, known)
	return slices.Concat(known, beside, played), err
}

// rehearse has the databases read the SQL of the schemas.
func (g Generation) rehearse(ctx context.Context, m *model.Model, known []error) ([]error, error) {
	var found []error
	for _, d := range slices.Backward(store.Dialects[:]) { // what needs no server is first
		if g.SQLiteOnly && !d.Embedded() {
			continue
		}
		more, err := play(ctx, m, append(known, found...), d)
		if missing, ok := errors.AsType[*planner.ServerError](err); ok {
			_, err = fmt.Fprintf(g.Notes, "%s did not read the SQL of the schemas: %v\n", d.Title(), missing)
		}
		if found = append(found, more...); err != nil {
			return found, err
		}
	}
	return found, nil
}

func play(ctx context.Context, m *model.Model, known []error, d store.Dialect) (found []error, err error) {
	db, drop, err := planner.Scratch(ctx, d)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close(), drop()) }()
	found, err = dryrun.Play(ctx, db, d, m, known)
	if err != nil {
		return nil, fmt.Errorf("have a scratch database read the schemas' SQL: %w", err)
	}
	return found, nil
}

// located gives each finding the line that it is about.
func located(tree *source.Tree, err error) error {
	if err == nil {
		return nil
	}
	index, readErr := position.Read(tree.Path("schema"))
	if readErr != nil {
		return errors.Join(err, readErr)
	}
	all := model.Findings(err)
	for _, single := range all {
		if f, ok := errors.AsType[*model.SchemaError](single); ok && f.At == "" {
			f.At = index.Find(f.Entity, f.Member, f.Err.Error())
			if f.Method != "" {
				f.At = index.Method(f.Entity, f.Mixin, f.Method)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b error) int {
		fileA, lineA := place(a)
		fileB, lineB := place(b)
		return cmp.Or(cmp.Compare(fileA, fileB), cmp.Compare(lineA, lineB))
	})
	return errors.Join(all...)
}

// ownGenerators refuses programs that run Ent's generator, and lists what they ask of it:
// it would write its client over what is generated, and nothing reads their options.
func ownGenerators(tree *source.Tree) (findings []error, err error) {
	for _, folder := range []string{".", "ent", "schema"} {
		asked, run, err := port.Generation(tree.Path(folder))
		if err != nil {
			return nil, err
		}
		for _, n := range append(run, asked...) {
			what, why, _ := strings.Cut(n.Text, ": ")
			at := fmt.Sprintf("%s:%d", path.Join(folder, filepath.Base(n.File)), n.Line)
			findings = append(findings, &model.SchemaError{At: at, Entity: what, Err: errors.New(why)})
		}
	}
	return findings, nil
}

// place is the file and line that a finding is about.
func place(err error) (file string, line int) {
	f, ok := errors.AsType[*model.SchemaError](err)
	if !ok {
		return "", 0
	}
	file, at, _ := strings.Cut(f.At, ":")
	line, _ = strconv.Atoi(at) // 0: the file as a whole
	return file, line
}
