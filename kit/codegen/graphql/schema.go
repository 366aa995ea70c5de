package graphql

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/entity"
)

// build makes the documents of gql/generated: one for each entity, and base
// for what they share.
func (g *Schema) build() error {
	for _, def := range g.base.Types {
		plain(def)
	}
	g.files = map[string]*ast.SchemaDocument{"base": g.buildBase()}
	search, err := searchDocument(g.model)
	if err != nil {
		return err
	}
	if search != nil {
		g.files["search"] = search
	}
	if err := g.addProvided(); err != nil {
		return err
	}
	for _, e := range g.model.Entities {
		document, err := g.buildEntity(e)
		if err != nil {
			return model.ProblemAt(e.Type, "", err)
		}
		g.files[e.Singular] = document
	}
	base := g.files["base"]
	if g.itemised() && !g.defined("ItemError") {
		base.Definitions = append(base.Definitions, itemTypes()...)
	}
	if m := g.deleteNode(); m != nil {
		base.Definitions = append(base.Definitions, &ast.Definition{
			Kind: ast.Object, Name: deletedNode, Description: "The deleted row.",
			Fields: ast.FieldList{{Name: "deletedId", Description: "The global id that it had.", Type: ast.NamedType("ID", nil)}},
		})
		base.Extensions = append(base.Extensions, &ast.Definition{Kind: ast.Object, Name: "Mutation", Fields: ast.FieldList{m.FieldDefinition}})
	}
	if slices.ContainsFunc(g.model.Entities, func(e *model.Entity) bool { return e.Live }) {
		base.Definitions = append(base.Definitions, liveKind())
	}
	g.addOld()
	if err := g.checkByHand(); err != nil {
		return err
	}
	g.describeRoots()
	g.prune()
	return nil
}

// plain takes out the directives by which entgql speaks to gqlgen about Go
// types: the schema is for clients.
func plain(def *ast.Definition) {
	def.Directives = nil
	for _, f := range def.Fields {
		f.Directives = deprecations(f.Directives)
	}
}

func deprecations(all ast.DirectiveList) ast.DirectiveList {
	if d := all.ForName("deprecated"); d != nil {
		return ast.DirectiveList{d}
	}
	return nil
}

// buildBase adds the types that all entities share.
func (g *Schema) buildBase() *ast.SchemaDocument {
	query := g.base.Types["Query"]
	query.Description = "The operations that read. Each field stands for itself: one that fails is null with an error, and the others are answered."
	for _, f := range query.Fields {
		f.Type.NonNull = false // one failure leaves the other root fields readable
	}
	query.Fields.ForName("node").Description = "The object with the global id."
	query.Fields.ForName("nodes").Description = "The objects with the global ids, in their order; null for one that is not there."
	query.Fields.ForName("nodes").Arguments[0].Description = "At most 100 global ids."
	query.Fields.ForName("node").Arguments[0].Description = ""
	direction := g.base.Types["OrderDirection"]
	direction.Description = "A direction of an order."
	for _, value := range direction.EnumValues {
		value.Description = ""
	}
	info := g.base.Types["PageInfo"]
	info.Description = "What lies before and behind a page."
	for name, description := range map[string]string{
		"hasNextPage": "Whether there is more behind the page.", "hasPreviousPage": "Whether there is more before it.",
		"startCursor": "The place of its first item, null for an empty page.", "endCursor": "The place of its last item, null for an empty page.",
	} {
		info.Fields.ForName(name).Description = description
	}
	node := g.base.Types["Node"]
	node.Description = "An object with a global id."
	node.Fields[0].Description = "The global id."
	return &ast.SchemaDocument{Definitions: append(ast.DefinitionList{
		scalar("Cursor", "A place in a connection. It is opaque, and holds for the order and the filters of the connection it comes from.",
			"https://relay.dev/graphql/connections.htm#sec-Cursor"),
		scalar("Time", "A time in UTC, as RFC 3339 writes it, such as 2026-01-31T12:00:00.123456Z.",
			"https://www.rfc-editor.org/rfc/rfc3339"),
		scalar("JSON", "Any JSON value.", "https://www.rfc-editor.org/rfc/rfc8259"),
	}, g.scalars(direction, node, info, query)...)}
}

// scalars are those that only some schemas need, and what else is given.
func (g *Schema) scalars(more ...*ast.Definition) ast.DefinitionList {
	var all ast.DefinitionList
	forms := slices.Clone(entity.Forms())
	slices.SortFunc(forms, func(a, b entity.Form) int { return strings.Compare(a.GraphQL, b.GraphQL) })
	for _, form := range forms {
		if form.Says != "" && g.has(form.Name) {
			all = append(all, scalar(form.GraphQL, form.Says, form.Spec))
		}
	}
	return append(all, more...)
}

// has reports whether an entity shows or takes fields of the kind.
func (g *Schema) has(kind string) bool {
	return slices.ContainsFunc(g.model.Entities, func(e *model.Entity) bool {
		return slices.ContainsFunc(e.Fields, func(f *model.Field) bool { return f.Kind == kind })
	})
}

// scalar is a scalar of our own, and where it is specified.
func scalar(name, description, url string) *ast.Definition {
	return &ast.Definition{Kind: ast.Scalar, Name: name, Description: description, Directives: ast.DirectiveList{{
		Name: "specifiedBy", Arguments: ast.ArgumentList{{Name: "url", Value: &ast.Value{Raw: url, Kind: ast.StringValue}}},
	}}}
}

// buildEntity gathers what belongs to an entity, in the order a reader asks for it.
func (g *Schema) buildEntity(e *model.Entity) (*ast.SchemaDocument, error) {
	object, err := g.object(e)
	if err != nil {
		return nil, err
	}
	definitions := ast.DefinitionList{object}
	for _, f := range e.Fields {
		if def := g.base.Types[enumName(e, f)]; f.Type.IsEnum() && def != nil {
			def.Description = comment(f)
			definitions = append(definitions, def)
		}
	}
	_, types := derivedFields(e)
	definitions = append(definitions, types...)
	definitions = append(definitions, g.connection(e)...)
	where := g.where(e)
	definitions = append(definitions, where)
	calcs, err := g.addCalcs(e, where)
	if err != nil {
		return nil, err
	}
	definitions = append(definitions, calcs...)
	inputs, err := g.inputs(e)
	if err != nil {
		return nil, err
	}
	definitions = slices.Concat(definitions, inputs, g.callTypes(e), liveTypes(e))
	return &ast.SchemaDocument{Definitions: definitions, Extensions: g.roots(e)}, nil
}

func enumName(e *model.Entity, f *model.Field) string { return e.Name + naming.Pascal(f.Name) }

// comment is the field's description for the readers of both APIs.
func comment(f *model.Field) string { return strings.TrimSpace(f.Type.Comment()) }

// object is the entity's type: entgql's fields with both of their names, and
// each edge to many as a list and as a connection.
func (g *Schema) object(e *model.Entity) (*ast.Definition, error) {
	def := g.base.Types[e.Name]
	if def == nil {
		return nil, errors.New("entgql made no type of it")
	}
	def.Description = e.Comment
	for _, f := range e.Fields {
		if f.Secret {
			continue
		}
		for i, name := range f.GraphQL {
			field := def.Fields.ForName(name)
			if field == nil {
				return nil, fmt.Errorf("entgql made no field %s", name)
			}
			field.Type = outputType(f, field.Type, i > 0)
		}
	}
	for _, edge := range e.Edges {
		if edge.Tree == nil && def.Fields.ForName(naming.Camel(edge.Name)) == nil {
			return nil, fmt.Errorf("entgql made no field %s", naming.Camel(edge.Name))
		}
	}
	var fields ast.FieldList
	for _, field := range def.Fields {
		edge := e.Edge(naming.Snake(field.Name))
		if edge == nil || edge.Type.Unique {
			fields = append(fields, field)
			continue
		}
		fields = append(fields, g.edgeList(edge), g.edgeConnection(edge))
	}
	for _, edge := range e.Edges {
		if edge.Tree != nil { // entgql knows nothing of it
			fields = append(fields, g.edgeList(edge), g.edgeConnection(edge))
		}
	}
	derived, _ := derivedFields(e)
	def.Fields = slices.Concat(fields, derived, g.calcFields(e))
	g.endFields(def, e.Fields)
	return def, nil
}

// outputType is the type of a field. A field that not everyone sees is null
// for those who do not, so it is nullable. The second names (expose.Also) keep
// the types that clients know (doc/api/values.md): times are strings, and flags
// are never null. So a caller who may not see one gets null for the whole
// object, up to what may be null; by its first name it is null alone.
func outputType(f *model.Field, t *ast.Type, second bool) *ast.Type {
	out := *t
	if len(f.Visible) > 0 || f.Known {
		out.NonNull = out.NonNull && second && f.Kind == "Bool"
	}
	if second && f.Kind == "Time" {
		out.NamedType = "String"
	}
	return &out
}

// edgeList is an edge to many as a plain list.
func (g *Schema) edgeList(edge *model.Edge) *ast.FieldDefinition {
	arguments := ast.ArgumentDefinitionList{
		argument("first", "How many: at most 100, which is also what is read without it.", ast.NamedType("Int", nil)),
	}
	return &ast.FieldDefinition{
		Name: naming.Camel(edge.Name), Description: edge.Comment,
		Arguments: append(arguments, g.selecting(edge.To)...),
		Type:      ast.ListType(ast.NonNullNamedType(edge.To.Name, nil), nil),
	}
}

// edgeConnection is an edge to many as a Relay connection.
func (g *Schema) edgeConnection(edge *model.Edge) *ast.FieldDefinition {
	return &ast.FieldDefinition{
		Name: naming.Camel(edge.Name) + "Connection", Description: edge.Comment,
		Arguments: g.paging(edge.To, model.DefaultLimit),
		Type:      ast.NamedType(edge.To.Name+"Connection", nil), // null alone where it fails
	}
}

// paging is the arguments of a connection.
func (g *Schema) paging(e *model.Entity, limit int) ast.ArgumentDefinitionList {
	arguments := ast.ArgumentDefinitionList{
		argument("after", "Only what comes after the cursor.", ast.NamedType("Cursor", nil)),
		argument("first", fmt.Sprintf("How many from the beginning: at most 100, %d if neither first nor last is given.", limit), ast.NamedType("Int", nil)),
		argument("before", "Only what comes before the cursor.", ast.NamedType("Cursor", nil)),
		argument("last", "How many from the end: at most 100.", ast.NamedType("Int", nil)),
	}
	return append(arguments, g.selecting(e)...)
}

// selecting is the arguments that order and filter.
func (g *Schema) selecting(e *model.Entity) ast.ArgumentDefinitionList {
	var arguments ast.ArgumentDefinitionList
	if g.base.Types[e.Name+"Order"] != nil {
		order := ast.ListType(ast.NonNullNamedType(e.Name+"Order", nil), nil)
		arguments = append(arguments, argument("orderBy", "The order. Nulls come last in both directions.", order))
	}
	return append(arguments, argument("where", "A filter.", ast.NamedType(e.Name+"WhereInput", nil)))
}

// connection is the entity's connection, its edges and its order.
func (g *Schema) connection(e *model.Entity) ast.DefinitionList {
	connection := g.base.Types[e.Name+"Connection"]
	connection.Description = "A page of a listing of " + naming.Words(e.Path) + "."
	edges := connection.Fields.ForName("edges")
	edges.Description = "The items with their cursors."
	nodes := &ast.FieldDefinition{
		Name: "nodes", Description: "The items alone.",
		Type: ast.ListType(ast.NamedType(e.Name, nil), nil),
	}
	info := connection.Fields.ForName("pageInfo")
	info.Description = "What lies before and behind the page."
	total := connection.Fields.ForName("totalCount")
	total.Description = "How many items the whole listing has, counted up to 10,000 where it is asked for."
	if slices.ContainsFunc(e.Fields, func(f *model.Field) bool { return f.Parts() != "" }) {
		total.Description += " Items that are found by a part of a text are counted up to 5,000, and by a part that no index finds, among 20,000."
	}
	exact := &ast.FieldDefinition{
		Name: "totalCountExact", Description: "Whether `totalCount` is all there are: false where there may be more.", Type: ast.NonNullNamedType("Boolean", nil),
	}
	connection.Fields = ast.FieldList{edges, nodes, info, total, exact}
	edge := g.base.Types[e.Name+"Edge"]
	edge.Description = "An item of a page."
	edge.Fields.ForName("node").Description = "The item."
	edge.Fields.ForName("cursor").Description = "The item's place in the listing."
	definitions := ast.DefinitionList{connection, edge}
	if order := g.base.Types[e.Name+"Order"]; order != nil {
		order.Description = "A term of an order of " + naming.Words(e.Path) + "."
		order.Fields.ForName("direction").Description = ""
		order.Fields.ForName("field").Description = ""
		names := g.base.Types[e.Name+"OrderField"]
		names.Description = "What " + naming.Words(e.Path) + " can be ordered by."
		for _, value := range names.EnumValues {
			if f := e.Field(strings.ToLower(value.Name)); f != nil {
				value.Description = comment(f)
			}
		}
		definitions = append(definitions, order, names)
	}
	return definitions
}
