package main

import (
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/expose"
)

// crudEntity is an entity with generated handlers.
type crudEntity struct {
	*Entity
	Calls []crudCall
	// Parents are the columns that the path of a nested create gives.
	Parents []*gen.Field
}

// Group is the Go type of the handlers.
func (e *crudEntity) Group() string { return e.Plural() }

// Resource is the variable of the entity as REST serves it.
func (e *crudEntity) Resource() string { return e.Name + "Resource" }

// Located reports whether a row has a path of its own.
func (e *crudEntity) Located() bool { return e.Under == "" && e.Offers(expose.Read) }

// Inserts and Updates report whether handlers write rows of the entity.
func (e *crudEntity) Inserts() bool {
	return e.any(func(c crudCall) bool { return c.Op == expose.Create })
}

// Updates reports whether handlers change rows of the entity.
func (e *crudEntity) Updates() bool {
	return e.any(func(c crudCall) bool { return c.Op == expose.Replace || c.Op == expose.Patch })
}

func (e *crudEntity) any(is func(crudCall) bool) bool { return slices.ContainsFunc(e.Calls, is) }

// Ruled lists the fields that bodies can name.
func (e *crudEntity) Ruled() []bodyField {
	var fields []bodyField
	for _, shown := range e.Fields {
		f := bodyField{shown}
		if e.Updates() && slices.Contains(e.UpdateInputs(), f) || e.Inserts() && slices.Contains(e.CreateInputs(), f) {
			fields = append(fields, f)
		}
	}
	return fields
}

// CreateCurrency and UpdateCurrency are the field that holds the currency of
// the amounts in a body, nil where there are none.
func (e *crudEntity) CreateCurrency() *bodyField { return e.currency(e.CreateInputs()) }

// UpdateCurrency is [crudEntity.CreateCurrency] for updates.
func (e *crudEntity) UpdateCurrency() *bodyField { return e.currency(e.UpdateInputs()) }

func (e *crudEntity) currency(fields []bodyField) *bodyField {
	i := slices.IndexFunc(fields, func(f bodyField) bool { return f.Kind == "Money" })
	if i < 0 {
		return nil
	}
	return &bodyField{e.Field(fields[i].Currency)}
}

// ParentColumn is the column that leads to the parent under which the entity is.
func (e *crudEntity) ParentColumn() *gen.Field { return e.edge(e.Under).Type.Field() }

// FromPath reports whether the path of a nested create can give the field.
func (e *crudEntity) FromPath(f bodyField) bool {
	return slices.ContainsFunc(e.Parents, func(p *gen.Field) bool { return p.Name == f.Name })
}

// parentID is the Go name of the parent's id that the path gives.
func parentID(f *gen.Field) string { return lowerFirst(f.StructField()) }

// Fixed are the arguments of a call of Insert: the id of the path in its place.
func (e *crudEntity) Fixed(c crudCall) string {
	args := make([]string, len(e.Parents))
	for i, p := range e.Parents {
		args[i] = "0"
		if c.Nested() && c.ParentKey().Name == p.Name {
			args[i] = c.ParentID()
		}
	}
	return strings.Join(args, ", ")
}

// crudCall is an operation as its handler speaks of it in Go.
type crudCall struct{ *Call }

// Param1 is the first id in the path.
func (c crudCall) Param1() string { return "params." + pascal(c.ID1) }

// Param2 is the second id.
func (c crudCall) Param2() string { return "params." + pascal(c.ID2) }

// ParentID is the parent's id: from the path, or looked up by what stands for it there.
func (c crudCall) ParentID() string {
	if c.Parent.KeyField != nil {
		return "int64(parent)"
	}
	return c.Param1()
}

// RowID is the row's id: from the path, or looked up by what stands for it there.
func (c crudCall) RowID() string {
	if c.Entity.KeyField != nil {
		return "int64(id)"
	}
	return c.Param1()
}

// Scope is the filter of the rows below the parent.
func (c crudCall) Scope() string {
	if key := c.ParentKey(); key != nil {
		return `reading.Column{Name: "` + key.StorageKey() + `", ID: ` + c.ParentID() + `}`
	}
	return `reading.Has{Edge: entity.` + c.Entity.Name + `.Edge("` + c.Back().Name + `"), Filter: reading.ByID(entity.` + c.Parent.Name + `, ` + c.ParentID() + `)}`
}

// Form starts the judgement of the body.
func (c crudCall) Form() string {
	if c.Op == expose.Replace {
		return "body.Replacing(ctx)"
	}
	return "body.New(ctx)"
}

// Open reports whether the parent is reached through what is read below it:
// whoever reads such a row reads its parent, too (expose.Through).
func (c crudCall) Open() bool {
	if !c.Nested() || c.Write() || c.Single {
		return false
	}
	back := c.Back()
	return back != nil && back.Through
}

// Guarded is the entity whose policy is asked first.
func (c crudCall) Guarded() string {
	if c.Nested() && !c.Write() && !c.Open() {
		return c.Parent.Name
	}
	return c.Entity.Name
}

// VerbName is the constant of the verb that the operation needs, empty for reading.
func (c crudCall) VerbName() string {
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

// writeCRUD writes the handlers of the calls.
func writeCRUD(root string, m *Model) error {
	dir := filepath.Join(root, "rest/crud")
	kept := map[string]bool{"crud.go": true}
	var entities []*crudEntity
	for _, e := range m.Entities {
		c := newCRUD(m, e)
		if len(c.Calls) == 0 {
			continue
		}
		entities = append(entities, c)
		name := snake(e.Name) + ".go"
		kept[name] = true
		if err := writeImporting(filepath.Join(dir, name), handlersFile, map[string]any{
			"Header": header, "Module": module, "E": c,
		}, c.imports()); err != nil {
			return err
		}
	}
	if err := writeGo(filepath.Join(dir, "crud.go"), handlersIndex, map[string]any{
		"Header": header, "Module": module, "Entities": entities,
	}); err != nil {
		return err
	}
	return removeOthers(dir, kept)
}

func newCRUD(m *Model, e *Entity) *crudEntity {
	c := &crudEntity{Entity: e}
	for _, call := range m.calls(e) {
		c.Calls = append(c.Calls, crudCall{call})
		if call.Op == expose.Create && call.Nested() && !slices.Contains(c.Parents, call.ParentKey()) {
			c.Parents = append(c.Parents, call.ParentKey())
		}
	}
	return c
}

// imports are the packages that the handlers of the entity may use.
func (e *crudEntity) imports() []string {
	return []string{
		"context", "net/http",
		module + "/ent", module + "/ent/" + e.Type.Package(), module + "/ent/typedid",
		module + "/internal/entity", module + "/kit/runtime/reading", module + "/kit/policy", module + "/kit/viewer",
		module + "/kit/runtime/resource/body", module + "/kit/runtime/resource/door", module + "/rest/oas/server",
	}
}

var crudFuncs = template.FuncMap{
	"parent": parentID, "an": an, "words": words, "camel": camel, "upper": strings.ToUpper,
}
