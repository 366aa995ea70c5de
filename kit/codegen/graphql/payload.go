package graphql

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
)

// callTypes are the types that the entity's declared mutations take and answer
// with, but for those that stand in gql/*.graphql.
func (g *Schema) callTypes(e *model.Entity) (all ast.DefinitionList) {
	seen := map[string]bool{}
	add := func(definitions ...*ast.Definition) {
		for _, def := range definitions {
			if !seen[def.Name] && !g.defined(def.Name) {
				seen[def.Name] = true
				all = append(all, def)
			}
		}
	}
	for _, c := range g.model.Declared(e) {
		if c.OnlyREST() || g.byHand("Mutation", c.Mutation) != nil {
			continue
		}
		switch {
		case c.Mark != nil:
			add(g.markPayload(c))
		case c.Bulk != nil && c.Bulk.Each:
			if c.Op == model.UpdateMany {
				add(itemType(c))
			}
			add(resultType(e))
		case c.Action != nil:
			if object := c.Object(); object != "" {
				add(g.inputObject(object, "The rows and values that are named for "+c.Mutation+".", c.Action.Input))
			}
			add(g.fieldTypes(c.Action.Input)...)
			add(actionPayload(c)...)
		}
	}
	return all
}

// defined reports whether the type stands in gql/*.graphql.
func (g *Schema) defined(name string) bool {
	for _, document := range g.hand {
		if document.Definitions.ForName(name) != nil {
			return true
		}
	}
	return false
}

// itemised reports whether anything is done to many rows, each for itself.
func (g *Schema) itemised() bool {
	for _, e := range g.model.Entities {
		for _, b := range e.Resource.Bulk {
			if b.Each {
				return true
			}
		}
	}
	return false
}

// itemTypes are those of what is wrong with one of many rows.
func itemTypes() ast.DefinitionList {
	text := func(name, description string) *ast.FieldDefinition {
		return &ast.FieldDefinition{Name: name, Description: description, Type: ast.NonNullNamedType("String", nil)}
	}
	return ast.DefinitionList{
		{Kind: ast.Object, Name: "ItemError", Description: "Why one of many items was refused.", Fields: ast.FieldList{
			text("code", "The error for the machine, as in the extensions of errors."), text("message", "The error for people."),
			{Name: "fields", Description: "Every failing input.", Type: ast.NonNullListType(ast.NonNullNamedType("FailingInput", nil), nil)},
		}},
		{Kind: ast.Object, Name: "FailingInput", Description: "An input that is refused.", Fields: ast.FieldList{
			text("field", "Its path in the arguments, such as input[1].email."), text("message", "The rule that it breaks, and what is allowed."),
			{Name: "value", Description: "The value that was sent, unless it is a secret.", Type: ast.NamedType("JSON", nil)},
		}},
	}
}

// itemType is one of many changes: the arguments of the mutation that changes one.
func itemType(c *model.Call) *ast.Definition {
	e := c.Entity
	def := &ast.Definition{Kind: ast.InputObject, Name: c.ItemInput(), Description: "One of many " + naming.Words(e.Path) + ", and what changes of it."}
	for _, a := range slices.Concat(ast.ArgumentDefinitionList{idArgument(e)}, inputArgument("Update", e), versionArgument(e)) {
		def.Fields = append(def.Fields, &ast.FieldDefinition{Name: a.Name, Description: a.Description, Type: a.Type})
	}
	return def
}

// resultType is the type of the result for one of many rows.
func resultType(e *model.Entity) *ast.Definition {
	what := naming.Words(e.Singular)
	return &ast.Definition{
		Kind: ast.Object, Name: e.Name + "Result", Description: "What became of one of many " + naming.Words(e.Path) + ". The results are in the order of the input.",
		Fields: ast.FieldList{
			{Name: "status", Description: "The status that a request for this " + what + " alone would have: 201 for one that was made, 200 for one that was changed, 204 for one that was deleted.", Type: ast.NonNullNamedType("Int", nil)},
			{Name: naming.Camel(e.Singular), Description: "The " + what + " that was made or changed, null for one that was not, or was deleted.", Type: ast.NamedType(e.Name, nil)},
			{Name: "error", Description: "What went wrong, null where nothing did.", Type: ast.NamedType("ItemError", nil)},
		},
	}
}

// markPayload is the payload of a mark.
func (g *Schema) markPayload(c *model.Call) *ast.Definition {
	m := c.Mark
	def := &ast.Definition{Kind: ast.Object, Name: m.Payload, Description: m.AnswerComment}
	if m.Said != "" {
		def.Fields = append(def.Fields, &ast.FieldDefinition{Name: naming.GraphQL(m.Said), Description: m.SaidComment, Type: ast.NonNullNamedType("Boolean", nil)})
	}
	if m.Undo == "" { // else the row may be none that is read any longer
		def.Fields = append(def.Fields, &ast.FieldDefinition{Name: m.Count.GraphQL[0], Description: comment(m.Count), Type: ast.NonNullNamedType("Int", nil)})
	}
	if m.URL {
		def.Fields = append(def.Fields, &ast.FieldDefinition{Name: "url", Description: "Where it can be read in REST.", Type: ast.NonNullNamedType("String", nil)})
	}
	def.Fields = append(def.Fields, &ast.FieldDefinition{
		Name: naming.Camel(c.Entity.Singular), Description: "The " + naming.Words(c.Entity.Singular) + ", null for one that the caller can't read any longer.",
		Type: ast.NamedType(c.Entity.Name, nil),
	})
	return def
}

// actionPayload is the payload of an action with an answer in the place of the row,
// or beside it.
func actionPayload(c *model.Call) ast.DefinitionList {
	answer := c.Action.Answer
	switch {
	case len(answer.Members) > 0:
		says := answer.Comment
		if says == "" {
			says = "What " + c.Mutation + " answers with."
		}
		return append(ast.DefinitionList{{Kind: ast.Object, Name: payload(c), Description: says, Fields: members(answer.Members)}}, memberTypes(answer.Members)...)
	case len(answer.Once) > 0:
		row := &ast.FieldDefinition{Name: naming.GraphQL(c.Entity.Singular), Description: "The " + naming.Words(c.Entity.Singular) + ".", Type: ast.NonNullNamedType(c.Entity.Name, nil)}
		return ast.DefinitionList{{
			Kind: ast.Object, Name: c.Entity.Name + "Payload", Description: "The " + naming.Words(c.Entity.Singular) + ", and what is shown this once.",
			Fields: append(ast.FieldList{row}, onceMembers(answer.Once)...),
		}}
	}
	return nil
}

// onceMembers are null in the answer to a repetition.
func onceMembers(all []expose.Member) ast.FieldList {
	fields := members(all)
	for _, f := range fields {
		f.Description += " Null for a repetition with the same key."
		f.Type.NonNull = false
	}
	return fields
}

func members(all []expose.Member) (fields ast.FieldList) {
	for _, m := range all {
		fields = append(fields, &ast.FieldDefinition{Name: naming.GraphQL(m.Name), Description: m.Comment, Type: memberType(m)})
	}
	return fields
}

// memberType is the type of a member of an answer.
func memberType(m expose.Member) *ast.Type {
	name := map[expose.Shape]string{
		expose.Text: "String", expose.Count: "Int", expose.Flag: "Boolean", expose.Amount: "Float", expose.Moments: "Time",
		expose.Texts: "String",
	}[m.Shape]
	switch {
	case m.Refers != "":
		name = "ID"
	case m.Enum != nil:
		name = m.Enum.Name
	case m.Object != nil:
		name = m.Object.Name
	}
	t := ast.NamedType(name, nil)
	if m.Shape == expose.Objects || m.Shape == expose.Texts {
		t = ast.ListType(ast.NonNullNamedType(name, nil), nil)
	}
	t.NonNull = !m.Nullable
	return t
}

// memberTypes are the types of the members of an answer.
func memberTypes(all []expose.Member) (types ast.DefinitionList) {
	for _, m := range all {
		switch {
		case m.Enum != nil:
			types = append(types, choices(m.Enum.Name, m.Enum.Comment, m.Enum.Choices))
		case m.Object != nil:
			types = append(types, &ast.Definition{Kind: ast.Object, Name: m.Object.Name, Description: m.Object.Comment, Fields: members(m.Object.Members)})
			types = append(types, memberTypes(m.Object.Members)...)
		}
	}
	return types
}

func choices(name, description string, all []expose.Choice) *ast.Definition {
	def := &ast.Definition{Kind: ast.Enum, Name: name, Description: description}
	for _, c := range all {
		def.EnumValues = append(def.EnumValues, &ast.EnumValueDefinition{Name: c.Value, Description: c.Comment})
	}
	return def
}

// inputObject is an input of the fields.
func (g *Schema) inputObject(name, description string, fields []*model.Field) *ast.Definition {
	def := &ast.Definition{Kind: ast.InputObject, Name: name, Description: description}
	for _, f := range fields {
		t := g.inputType(f)
		t.NonNull = f.RequiredOnCreate() && !f.NamedOrNull()
		def.Fields = append(def.Fields, &ast.FieldDefinition{Name: f.GraphQL[0], Description: comment(f), Type: t})
	}
	g.endFields(def, fields)
	return def
}

// fieldTypes are the enums and objects of inputs.
func (g *Schema) fieldTypes(fields []*model.Field) (all ast.DefinitionList) {
	for _, f := range fields {
		switch {
		case f.Enum != nil || f.Kind == "Enum":
			all = append(all, enumType(f))
		case f.Kind == "Objects":
			all = append(all, g.inputObject(f.Object.Name, f.Object.Comment, f.Members))
			all = append(all, g.fieldTypes(f.Members)...)
		}
	}
	return all
}

// enumType is the type of an enum in an input: the values of the field, or, of a
// list of texts, the choices.
func enumType(f *model.Field) *ast.Definition {
	name, description, all := enumName(f.Entity, f), comment(f), []expose.Choice(nil)
	if f.Enum != nil {
		name, description, all = f.Enum.Name, f.Enum.Comment, f.Enum.Choices
	}
	if f.Kind == "Enum" {
		said := all
		all = nil
		for _, value := range f.Type.EnumValues() {
			c := expose.Choice{Value: value}
			if i := slices.IndexFunc(said, func(c expose.Choice) bool { return c.Value == value }); i >= 0 {
				c = said[i]
			}
			all = append(all, c)
		}
	}
	return choices(name, description, all)
}
