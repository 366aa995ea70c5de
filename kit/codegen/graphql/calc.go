package graphql

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/entity"
)

// Computed values: a field with arguments, a filter that takes them beside what
// it compares with, and a value of orderBy's field, whose arguments stand beside
// it under the value's own name.

// calcFields are the fields of the entity's type.
func (g *Schema) calcFields(e *model.Entity) (fields ast.FieldList) {
	for _, c := range e.Calcs {
		f := &ast.FieldDefinition{Name: c.GraphQL, Description: c.Comment, Type: ast.NamedType(entity.Named(c.Kind).GraphQL, nil)}
		for _, a := range g.calcArguments(c) {
			f.Arguments = append(f.Arguments, &ast.ArgumentDefinition{Name: a.Name, Description: a.Description, Type: a.Type, DefaultValue: a.DefaultValue})
		}
		fields = append(fields, f)
	}
	return fields
}

// calcArguments are the arguments, as members of an input.
func (g *Schema) calcArguments(c *model.Calc) (members ast.FieldList) {
	for _, a := range c.Arguments {
		t := g.inputType(a)
		t.NonNull = a.RequiredOnCreate()
		members = append(members, &ast.FieldDefinition{Name: a.GraphQL[0], Description: comment(a), Type: t, DefaultValue: defaultOf(a)})
	}
	return members
}

// defaultOf is the default of an argument in the schema, nil where it has none
// that a literal says.
func defaultOf(f *model.Field) *ast.Value {
	kind, ok := map[string]ast.ValueKind{"Int": ast.IntValue, "Float": ast.FloatValue, "String": ast.StringValue, "Enum": ast.EnumValue, "Bool": ast.BooleanValue}[f.Kind]
	if !ok || !f.Type.Default || f.Type.DefaultFunc() {
		return nil
	}
	return &ast.Value{Kind: kind, Raw: fmt.Sprint(f.Type.DefaultValue())}
}

// calcComparison is the filter by a computed value: "PlaceDistanceFilter".
func calcComparison(c *model.Calc) string { return c.Type() + "Filter" }

// calcInput are its arguments in an order: "PlaceDistanceInput".
func calcInput(c *model.Calc) string { return c.Type() + "Input" }

// addCalcs adds the filters by computed values to the entity's filter and the
// orders to its order, and returns the types of these.
func (g *Schema) addCalcs(e *model.Entity, where *ast.Definition) (definitions ast.DefinitionList, err error) {
	if len(e.Calcs) == 0 {
		return nil, nil
	}
	order, names := g.base.Types[e.Name+"Order"], g.base.Types[e.Name+"OrderField"]
	if order == nil || names == nil {
		return nil, fmt.Errorf("calc %q: listings have no order: a field with expose.By(expose.Sort) is needed", e.Calcs[0].Name)
	}
	for _, c := range e.Calcs {
		definitions = append(definitions, g.fieldTypes(c.Arguments)...)
		where.Fields = append(where.Fields, &ast.FieldDefinition{Name: c.GraphQL, Description: c.Comment, Type: ast.NamedType(calcComparison(c), nil)})
		definitions = append(definitions, &ast.Definition{
			Kind: ast.InputObject, Name: calcComparison(c), Fields: append(g.calcArguments(c), comparisons(c)...),
			Description: "A filter by " + c.GraphQL + ": all comparisons that are given must hold, one is needed.",
		})
		names.EnumValues = append(names.EnumValues, &ast.EnumValueDefinition{Name: strings.ToUpper(c.Name), Description: c.Comment})
		if len(c.Arguments) == 0 {
			continue
		}
		order.Fields = append(order.Fields, &ast.FieldDefinition{
			Name: c.GraphQL, Description: "The arguments of " + strings.ToUpper(c.Name) + ".", Type: ast.NamedType(calcInput(c), nil),
		})
		definitions = append(definitions, &ast.Definition{
			Kind: ast.InputObject, Name: calcInput(c), Description: "The arguments of " + c.GraphQL + " of " + naming.An(e.Singular) + ".", Fields: g.calcArguments(c),
		})
	}
	for _, def := range definitions {
		if g.base.Types[def.Name] != nil {
			return nil, fmt.Errorf("there is a type %s already: give one of the two another name", def.Name)
		}
	}
	return definitions, nil
}

// comparisons are the members of a filter that compare.
func comparisons(c *model.Calc) (members ast.FieldList) {
	for _, name := range model.CalcComparisons {
		t := ast.NamedType(entity.Named(c.Kind).GraphQL, nil)
		switch {
		case name == "isNil":
			t = ast.NamedType("Boolean", nil)
		case name == "in" || name == "notIn":
			t.NonNull = true
			t = ast.ListType(t, nil)
		case c.Kind == "Bool" && name != "eq" && name != "neq",
			c.Kind != "String" && slices.Contains([]string{"contains", "hasPrefix", "hasSuffix"}, name):
			continue
		}
		members = append(members, &ast.FieldDefinition{Name: name, Type: t})
	}
	return members
}
