// Package handlers writes rest/crud: the REST handlers of plain reads and
// writes, one file for each entity.
package handlers

import (
	"slices"
	"strings"
	"text/template"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/expose"
)

// entity is an entity with generated handlers.
type entity struct {
	*model.Entity
	Calls []operation
	// Parents are the columns that the path of a nested create gives.
	Parents []*gen.Field
}

// Group is the Go type of the handlers.
func (e *entity) Group() string { return e.Plural() }

// Resource is the variable of the entity as REST serves it.
func (e *entity) Resource() string { return e.Name + "Resource" }

// Located reports whether a row has a path of its own.
func (e *entity) Located() bool { return e.Under == "" && e.Offers(expose.Read) }

// Inserts and Updates report whether handlers write rows of the entity.
func (e *entity) Inserts() bool {
	return e.any(func(c operation) bool { return c.Op == expose.Create })
}

// Updates reports whether handlers change rows of the entity.
func (e *entity) Updates() bool {
	return e.any(func(c operation) bool { return c.Op == expose.Replace || c.Op == expose.Patch })
}

func (e *entity) any(is func(operation) bool) bool { return slices.ContainsFunc(e.Calls, is) }

// Ruled lists the fields that bodies can name.
func (e *entity) Ruled() []field {
	var fields []field
	for _, shown := range e.Fields {
		f := field{shown}
		if e.Updates() && slices.Contains(e.UpdateInputs(), f) || e.Inserts() && slices.Contains(e.CreateInputs(), f) {
			fields = append(fields, f)
		}
	}
	return fields
}

// CreateCurrency and UpdateCurrency are the field that holds the currency of
// the amounts in a body, nil where there are none.
func (e *entity) CreateCurrency() *field { return e.currency(e.CreateInputs()) }

// UpdateCurrency is [crudEntity.CreateCurrency] for updates.
func (e *entity) UpdateCurrency() *field { return e.currency(e.UpdateInputs()) }

func (e *entity) currency(fields []field) *field {
	i := slices.IndexFunc(fields, func(f field) bool { return f.Kind == "Money" })
	if i < 0 {
		return nil
	}
	return &field{e.Field(fields[i].Currency)}
}

// ParentColumn is the column that leads to the parent under which the entity is.
func (e *entity) ParentColumn() *gen.Field { return e.Edge(e.Under).Type.Field() }

// FromPath reports whether the path of a nested create can give the field.
func (e *entity) FromPath(f field) bool {
	return slices.ContainsFunc(e.Parents, func(p *gen.Field) bool { return p.Name == f.Name })
}

// parentID is the Go name of the parent's id that the path gives.
func parentID(f *gen.Field) string { return lowerFirst(f.StructField()) }

// Fixed are the arguments of a call of Insert: the id of the path in its place.
func (e *entity) Fixed(c operation) string {
	args := make([]string, len(e.Parents))
	for i, p := range e.Parents {
		args[i] = "0"
		if c.Nested() && c.ParentKey().Name == p.Name {
			args[i] = c.ParentID()
		}
	}
	return strings.Join(args, ", ")
}

// operation is an operation as its handler speaks of it in Go.
type operation struct{ *model.Call }

// Param1 is the first id in the path.
func (c operation) Param1() string { return "params." + naming.Pascal(c.ID1) }

// Param2 is the second id.
func (c operation) Param2() string { return "params." + naming.Pascal(c.ID2) }

// ParentID is the parent's id: from the path, or looked up by what stands for it there.
func (c operation) ParentID() string {
	if c.Parent.KeyField != nil {
		return "int64(parent)"
	}
	return c.Param1()
}

// RowID is the row's id: from the path, or looked up by what stands for it there.
func (c operation) RowID() string {
	if c.Entity.KeyField != nil {
		return "int64(id)"
	}
	return c.Param1()
}

// Scope is the filter of the rows below the parent.
func (c operation) Scope() string {
	if key := c.ParentKey(); key != nil {
		return `reading.Column{Name: "` + key.StorageKey() + `", ID: ` + c.ParentID() + `}`
	}
	return `reading.Has{Edge: entity.` + c.Entity.Name + `.Edge("` + c.Back().Name + `"), Filter: reading.ByID(entity.` + c.Parent.Name + `, ` + c.ParentID() + `)}`
}

// Form starts the judgement of the body.
func (c operation) Form() string {
	if c.Op == expose.Replace {
		return "body.Replacing(ctx)"
	}
	return "body.New(ctx)"
}

// Open reports whether the parent is reached through what is read below it:
// whoever reads such a row reads its parent, too (expose.Through).
func (c operation) Open() bool {
	if !c.Nested() || c.Write() || c.Single {
		return false
	}
	back := c.Back()
	return back != nil && back.Through
}

// Guarded is the entity whose policy is asked first.
func (c operation) Guarded() string {
	if c.Nested() && !c.Write() && !c.Open() {
		return c.Parent.Name
	}
	return c.Entity.Name
}

// VerbName is the constant of the verb that the operation needs, empty for reading.
func (c operation) VerbName() string {
	switch c.Op {
	case expose.List, expose.Read:
		return ""
	case expose.Create:
		return "Create"
	case expose.Delete:
		return "Delete"
	}
	return "Update"
}

func lowerFirst(name string) string {
	// "APIKeys" begins with an initialism, which is lowered as a whole.
	n := 1
	for n+1 < len(name) && isUpper(name[n]) && isUpper(name[n+1]) {
		n++
	}
	return strings.ToLower(name[:n]) + name[n:]
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// Write writes the handlers of the calls.
func Write(tree *source.Tree, m *model.Model) error {
	folder := tree.Folder("rest/crud")
	var entities []*entity
	for _, e := range m.Entities {
		c := newEntity(m, e)
		if len(c.Calls) == 0 {
			continue
		}
		entities = append(entities, c)
		if err := folder.WriteImporting(naming.Snake(e.Name)+".go", entityFile, source.Data{"E": c}, c.imports(tree.Module)); err != nil {
			return err
		}
	}
	if err := folder.WriteGo("crud.go", indexFile, source.Data{"Entities": entities}); err != nil {
		return err
	}
	return folder.RemoveOthers("*")
}

func newEntity(m *model.Model, e *model.Entity) *entity {
	c := &entity{Entity: e}
	for _, call := range m.Calls(e) {
		c.Calls = append(c.Calls, operation{call})
		if call.Op == expose.Create && call.Nested() && !slices.Contains(c.Parents, call.ParentKey()) {
			c.Parents = append(c.Parents, call.ParentKey())
		}
	}
	return c
}

// imports are the packages that the handlers of the entity may use.
func (e *entity) imports(module string) []string {
	return []string{
		"context", "net/http",
		module + "/ent", module + "/ent/" + e.Type.Package(), module + "/ent/typedid",
		module + "/internal/entity", source.Kit + "/runtime/reading", source.Kit + "/policy", source.Kit + "/viewer",
		source.Kit + "/runtime/resource/body", source.Kit + "/runtime/resource/door", module + "/rest/oas/server",
	}
}

var funcs = template.FuncMap{
	"parent": parentID, "an": naming.An, "words": naming.Words, "camel": naming.Camel, "upper": strings.ToUpper,
}
