// Package orm makes package ent: it reads the schemas into Ent's graph, completes
// them (typed ids, columns of folded text), has Ent write its code, and adds
// methods for Go code that writes through it: checks of values, soft deletes.
package orm

import (
	"embed"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"entgo.io/ent/entc"
	"entgo.io/ent/entc/gen"
	"entgo.io/ent/entc/load"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/expose"
)

//go:embed template/*.tmpl
var templateFiles embed.FS

// linked has programs that run once linked without tables for debuggers: that takes two thirds
// of the time.
const linked = "-ldflags=-s -w"

// Load reads the schemas of the tree, which import none of the generated folders. It
// compiles and runs them, which takes seconds; [NewGraph] then takes none.
func Load(tree *source.Tree, generated ...string) (*load.SchemaSpec, error) {
	if err := checkFiles(tree, generated); err != nil {
		return nil, err
	}
	spec, err := (&load.Config{Path: tree.Path("schema"), BuildFlags: []string{linked}}).Load()
	if err != nil {
		return nil, unloaded(tree, err)
	}
	return spec, nil
}

// noPackage matches the message of the loader about an import that leads to no package.
var noPackage = regexp.MustCompile(`(\S+\.go:\d+)(?::\d+)?: could not import (\S+)`)

// unloaded says where the import is that leads to no package. Other mistakes of Go are
// the compiler's to say.
func unloaded(tree *source.Tree, err error) error {
	found := noPackage.FindStringSubmatch(err.Error())
	if found == nil {
		return fmt.Errorf("load schema: %w", err)
	}
	at := found[1]
	if below, err := filepath.Rel(tree.Root, at); err == nil && filepath.IsAbs(at) {
		at = below
	}
	return fmt.Errorf("%s: could not import %s: no package of the standard library, of this module or of the modules in go.mod has this path: go get %[2]s adds its module", at, found[2])
}

// NewGraph completes the schemas with what is not written by hand (foreign keys that edges name,
// typed ids, columns of folded text), and builds Ent's graph of them. Faults of their names are
// errors of type [model.SchemaError], joined.
func NewGraph(tree *source.Tree, spec *load.SchemaSpec, options ...entc.Option) (*gen.Graph, error) {
	if err := checkNames(spec.Schemas); err != nil {
		return nil, err
	}
	shared, err := gen.NewStorage("sql")
	if err != nil {
		return nil, err
	}
	storage := *shared
	// Ent's client would migrate, for which it links Atlas' planners of all databases
	// into every program that reads a row. The tables are written all the same: see
	// template/tables.tmpl.
	storage.SchemaMode &^= gen.Migrate
	cfg := &gen.Config{
		Schema:   spec.PkgPath,
		Target:   tree.Path("ent"),
		Package:  tree.Module + "/ent",
		Header:   source.Header,
		Features: features,
		Storage:  &storage,
	}
	for _, option := range options {
		if err := option(cfg); err != nil {
			return nil, err
		}
	}
	var keys []error
	for _, s := range spec.Schemas {
		keys = append(keys, addKeys(s, spec.Schemas))
	}
	if err := errors.Join(keys...); err != nil {
		return nil, err
	}
	for _, s := range spec.Schemas {
		if err := addRowID(cfg, s, spec.Schemas); err != nil {
			return nil, err
		}
		typeIDs(s, cfg.Package+"/typedid")
		if err := model.HonourGraphQL(s); err != nil {
			return nil, err
		}
		if err := addFolds(s); err != nil {
			return nil, err
		}
	}
	graph, err := gen.NewGraph(cfg, spec.Schemas...)
	return graph, placed(err, spec.Schemas)
}

// templatesOf are ours, which know the whole graph: that of the client is a part of it.
func templatesOf(whole func() *gen.Graph) (*gen.Template, error) {
	templates, err := gen.NewTemplate("entwine").
		Funcs(template.FuncMap{"trimSuffix": strings.TrimSuffix, "follows": follows, "before": before, "whole": whole}).
		ParseFS(templateFiles, "template/*.tmpl")
	if err != nil {
		return nil, fmt.Errorf("parse ent templates: %w", err)
	}
	return templates, nil
}

// follows is the annotation of a field that follows from another, nil for other fields.
func follows(f *gen.Field) (*expose.Follow, error) {
	a, err := model.FieldAnnotation(f.Annotations)
	return a.Follow, err
}

// Write has Ent write its code, and adds what is ours beside it.
func Write(tree *source.Tree, m *model.Model) error {
	if err := writeTypedIDs(tree, m); err != nil {
		return err
	}
	client, err := clientOf(tree, m)
	if err != nil {
		return err
	}
	if err := removeOwn(tree); err != nil {
		return err
	}
	if err := client.Gen(); err != nil {
		return fmt.Errorf("generate ent: %w", err)
	}
	if err := writeTransactions(tree); err != nil {
		return err
	}
	if err := writeTimes(tree, client); err != nil {
		return err
	}
	if err := writeKept(tree, client); err != nil {
		return err
	}
	if err := writeTenancy(tree, m); err != nil {
		return err
	}
	if err := writeLinks(tree, m, client); err != nil {
		return err
	}
	if err := writeClient(tree, client); err != nil {
		return err
	}
	return writeSoftDeletes(tree, m)
}
