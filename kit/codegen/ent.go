package main

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"text/template"

	"entgo.io/ent/entc"
	"entgo.io/ent/entc/gen"
	"entgo.io/ent/entc/load"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/runtime/gid"
)

// features are Ent's optional parts that entwine uses.
var features = []gen.Feature{
	gen.FeaturePrivacy,
	gen.FeatureVersionedMigration,
}

// loadGraph reads the schemas below root, completes them with what is not
// written by hand (typed ids, columns for search), and builds Ent's graph.
func loadGraph(root string, options ...entc.Option) (*gen.Graph, error) {
	spec, err := (&load.Config{Path: filepath.Join(root, "schema")}).Load()
	if err != nil {
		return nil, fmt.Errorf("load schema: %w", err)
	}
	cfg := &gen.Config{
		Schema:   spec.PkgPath,
		Target:   filepath.Join(root, "ent"),
		Package:  module + "/ent",
		Header:   header,
		Features: features,
	}
	if cfg.Storage, err = gen.NewStorage("sql"); err != nil {
		return nil, err
	}
	templates, err := gen.NewTemplate("entwine").
		Funcs(template.FuncMap{"trimSuffix": strings.TrimSuffix}).
		ParseDir(filepath.Join(root, "kit/codegen/template"))
	if err != nil {
		return nil, fmt.Errorf("parse ent templates: %w", err)
	}
	cfg.Templates = append(cfg.Templates, templates)
	for _, option := range options {
		if err := option(cfg); err != nil {
			return nil, err
		}
	}
	return newGraph(cfg, spec.Schemas)
}

// newGraph completes the schemas and builds Ent's graph of them.
func newGraph(cfg *gen.Config, schemas []*load.Schema) (*gen.Graph, error) {
	for _, s := range schemas {
		typeIDs(s)
		if err := addFolds(s); err != nil {
			return nil, err
		}
	}
	return gen.NewGraph(cfg, schemas...)
}

// typeIDs gives the id and the foreign keys of a schema the Go types of ent/typedid.
func typeIDs(s *load.Schema) {
	targets := map[string]string{"id": s.Name}
	for _, e := range s.Edges {
		if e.Field != "" {
			targets[e.Field] = e.Type
		}
	}
	for _, f := range s.Fields {
		if target, ok := targets[f.Name]; ok && f.Info.Type == field.TypeInt64 {
			f.Info = typedID(target)
		}
	}
}

func typedID(entity string) *field.TypeInfo {
	info := *field.Int64("id").GoType(gid.Prototype(0)).Descriptor().Info
	name := entity + "ID"
	info.Ident = "typedid." + name
	info.PkgPath = module + "/ent/typedid"
	info.PkgName = "typedid"
	info.RType = &field.RType{
		Name:    name,
		Ident:   info.Ident,
		Kind:    reflect.Int64,
		PkgPath: info.PkgPath,
		Methods: info.RType.Methods,
	}
	return &info
}

// addFolds adds, for each field that can be searched or is unique without
// regard to case, a column that holds its text folded by Go: both databases
// then find the same rows.
func addFolds(s *load.Schema) error {
	for _, f := range s.Fields {
		a, err := fieldAnnotation(f.Annotations)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", s.Name, f.Name, err)
		}
		if !folded(a) {
			continue
		}
		if a.Unique {
			s.Indexes = append(s.Indexes, &load.Index{Fields: []string{f.Name + foldSuffix}, Unique: true})
		}
		fold := *f
		fold.Name = f.Name + foldSuffix
		fold.Info = &field.TypeInfo{Type: field.TypeString}
		fold.Validators, fold.Default, fold.UpdateDefault, fold.DefaultValue = 0, false, false, nil
		fold.Position, fold.Unique, fold.Immutable = nil, false, false
		fold.Optional, fold.Nillable = true, false
		fold.Comment = "The text of " + f.Name + ", its case folded."
		fold.Annotations = map[string]any{"EntwineField": map[string]any{"internal": true}}
		s.Fields = append(s.Fields, &fold)
	}
	return nil
}
