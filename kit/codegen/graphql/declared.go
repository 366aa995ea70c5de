package graphql

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/expose"
)

// mutation is a root field that schemas declare: how it is shown, and the
// expression of package handler that carries it out.
type mutation struct {
	*ast.FieldDefinition
	write  string
	ending *expose.Ending
	input  []*model.Field
}

// mutations are those of an entity.
func (g *Schema) mutations(e *model.Entity) []mutation {
	var all []mutation
	add := func(o expose.Operation, verb, description, write string, result string, arguments ...ast.ArgumentDefinitionList) {
		all = append(all, mutation{FieldDefinition: &ast.FieldDefinition{
			Name: verb + e.Name, Description: description, Type: ast.NamedType(result, nil),
			Arguments: append(slices.Concat(arguments...), keyArgument()),
		}, write: fmt.Sprintf("handler.%s(rows.%s)", write, e.Name), ending: e.OperationEnding(o)})
	}
	what, id := naming.An(e.Singular), ast.ArgumentDefinitionList{idArgument(e)}
	if e.Has(expose.Create) {
		add(expose.Create, "create", "Creates "+what+".", "Create", e.Name, inputArgument("Create", e))
	}
	if e.Has(expose.Patch) {
		add(expose.Patch, "update", "Changes "+what+".", "Update", e.Name, id, inputArgument("Update", e), versionArgument(e))
	}
	if e.Has(expose.Patch) && e.Under != "" {
		all = append(all, setOf(e))
	}
	if e.Has(expose.Delete) {
		add(expose.Delete, "delete", "Deletes "+what+".", "Delete", "Boolean", id, versionArgument(e), hardArgument(e))
	}
	for _, c := range g.model.Declared(e) {
		if c.Reads() {
			continue
		}
		if hasResolver := (c.Action != nil || c.Mark != nil) && g.byHand("Mutation", c.Mutation) != nil; !hasResolver {
			all = append(all, g.declaredCall(c))
		}
	}
	return all
}

// reads are the root queries of an entity's actions that read.
func (g *Schema) reads(e *model.Entity) []mutation {
	var all []mutation
	for _, c := range g.model.Declared(e) {
		if !c.Reads() || c.OnlyREST() {
			continue
		}
		f := &ast.FieldDefinition{Name: c.Mutation, Description: c.Comment(), Type: g.answerType(c)}
		for _, a := range c.Arguments() {
			f.Arguments = append(f.Arguments, g.readArgument(c, a))
		}
		all = append(all, mutation{f, fmt.Sprintf("handler.Read(rows.%s, %q, %q)", e.Name, c.Action.Verb, c.IDArgument), c.Ending(), c.Action.Input})
	}
	return all
}

// readArgument is an argument of a read: with its default.
func (g *Schema) readArgument(c *model.Call, a model.Argument) *ast.ArgumentDefinition {
	def := g.callArgument(c, a)
	if a.Field != nil && a.Field.Type.Default && a.Field.Kind == "Enum" {
		def.Type.NonNull = true
		def.DefaultValue = &ast.Value{Kind: ast.EnumValue, Raw: fmt.Sprint(a.Field.Type.DefaultValue())}
	}
	return def
}

// setOf changes what there is one of below a row.
func setOf(e *model.Entity) mutation {
	above := e.Edge(e.Under)
	owner := naming.Camel(above.To.Singular) + "Id"
	return mutation{FieldDefinition: &ast.FieldDefinition{
		Name: "set" + e.Name, Description: "Changes " + naming.An(e.Singular) + ", and makes it first where there is none.", Type: ast.NamedType(e.Name, nil),
		Arguments: append(slices.Concat(ast.ArgumentDefinitionList{
			argument(owner, "The "+naming.Words(above.To.Singular)+"'s global id, or the "+plainID(above.To)+".", ast.NonNullNamedType("ID", nil)),
		}, inputArgument("Update", e), versionArgument(e)), keyArgument()),
	}, write: fmt.Sprintf("handler.SetOf(rows.%s, %q, %q)", e.Name, above.Type.Field().Name, owner), ending: e.OperationEnding(expose.Patch)}
}

// deletedNode is the type of what deleteNode answers with.
const deletedNode = "DeleteNodePayload"

// deleteNode deletes a row of any of the entities, for Relay. It is nil where
// none can be deleted.
func (g *Schema) deleteNode() *mutation {
	var rows []string
	for _, e := range g.model.Entities {
		if e.Has(expose.Delete) {
			rows = append(rows, "rows."+e.Name)
		}
	}
	if rows == nil {
		return nil
	}
	return &mutation{FieldDefinition: &ast.FieldDefinition{
		Name: "deleteNode", Description: "Deletes the object with the global id.", Type: ast.NamedType(deletedNode, nil),
		Arguments: ast.ArgumentDefinitionList{
			argument("id", "The global id.", ast.NonNullNamedType("ID", nil)),
			argument("expectedVersion", "Refuses the change if the version is another by now.", ast.NamedType("Int", nil)),
			keyArgument(),
		},
	}, write: "handler.DeleteNode(" + strings.Join(rows, ", ") + ")"}
}

// declared are all root mutations that package handler carries out, by their
// names, in Go. They may stand in gql/*.graphql all the same.
func (g *Schema) declared() map[string]string {
	all := map[string]string{}
	for _, e := range g.model.Entities {
		for _, m := range g.mutations(e) {
			all[m.Name] = m.write
		}
	}
	if m := g.deleteNode(); m != nil {
		all[m.Name] = m.write
	}
	return all
}

// queries are all root queries that package handler carries out, as declared.
func (g *Schema) queries() map[string]string {
	all := map[string]string{}
	for _, e := range g.model.Entities {
		for _, m := range g.reads(e) {
			all[m.Name] = m.write
		}
	}
	return all
}

// byTable lists the mutations that have no resolvers: those that are declared,
// and those in gql/writes.graphql.
func (g *Schema) byTable() map[string]bool {
	all := map[string]bool{}
	for name := range g.declared() {
		all[name] = true
	}
	if hand := g.hand["writes"]; hand != nil {
		for _, def := range hand.Extensions {
			for _, f := range def.Fields {
				all[f.Name] = def.Name == "Mutation"
			}
		}
	}
	return all
}

func inputArgument(verb string, e *model.Entity) ast.ArgumentDefinitionList {
	return ast.ArgumentDefinitionList{argument("input", "", ast.NonNullNamedType(verb+e.Name+"Input", nil))}
}

func keyArgument() *ast.ArgumentDefinition {
	return argument("idempotencyKey", "Makes repeating the mutation safe: it takes effect once.", ast.NamedType("String", nil))
}

func versionArgument(e *model.Entity) ast.ArgumentDefinitionList {
	if !e.Versioned {
		return nil
	}
	return ast.ArgumentDefinitionList{argument("expectedVersion", "Refuses the change if the version is another by now.", ast.NamedType("Int", nil))}
}

func hardArgument(e *model.Entity) ast.ArgumentDefinitionList {
	if !e.SoftDelete {
		return nil
	}
	return ast.ArgumentDefinitionList{argument("hard", "Removes the row for good with what belongs to it. Admins only.", ast.NamedType("Boolean", nil))}
}

var declaredFile = template.Must(template.New("declared").Parse(`{{ .Header }}

// Package crud lists the root mutations and reads that schemas declare.
package crud

import (
	"{{ .Kit }}/graph/handler"
	"{{ .Kit }}/lifecycle"
	"{{ .Module }}/internal/rows"
)

// Endings are when what is deprecated ends, by its place in the schema: Note.title,
// Mutation.payOrder(reason:).
func Endings() map[string]*lifecycle.Ending {
	return map[string]*lifecycle.Ending{
		{{- range .Endings }}
		"{{ .Coordinate }}": lifecycle.End({{ printf "%q, %q, %q" .Since .Sunset .Instead }}),
		{{- end }}
	}
}

// Renamed are names of before by their places in the schema, those of types alone,
// and what is called so now.
func Renamed() map[string]string {
	return map[string]string{
		{{- range .Renamed }}
		"{{ .Name }}": "{{ .Write }}",
		{{- end }}
	}
}

// Mutations are the mutations that package handler carries out, by the names of
// the root fields.
func Mutations() map[string]handler.Mutation {
	return map[string]handler.Mutation{
		{{- range .Declared }}
		"{{ .Name }}": {{ .Write }},
		{{- end }}
	}
}

// Reads are the root queries that package handler carries out.
func Reads() map[string]handler.Mutation {
	return map[string]handler.Mutation{
		{{- range .Reads }}
		"{{ .Name }}": {{ .Write }},
		{{- end }}
	}
}
`))

// writeDeclared writes gql/crud.
func (g *Schema) writeDeclared(folder *source.Folder) error {
	data := source.Data{"Declared": table(g.declared()), "Reads": table(g.queries()), "Endings": g.endingTable(), "Renamed": g.renameTable()}
	if err := folder.WriteGo("crud.go", declaredFile, data); err != nil {
		return err
	}
	return folder.RemoveOthers("*")
}

// tableRow is a root field with what carries it out.
type tableRow struct{ Name, Write string }

func table(writes map[string]string) (all []tableRow) {
	for _, name := range slices.Sorted(maps.Keys(writes)) {
		all = append(all, tableRow{name, writes[name]})
	}
	return all
}
