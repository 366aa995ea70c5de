package graphql

import (
	"fmt"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/entity"
)

// declaredCall is the mutation of what an entity declares: a restore, an action,
// a mark, or an operation on many rows.
func (g *Schema) declaredCall(c *model.Call) mutation {
	f := &ast.FieldDefinition{Name: c.Mutation, Description: c.Comment(), Type: g.answerType(c)}
	for _, a := range c.Arguments() {
		f.Arguments = append(f.Arguments, g.callArgument(c, a))
	}
	if c.Expects() {
		f.Arguments = append(f.Arguments, versionArgument(c.Entity)...)
	}
	f.Arguments = append(f.Arguments, keyArgument())
	m := mutation{FieldDefinition: f, write: g.carriesOut(c), ending: c.Ending()}
	if c.Action != nil {
		m.input = c.Action.Input
	}
	return m
}

// carriesOut is the expression of package handler that carries the call out.
func (g *Schema) carriesOut(c *model.Call) string {
	rows := "rows." + c.Entity.Name
	switch c.Op {
	case model.Restore:
		return "handler.Restore(" + rows + ")"
	case model.DoMark:
		return fmt.Sprintf("handler.Mark(%s, %q)", rows, c.Mark.Verb)
	case model.UndoMark:
		return fmt.Sprintf("handler.Unmark(%s, %q)", rows, c.Mark.Verb)
	case model.CreateMany:
		return fmt.Sprintf("handler.%s(%s, %d)", map[bool]string{true: "CreateEach", false: "CreateAll"}[c.Bulk.Each], rows, c.Bulk.Maximum)
	case model.UpdateMany:
		return fmt.Sprintf("handler.UpdateEach(%s, %d)", rows, c.Bulk.Maximum)
	case model.DeleteMany:
		return fmt.Sprintf("handler.DeleteEach(%s, %d)", rows, c.Bulk.Maximum)
	case model.ActMany:
		return fmt.Sprintf("handler.ActEach(%s, %q, %d)", rows, c.Verb, c.Bulk.Maximum)
	}
	return fmt.Sprintf("handler.Act(%s, %q)", rows, c.Action.Verb)
}

// answerType is the type of the mutation's answer: nullable, so that one failure
// leaves the others readable.
func (g *Schema) answerType(c *model.Call) *ast.Type {
	name := c.Entity.Name
	switch {
	case c.Mark != nil:
		name = c.Mark.Payload
	case c.Bulk != nil && c.Bulk.Each:
		return ast.ListType(ast.NonNullNamedType(name+"Result", nil), nil)
	case c.Bulk != nil:
		return ast.ListType(ast.NonNullNamedType(name, nil), nil)
	case c.Action == nil:
	case c.Action.Answer.Job != "":
		name = g.model.Jobs().Name
	case len(c.Action.Answer.Members) > 0:
		name = payload(c)
	case len(c.Action.Answer.Once) > 0:
		name += "Payload"
	case c.Action.Answer.Nothing && !c.Action.OfRow():
		name = "Boolean"
	}
	return ast.NamedType(name, nil)
}

// payload is the type of the members that an action answers with.
func payload(c *model.Call) string {
	if c.Action.Answer.Object != "" {
		return c.Action.Answer.Object
	}
	return strings.ToUpper(c.Mutation[:1]) + c.Mutation[1:] + "Payload"
}

// callArgument is an argument in the schema.
func (g *Schema) callArgument(c *model.Call, a model.Argument) *ast.ArgumentDefinition {
	t, description := ast.NamedType("Boolean", nil), "Removes the rows for good with what belongs to them. Admins only."
	switch {
	case a.ID != nil:
		t = ast.NamedType("ID", nil)
		switch {
		case a.Many:
			description = "The global ids, or the " + plainID(a.ID) + "s."
		case a.Name == "id":
			description = "The global id, or the " + plainID(a.ID) + "."
		default:
			description = "The " + naming.Words(a.ID.Singular) + "'s global id, or the " + plainID(a.ID) + "."
		}
	case a.Object != "":
		t, description = ast.NamedType(a.Object, nil), ""
	case a.Field != nil:
		t, description = g.inputType(a.Field), comment(a.Field)
		if c.Mark != nil {
			description = "The acting user; the caller by default. Only an admin can name another."
		}
	}
	if a.Many {
		t.NonNull = true
		t = ast.ListType(t, nil)
	}
	t.NonNull = a.Required
	return argument(a.Name, description, t)
}

// inputType is the type of a field of an action's input.
func (g *Schema) inputType(f *model.Field) *ast.Type {
	name := entity.Named(f.Kind).GraphQL
	switch f.Kind {
	case "Enum":
		name = enumName(f.Entity, f)
		if f.Enum != nil {
			name = f.Enum.Name
		}
	case "Strings":
		element := "String"
		if f.Enum != nil {
			element = f.Enum.Name
		}
		return ast.ListType(ast.NonNullNamedType(element, nil), nil)
	case "Objects":
		return ast.ListType(ast.NonNullNamedType(f.Object.Name, nil), nil)
	}
	return ast.NamedType(name, nil)
}
