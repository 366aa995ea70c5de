package handlers

import (
	"slices"
	"strings"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/model"
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

// Writes are the operations with a generated handler.
func (e *entity) Writes() []operation {
	return slices.DeleteFunc(slices.Clone(e.Calls), operation.Tabled)
}

// Resource is the variable of the entity as REST serves it.
func (e *entity) Resource() string { return e.Name + "Resource" }

// Located reports whether a row has a path of its own.
func (e *entity) Located() bool { return e.Under == "" && e.Offers(expose.Read) }

// Inserts reports whether handlers make rows of the entity.
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

// CreateCurrency is the field that holds the currency of the amounts in the
// body of a create, nil where there are none.
func (e *entity) CreateCurrency() *field { return e.currency(e.CreateInputs()) }

// UpdateCurrency is [entity.CreateCurrency] for updates.
func (e *entity) UpdateCurrency() *field { return e.currency(e.UpdateInputs()) }

// BeginCurrency is [entity.CreateCurrency] for a row that an update makes.
func (e *entity) BeginCurrency() *field { return e.currency(e.BeginInputs()) }

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

func lowerFirst(name string) string {
	// "APIKeys" begins with an initialism, which is lowered as a whole.
	n := 1
	for n+1 < len(name) && isUpper(name[n]) && isUpper(name[n+1]) {
		n++
	}
	return strings.ToLower(name[:n]) + name[n:]
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// imports are the packages that the handlers of the entity may use.
func (e *entity) imports(module string) []string {
	packages := []string{
		"context", "encoding/json", "net/http", source.Kit + "/expose",
		module + "/ent", module + "/ent/" + e.Type.Package(), module + "/ent/typedid",
		module + "/internal/entity", source.Kit + "/runtime/reading", source.Kit + "/policy", source.Kit + "/viewer",
		source.Kit + "/runtime/resource/body", source.Kit + "/runtime/resource/door", module + "/rest/oas/server",
	}
	for _, f := range e.Fields {
		if t := f.Type.Type; f.Kind == "JSON" && t.PkgPath != "" && !slices.Contains(packages, t.PkgPath) {
			packages = append(packages, t.PkgPath)
		}
	}
	return packages
}
