package graphql

import (
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/codegen/model"
)

// executable is the part of the schema that gqlgen's executor runs: mutations
// by hand, and the queries that answer with something else than entities. Reads
// of entities are planned by package plan, which is given the whole schema, and
// so is what subscriptions answer; what schemas declare is carried out by package
// door. So an entity has but its id here, and listings, filters, orders and
// inputs need no Go code at all.
func (g *Schema) executable() []*ast.Source {
	documents, byTable, reads := map[string]*ast.SchemaDocument{}, g.byTable(), g.queries()
	reachable := reach{types: map[string]*ast.Definition{}, seen: map[string]bool{}}
	for name, document := range g.documents() {
		reduced := &ast.SchemaDocument{
			Directives:  document.Directives,
			Definitions: spans(g.reduce(g.withoutOld(document.Definitions), byTable, reads)),
			Extensions:  spans(g.reduce(g.withoutOld(document.Extensions), byTable, reads)),
		}
		if name == "base" {
			reduced.Definitions = append(reduced.Definitions, &ast.Definition{Kind: ast.Scalar, Name: moment})
		}
		documents[name] = reduced
		reachable.add(reduced.Definitions)
		reachable.add(reduced.Extensions)
	}
	for _, root := range []string{"Query", "Mutation", "Node"} {
		reachable.visit(root)
	}
	for _, e := range g.model.Entities {
		reachable.visit(e.Name)
	}
	var sources []*ast.Source
	for name, document := range documents {
		document.Definitions = slices.DeleteFunc(document.Definitions, reachable.empty)
		document.Definitions = reachable.only(document.Definitions)
		document.Extensions = reachable.only(document.Extensions)
		if text := printed(document); text != "" {
			sources = append(sources, &ast.Source{Name: name + ".graphql", Input: text})
		}
	}
	slices.SortFunc(sources, func(a, b *ast.Source) int { return strings.Compare(a.Name, b.Name) })
	return sources
}

// documents are all documents of the schema by their file's name.
func (g *Schema) documents() map[string]*ast.SchemaDocument {
	all := map[string]*ast.SchemaDocument{}
	maps.Copy(all, g.files)
	maps.Copy(all, g.hand)
	return all
}

// reduce takes what is planned or declared out of root types, and all but the
// id out of entities.
func (g *Schema) reduce(definitions ast.DefinitionList, byTable map[string]bool, reads map[string]string) ast.DefinitionList {
	var left ast.DefinitionList
	for _, def := range definitions {
		reduced := *def
		switch {
		case def.Name == "Subscription":
			continue
		case def.Name == "Query":
			reduced.Fields = slices.DeleteFunc(slices.Clone(def.Fields), func(f *ast.FieldDefinition) bool {
				return g.planned(f) || reads[f.Name] != "" || g.provided(def.Name, f.Name)
			})
		case def.Name == "Mutation":
			reduced.Fields = slices.DeleteFunc(slices.Clone(def.Fields), func(f *ast.FieldDefinition) bool { return byTable[f.Name] || g.provided(def.Name, f.Name) })
		case g.isEntity(def.Name):
			reduced.Fields = slices.DeleteFunc(slices.Clone(def.Fields), func(f *ast.FieldDefinition) bool { return f.Name != "id" })
		}
		if len(def.Fields) == 0 || len(reduced.Fields) > 0 {
			left = append(left, &reduced)
		}
	}
	return left
}

// moment is the type of a span's bounds in the executor. Clients know them as
// Time; the resolver gets the text, and sees whether it is a day.
const moment = "Moment"

// spans gives bounds of spans, which are arguments and inputs called from and
// to, the type moment.
func spans(definitions ast.DefinitionList) ast.DefinitionList {
	for _, def := range definitions {
		def.Fields = slices.Clone(def.Fields)
		for i, f := range def.Fields {
			field := *f
			if def.Kind == ast.InputObject {
				field.Type = bound(f.Name, f.Type)
			}
			field.Arguments = slices.Clone(f.Arguments)
			for j, a := range field.Arguments {
				argument := *a
				argument.Type = bound(a.Name, a.Type)
				field.Arguments[j] = &argument
			}
			def.Fields[i] = &field
		}
	}
	return definitions
}

func bound(name string, t *ast.Type) *ast.Type {
	if t.NamedType != "Time" || name != "from" && name != "to" {
		return t
	}
	return &ast.Type{NamedType: moment, NonNull: t.NonNull, Position: t.Position}
}

// planned reports whether package plan plans the query: it answers with
// entities, a connection of them, or what a search finds.
func (g *Schema) planned(f *ast.FieldDefinition) bool {
	name := strings.TrimSuffix(f.Type.Name(), "Connection")
	return g.isEntity(name) || name == searchResult
}

func (g *Schema) isEntity(name string) bool {
	return slices.ContainsFunc(g.model.Entities, func(e *model.Entity) bool { return e.Name == name })
}

// reach finds the types that can be reached from the roots.
type reach struct {
	types map[string]*ast.Definition
	seen  map[string]bool
}

// add adds definitions; those of one type become one.
func (r *reach) add(definitions ast.DefinitionList) {
	for _, def := range definitions {
		if known := r.types[def.Name]; known != nil {
			merged := *known
			merged.Fields = append(slices.Clone(known.Fields), def.Fields...)
			merged.Types = append(slices.Clone(known.Types), def.Types...)
			def = &merged
		}
		r.types[def.Name] = def
	}
}

func (r *reach) visit(name string) {
	def := r.types[name]
	if def == nil || r.seen[name] {
		return
	}
	r.seen[name] = true
	for _, f := range def.Fields {
		r.visit(f.Type.Name())
		for _, a := range f.Arguments {
			r.visit(a.Type.Name())
		}
	}
	for _, member := range append(slices.Clone(def.Types), def.Interfaces...) {
		r.visit(member)
	}
}

// empty reports whether nothing is left of a root that is declared without
// fields: all that there is of it is planned or declared.
func (r *reach) empty(def *ast.Definition) bool {
	return def.Kind == ast.Object && len(r.types[def.Name].Fields) == 0
}

func (r *reach) only(definitions ast.DefinitionList) ast.DefinitionList {
	return slices.DeleteFunc(definitions, func(def *ast.Definition) bool { return !r.seen[def.Name] })
}
