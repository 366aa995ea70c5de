package graphql

import (
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/expose"
)

// end says in the schema that what stands at a coordinate is deprecated, such as
// Post.title or Mutation.payOrder(reason:), and keeps when it ends.
func (g *Schema) end(coordinate string, e *expose.Ending, directives *ast.DirectiveList) {
	if e == nil {
		return
	}
	*directives = ast.DirectiveList{{
		Name: "deprecated", Arguments: ast.ArgumentList{{Name: "reason", Value: &ast.Value{Raw: model.Says(e), Kind: ast.StringValue}}},
	}}
	if g.endings == nil {
		g.endings = map[string]*expose.Ending{}
	}
	g.endings[coordinate] = e
}

// endFields ends the fields of an input, or of a type.
func (g *Schema) endFields(def *ast.Definition, fields []*model.Field) {
	for _, f := range fields {
		for _, name := range f.GraphQL {
			if field := def.Fields.ForName(name); field != nil && f.Ending != nil {
				g.end(def.Name+"."+name, f.Ending, &field.Directives)
			}
		}
	}
}

// endFilters ends the filters of the fields of an entity, and their orders.
func (g *Schema) endFilters(e *model.Entity, where *ast.Definition) {
	for _, f := range e.Fields {
		if f.Ending == nil {
			continue
		}
		suffixes := []string{"", "Has", "HasAny", "NEQ", "In", "NotIn"}
		for _, op := range f.Type.Ops() {
			suffixes = append(suffixes, op.Name())
		}
		for _, suffix := range suffixes {
			name := f.GraphQL[0] + suffix
			if field := where.Fields.ForName(name); field != nil {
				g.end(where.Name+"."+name, f.Ending, &field.Directives)
			}
		}
		if order := g.base.Types[e.Name+"OrderField"]; order != nil {
			if value := order.EnumValues.ForName(orderName(f)); value != nil {
				g.end(order.Name+"."+value.Name, f.Ending, &value.Directives)
			}
		}
	}
}

// endRoot ends a root field, and those of its arguments that end.
func (g *Schema) endRoot(root string, f *ast.FieldDefinition, e *expose.Ending, input []*model.Field) {
	g.end(root+"."+f.Name, e, &f.Directives)
	for _, a := range f.Arguments {
		i := slices.IndexFunc(input, func(f *model.Field) bool { return f.GraphQL[0] == a.Name })
		if i >= 0 {
			g.end(root+"."+f.Name+"("+a.Name+":)", input[i].Ending, &a.Directives)
		}
	}
}

// ending is a row of the generated table.
type ending struct {
	Coordinate string
	*expose.Ending
}

func (g *Schema) endingTable() (all []ending) {
	for _, coordinate := range slices.SortedFunc(maps.Keys(g.endings), strings.Compare) {
		all = append(all, ending{coordinate, g.endings[coordinate]})
	}
	return all
}
