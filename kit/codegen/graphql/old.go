package graphql

import (
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
)

// addOld adds the names that clients may still use (expose.Was, expose.ValueWas)
// to the schema, deprecated. Documents that use them are taken for those that
// use the names of now (package deprecation), so nothing else knows of them.
func (g *Schema) addOld() {
	for _, e := range g.model.Entities {
		document := g.files[e.Singular]
		for _, def := range document.Definitions {
			for _, f := range e.Fields {
				g.oldField(e, f, def)
			}
			for _, edge := range e.Edges {
				g.oldEdge(e, edge, def)
			}
		}
		g.oldMembers(document.Definitions.ForName("Create"+e.Name+"Input"), e.Extra[expose.Create])
		g.oldMembers(document.Definitions.ForName("Update"+e.Name+"Input"), e.Extra[expose.Patch])
		for _, c := range g.model.Declared(e) {
			if c.Action != nil {
				g.oldInputs(c, document)
			}
		}
		if e.Old != nil {
			for _, root := range document.Extensions {
				g.oldRoots(e, root)
			}
			g.oldTypes(e, document.Definitions)
		}
	}
}

// oldTypes notes the names that an entity's types had, which fragments and
// variables may still have: the schema itself has each type once.
func (g *Schema) oldTypes(e *model.Entity, definitions ast.DefinitionList) {
	for _, def := range definitions {
		old := strings.Replace(def.Name, e.Name, e.Old.Name, 1)
		if old != def.Name && !g.taken(old) {
			g.noteOld(old, def.Name)
		}
	}
}

// taken reports whether there is a type of the name.
func (g *Schema) taken(name string) bool { return g.base.Types[name] != nil || g.defined(name) }

func (g *Schema) noteOld(old, now string) {
	if g.renamed == nil {
		g.renamed = map[string]string{}
	}
	g.renamed[old] = now
}

// oldField adds the old name of a field to a type of its entity, and the old
// names of its values.
func (g *Schema) oldField(e *model.Entity, f *model.Field, def *ast.Definition) {
	if def.Kind == ast.Enum && f.Type.IsEnum() && def.Name == enumName(e, f) {
		for _, v := range f.OldValues {
			g.oldEnumValue(def, v.Now, v.Before, v.Ending)
		}
	}
	if f.Old == nil || f.Old.GraphQL == "" {
		return
	}
	if was := e.Name + naming.Pascal(f.Old.Name); f.Type.IsEnum() && def.Name == enumName(e, f) && !g.taken(was) {
		g.noteOld(was, def.Name)
	}
	switch {
	case def.Name == e.Name+"OrderField":
		g.oldEnumValue(def, orderName(f), strings.ToUpper(f.Old.Name), f.Old.Ending)
	case def.Name == e.Name+"WhereInput":
		g.oldFilters(def, f.GraphQL[0], f.Old.GraphQL, suffixes(f), f.Old.Ending)
	case def.Name == e.Name, isInput(e, def):
		g.oldMember(def, f.GraphQL[0], f.Old.GraphQL, f.Old.Ending)
	}
}

// oldEdge does the same for an edge.
func (g *Schema) oldEdge(e *model.Entity, edge *model.Edge, def *ast.Definition) {
	if edge.Edge.Attached && isInput(e, def) {
		g.oldIDs(def, edge.GraphQLIDs(), edge.OldGraphQLIDs(), &expose.Ending{})
	}
	alias := edge.Alias()
	if alias == nil {
		return
	}
	now, old := naming.Camel(edge.Name), naming.Camel(alias.Name)
	switch {
	case def.Name == e.Name:
		g.oldFilters(def, now, old, []string{"", "Connection"}, edge.Old.Ending)
	case def.Name == e.Name+"WhereInput":
		g.oldFilters(def, "has"+naming.Pascal(edge.Name), "has"+naming.Pascal(alias.Name), []string{"", "With"}, edge.Old.Ending)
	case isInput(e, def):
		g.oldIDs(def, edge.GraphQLIDs(), alias.GraphQLIDs(), edge.Old.Ending)
		g.oldIDs(def, edge.GraphQLIDs(), alias.OldGraphQLIDs(), edge.Old.Ending)
	}
}

// oldIDs adds the inputs of an edge's ids by an old name.
func (g *Schema) oldIDs(def *ast.Definition, now, old string, e *expose.Ending) {
	within := func(verb, ids string) string { return verb + strings.ToUpper(ids[:1]) + ids[1:] }
	g.oldMember(def, now, old, e)
	for _, verb := range []string{"add", "remove"} {
		g.oldMember(def, within(verb, now), within(verb, old), e)
	}
}

func isInput(e *model.Entity, def *ast.Definition) bool {
	return def.Kind == ast.InputObject && (def.Name == "Create"+e.Name+"Input" || def.Name == "Update"+e.Name+"Input")
}

// suffixes are the possible suffixes of a field's filters.
func suffixes(f *model.Field) []string {
	all := []string{"", "Has", "HasAny", "NEQ", "In", "NotIn"}
	for _, op := range f.Type.Ops() {
		if !slices.Contains(all, op.Name()) {
			all = append(all, op.Name())
		}
	}
	return all
}

func (g *Schema) oldFilters(def *ast.Definition, now, old string, suffixes []string, e *expose.Ending) {
	for _, suffix := range suffixes {
		g.oldMember(def, now+suffix, old+suffix, e)
	}
}

// oldMember adds a field of a type by its old name. An input that had to be there
// may be absent by either: package write asks for one of them.
func (g *Schema) oldMember(def *ast.Definition, now, old string, e *expose.Ending) {
	at := slices.IndexFunc(def.Fields, func(f *ast.FieldDefinition) bool { return f.Name == now })
	if at < 0 || def.Fields.ForName(old) != nil {
		return
	}
	if def.Kind == ast.InputObject && def.Fields[at].Type.NonNull && def.Fields[at].DefaultValue == nil {
		t := *def.Fields[at].Type
		t.NonNull = false
		def.Fields[at].Type = &t
		def.Fields[at].Description = strings.TrimSpace(def.Fields[at].Description + " Required, by this name or by " + old + ".")
	}
	alias := *def.Fields[at]
	alias.Name, alias.Directives, alias.Description = old, nil, ""
	def.Fields = append(def.Fields, &alias)
	g.rename(def.Name+"."+old, now, e, &alias.Directives)
}

// oldInputs adds the old names of what an action is called with: members of its
// input, or arguments of its root field.
func (g *Schema) oldInputs(c *model.Call, document *ast.SchemaDocument) {
	object := document.Definitions.ForName(c.Object())
	for _, f := range c.Action.Input {
		if f.Object != nil {
			g.oldMembers(document.Definitions.ForName(f.Object.Name), f.Members)
		}
		if f.Old == nil || f.Old.GraphQL == "" || object != nil {
			continue
		}
		for _, root := range document.Extensions {
			if field := root.Fields.ForName(c.Mutation); field != nil && (root.Name == "Query") == c.Reads() {
				g.oldArgument(root.Name, field, f)
			}
		}
	}
	g.oldMembers(object, c.Action.Input)
}

// oldMembers adds the old names of the fields of an input.
func (g *Schema) oldMembers(def *ast.Definition, fields []*model.Field) {
	for _, f := range fields {
		if def != nil && f.Old != nil && f.Old.GraphQL != "" {
			g.oldMember(def, f.GraphQL[0], f.Old.GraphQL, f.Old.Ending)
		}
	}
}

// oldArgument adds an argument of a root field by its old name.
func (g *Schema) oldArgument(root string, field *ast.FieldDefinition, f *model.Field) {
	now, old := field.Arguments.ForName(f.GraphQL[0]), f.Old.GraphQL
	if now == nil || field.Arguments.ForName(old) != nil {
		return
	}
	if now.Type.NonNull && now.DefaultValue == nil {
		t := *now.Type
		t.NonNull = false
		now.Type = &t
		now.Description = strings.TrimSpace(now.Description + " Required, by this name or by " + old + ".")
	}
	alias := &ast.ArgumentDefinition{Name: old, Type: now.Type}
	g.rename(root+"."+field.Name+"("+old+":)", now.Name, f.Old.Ending, &alias.Directives)
	at := slices.Index(field.Arguments, now) + 1
	field.Arguments = slices.Insert(field.Arguments, at, alias)
}

func (g *Schema) oldEnumValue(def *ast.Definition, now, old string, e *expose.Ending) {
	if def.EnumValues.ForName(now) == nil || def.EnumValues.ForName(old) != nil {
		return
	}
	alias := &ast.EnumValueDefinition{Name: old}
	def.EnumValues = append(def.EnumValues, alias)
	g.rename(def.Name+"."+old, now, e, &alias.Directives)
}

// oldRoots adds the root fields of an entity by its old name.
func (g *Schema) oldRoots(e *model.Entity, root *ast.Definition) {
	names := map[string]string{
		naming.Camel(e.Singular): naming.Camel(naming.Snake(e.Old.Name)),
		plural(e) + "Connection": naming.Camel(strings.ReplaceAll(e.Old.REST, "-", "_")) + "Connection",
	}
	for _, verb := range []string{"create", "update", "delete", "restore", "set"} {
		names[verb+e.Name] = verb + e.Old.Name
	}
	for _, now := range slices.Sorted(maps.Keys(names)) {
		g.oldMember(root, now, names[now], &expose.Ending{Since: e.Old.Ending.Since, Sunset: e.Old.Ending.Sunset, Instead: "use " + now})
	}
}

// rename says that what stands at the coordinate is another name of something.
func (g *Schema) rename(coordinate, now string, e *expose.Ending, directives *ast.DirectiveList) {
	says := *e
	says.Instead = "use " + now
	g.end(coordinate, &says, directives)
	g.noteOld(coordinate, now)
}

// withoutOld takes the old names out again: the executor that gqlgen makes is
// given documents without them.
func (g *Schema) withoutOld(definitions ast.DefinitionList) ast.DefinitionList {
	if len(g.renamed) == 0 {
		return definitions
	}
	left := make(ast.DefinitionList, len(definitions))
	for i, def := range definitions {
		reduced := *def
		reduced.Fields = slices.DeleteFunc(slices.Clone(def.Fields), func(f *ast.FieldDefinition) bool { return g.renamed[def.Name+"."+f.Name] != "" })
		reduced.EnumValues = slices.DeleteFunc(slices.Clone(def.EnumValues), func(v *ast.EnumValueDefinition) bool { return g.renamed[def.Name+"."+v.Name] != "" })
		left[i] = &reduced
	}
	return left
}

// renameTable are the old names for the generated table.
func (g *Schema) renameTable() (all []tableRow) {
	for _, coordinate := range slices.Sorted(maps.Keys(g.renamed)) {
		all = append(all, tableRow{coordinate, g.renamed[coordinate]})
	}
	return all
}
