// Package database computes the wanted schema of the databases: Ent's tables with
// the checks of enums, the objects of triggers and full-text search, former names
// of tables and columns, and the changes of existing rows. It reads the model;
// package planner writes the migrations that lead there.
package database

import (
	"strings"
	"text/template"

	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/entc/load"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/codegen/triggers"
)

// Schema is the wanted schema of the databases, without the changes of existing rows.
func Schema(m *model.Model) (planner.Schema, error) {
	tables, err := tablesOf(m.Graph)
	if err != nil {
		return planner.Schema{}, err
	}
	for _, t := range tables {
		check(t)
		triggers.DefaultClock(t)
	}
	objects, err := triggers.Objects(m)
	if err != nil {
		return planner.Schema{}, err
	}
	s := planner.Schema{Tables: tables, Objects: map[string][]planner.Object{}}
	for name, list := range objects {
		for _, o := range list {
			s.Objects[name] = append(s.Objects[name], planner.Object(o))
		}
		s.Objects[name] = withViews(s.Objects[name], viewObjects(m, name))
	}
	return s, nil
}

// Wanted is the wanted schema of the databases, with the changes of existing rows:
// those of expose.Was, ValueWas and Backfill, and the values that the databases
// keep. The past is what [Past] says of the schemas.
func Wanted(tree *source.Tree, m *model.Model, past *load.SchemaSpec) (planner.Schema, error) {
	s, err := Schema(m)
	if err != nil {
		return planner.Schema{}, err
	}
	if past != nil {
		if s.Renames, err = renames(tree, s.Tables, past); err != nil {
			return planner.Schema{}, err
		}
	}
	s.Fills, err = fills(m)
	return s, err
}

// check has the database keep the values of enums, beside the checks that the
// entity declares.
func check(t *schema.Table) {
	a := entsql.Annotation{}
	if t.Annotation != nil { // it is the entity's, and stays
		a = *t.Annotation
	}
	checks := map[string]string{}
	for name, expression := range a.Checks {
		checks[name] = enclosed(expression)
	}
	for _, c := range t.Columns {
		if c.Type == field.TypeEnum {
			checks[checkName(t.Name, c.Name)] = oneOf(c.Name, c.Enums)
		}
	}
	if len(checks) > 0 {
		a.Checks = checks
		t.Annotation = &a
	}
}

// enclosed keeps the parentheses of an expression that begins and ends with
// one: Atlas takes those of (a) <> (b) for a pair around it.
func enclosed(expression string) string {
	if strings.HasPrefix(expression, "(") && strings.HasSuffix(expression, ")") {
		return "(" + expression + ")"
	}
	return expression
}

var digestFile = template.Must(template.New("digest").Parse(`{{ .Header }}

// Package digest identifies what the databases of the schema look like.
package digest

// Schema is the digest. Migrations that lead there have it in schema.sum.
const Schema = "{{ .Digest }}"
`))

// Write writes the digest of the schema beside Ent's client.
func Write(tree *source.Tree, m *model.Model) error {
	s, err := Schema(m)
	if err != nil {
		return err
	}
	return tree.Folder("ent/digest").WriteGo("digest.go", digestFile, source.Data{"Digest": s.Digest()})
}
