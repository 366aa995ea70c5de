package graphql

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
)

// where is the entity's filter: entgql's, without what listings cannot do.
func (g *Schema) where(e *model.Entity) *ast.Definition {
	def := g.base.Types[e.Name+"WhereInput"]
	def.Description = "A filter of " + naming.Words(e.Path) + ". All that is given must hold. Filters nest 5 levels and have 50 terms at most, a list has 100 values."
	names := map[string]string{} // by entgql's, empty where it is left out
	for _, f := range e.Fields {
		for _, op := range f.Type.Ops() {
			name := f.GraphQL[0] + op.Name()
			if !offers(f, op.Name()) {
				name = ""
			}
			names[naming.Camel(f.Name+"_"+op.Name())] = name
		}
		names[naming.Camel(f.Name)] = ""
		if f.FilterBy() {
			names[naming.Camel(f.Name)] = f.GraphQL[0]
		}
	}
	def.Fields = slices.DeleteFunc(def.Fields, func(field *ast.FieldDefinition) bool {
		name, ofField := names[field.Name]
		if field.Description = ""; name != "" {
			field.Name = name
		}
		return ofField && name == ""
	})
	for _, f := range e.Fields {
		switch {
		case !f.FilterBy():
		case f.Kind == "Strings":
			def.Fields = append(def.Fields, elementFilters(f)...)
		case f.Kind == "Ref" && def.Fields.ForName(f.GraphQL[0]) == nil: // entgql has none of the rows between
			def.Fields = append(def.Fields, keyFilters(f)...)
		}
	}
	for _, edge := range e.Edges {
		if edge.Tree != nil && edge.Filter { // entgql knows nothing of it
			has := "has" + naming.Pascal(edge.Name)
			def.Fields = append(def.Fields,
				&ast.FieldDefinition{Name: has, Type: ast.NamedType("Boolean", nil)},
				&ast.FieldDefinition{Name: has + "With", Type: ast.ListType(ast.NonNullNamedType(edge.To.Name+"WhereInput", nil), nil)})
		}
	}
	g.endFilters(e, def)
	return def
}

// offers reports whether listings can filter the field by entgql's operation.
func offers(f *model.Field, op string) bool {
	if strings.HasSuffix(op, "Fold") {
		return f.SearchBy() && (f.FilterBy() || op == "ContainsFold")
	}
	if f.Kind == "UUID" && slices.Contains([]string{"GT", "GTE", "LT", "LTE"}, op) {
		return false
	}
	if (f.Kind == "ID" || f.Kind == "Ref") && model.IDsOf(f.Type) != gid.Numbers { // which are equal or not, and nothing else
		return f.FilterBy() && slices.Contains([]string{"EQ", "NEQ", "In", "NotIn", "IsNil", "NotNil"}, op)
	}
	return f.FilterBy()
}

// elementFilters filter a list of texts by what it contains.
func elementFilters(f *model.Field) ast.FieldList {
	return ast.FieldList{
		{Name: f.GraphQL[0] + "Has", Type: ast.NamedType("String", nil)},
		{Name: f.GraphQL[0] + "HasAny", Type: ast.ListType(ast.NonNullNamedType("String", nil), nil)},
	}
}

// keyFilters filter by a foreign key that can't be null.
func keyFilters(f *model.Field) ast.FieldList {
	many := func() *ast.Type { return ast.ListType(ast.NonNullNamedType("ID", nil), nil) }
	return ast.FieldList{
		{Name: f.GraphQL[0], Type: ast.NamedType("ID", nil)},
		{Name: f.GraphQL[0] + "NEQ", Type: ast.NamedType("ID", nil)},
		{Name: f.GraphQL[0] + "In", Type: many()},
		{Name: f.GraphQL[0] + "NotIn", Type: many()},
	}
}

// inputs are the inputs of creates and updates.
func (g *Schema) inputs(e *model.Entity) (ast.DefinitionList, error) {
	var definitions ast.DefinitionList
	if e.Has(expose.Create) {
		def, err := g.input(e, "Create", (*model.Field).OnCreate, (*model.Field).RequiredOnCreate)
		if err != nil {
			return nil, err
		}
		def.Description = "What " + naming.An(e.Singular) + " is created with." + checksText(e)
		definitions = append(definitions, def)
	}
	if e.Has(expose.Patch) {
		def, err := g.input(e, "Update", (*model.Field).OnUpdate, func(*model.Field) bool { return false })
		if err != nil {
			return nil, err
		}
		def.Description = "What changes of " + naming.An(e.Singular) + ": absent fields keep their values, null clears." + checksText(e)
		definitions = append(definitions, def)
	}
	return definitions, nil
}

// checksText describes the rules over several fields.
func checksText(e *model.Entity) string {
	var b strings.Builder
	for _, c := range e.Checks {
		var names []string
		for _, name := range c.Fields {
			names = append(names, "`"+e.Field(name).GraphQL[0]+"`")
		}
		b.WriteString(" " + strings.Join(names, " and ") + " " + strings.TrimSuffix(c.Says, ".") + ".")
	}
	return b.String()
}

// keyedEdge is the edge of a foreign key whose rows can be named by their key, too.
func keyedEdge(f *model.Field) *model.Edge {
	for _, edge := range f.Entity.Edges {
		if f.Kind == "Ref" && edge.Type.Field() == f.Type && edge.To.KeyField != nil {
			return edge
		}
	}
	return nil
}

// input is entgql's input with one field for each field of the entity:
// foreign keys instead of edges, and null instead of a field that clears.
func (g *Schema) input(e *model.Entity, verb string, has, required func(*model.Field) bool) (*ast.Definition, error) {
	name := verb + e.Name + "Input"
	base := g.base.Types[name]
	if base == nil {
		return nil, fmt.Errorf("entgql made no %s", name)
	}
	def := &ast.Definition{Kind: ast.InputObject, Name: name}
	for _, f := range e.Fields {
		if !has(f) {
			continue
		}
		field := &ast.FieldDefinition{Name: f.GraphQL[0], Description: comment(f), Type: ast.NamedType("ID", nil)}
		if f.Kind == "Ref" && !g.isEntity(f.Ref) {
			return nil, fmt.Errorf("%s.%s names a %s, which is not exposed: expose it, or let only the service set the field (expose.Computed)", name, f.GraphQL[0], f.Ref)
		}
		if f.Kind == "ID" { // clients give it unchanged
			field.Type = ast.NamedType("String", nil)
		} else if f.Kind != "Ref" {
			from := base.Fields.ForName(naming.Camel(f.Name))
			if from == nil {
				return nil, fmt.Errorf("entgql made no %s.%s", name, f.GraphQL[0])
			}
			t := *from.Type
			field.Type = &t
		}
		field.Type.NonNull = required(f)
		def.Fields = append(def.Fields, field)
		if edge := keyedEdge(f); edge != nil {
			field.Type.NonNull = false
			def.Fields = append(def.Fields, &ast.FieldDefinition{
				Name: naming.Camel(edge.Name), Type: ast.NamedType("String", nil),
				Description: strings.TrimSuffix(edge.Comment, ".") + " by its " + edge.To.KeyField.Name + ", in place of " + f.GraphQL[0] + ".",
			})
		}
	}
	for _, f := range e.Extra[map[string]expose.Operation{"Create": expose.Create, "Update": expose.Patch}[verb]] {
		t := g.inputType(f)
		t.NonNull = required(f)
		def.Fields = append(def.Fields, &ast.FieldDefinition{Name: f.GraphQL[0], Description: comment(f), Type: t})
	}
	g.endFields(def, e.Fields)
	def.Fields = append(def.Fields, edgeInputs(e, verb)...)
	if len(def.Fields) == 0 {
		return nil, fmt.Errorf("%s would be empty: no field can be set; leave %s out of its operations", name, strings.ToLower(verb))
	}
	return def, nil
}
