package main

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/expose"
)

// derivedKind is the name of the reading.Kind of a derived field.
func derivedKind(d expose.Derived) string {
	switch {
	case len(d.Values) > 0:
		return "Enum"
	default:
		return map[expose.Shape]string{
			expose.Text: "String", expose.Count: "Int", expose.Flag: "Bool", expose.Amount: "Money", expose.Objects: "Objects",
		}[d.Shape]
	}
}

// derivedName is the name of a derived field in GraphQL.
func derivedName(d expose.Derived) string {
	if d.GraphQL != "" {
		return d.GraphQL
	}
	return camel(d.Name)
}

// derivedSchema is the schema of the field's values in REST.
func derivedSchema(d expose.Derived) *node {
	o := shapeSchema(d.Shape)
	switch {
	case len(d.Values) > 0:
		o.set("enum", values(d.Values))
	case d.Shape == expose.Objects:
		properties, required := obj(), []any{}
		for _, m := range d.Members {
			properties.set(m.Name, described(shapeSchema(m.Shape), m.Comment))
			required = append(required, m.Name)
		}
		o.set("items", obj("type", "object", "required", required, "properties", properties))
	}
	note := ""
	if d.OnRequest {
		note = " Only where `fields` asks for it."
		o.set("examples", arr(d.Example))
	}
	return described(nullable(o, d.Nullable), d.Comment+note)
}

// renderings are the packages that make what is shown of texts.
func (e *Entity) renderings() []string {
	var names []string
	for _, d := range e.Derived {
		if d.Render != "" && !slices.Contains(names, string(d.Render)) {
			names = append(names, string(d.Render))
		}
	}
	return names
}

func shapeSchema(s expose.Shape) *node {
	switch s {
	case expose.Count:
		return obj("type", "integer", "format", "int64")
	case expose.Flag:
		return obj("type", "boolean")
	case expose.Amount:
		return obj("type", "number")
	case expose.Objects:
		return obj("type", "array")
	}
	return obj("type", "string")
}

// derivedFields are the entity's derived fields in GraphQL, and the types of
// their values.
func (e *Entity) derivedFields() (fields ast.FieldList, types ast.DefinitionList) {
	for _, d := range e.Derived {
		name := map[expose.Shape]string{
			expose.Text: "String", expose.Count: "Int", expose.Flag: "Boolean", expose.Amount: "Float", expose.Objects: d.Object,
		}[d.Shape]
		if len(d.Values) > 0 {
			name = e.Name + pascal(d.Name)
			enum := &ast.Definition{Kind: ast.Enum, Name: name, Description: d.Comment}
			for _, value := range d.Values {
				enum.EnumValues = append(enum.EnumValues, &ast.EnumValueDefinition{Name: value})
			}
			types = append(types, enum)
		}
		t := ast.NamedType(name, nil)
		if d.Shape == expose.Objects {
			t = ast.ListType(ast.NonNullNamedType(name, nil), nil)
			types = append(types, e.objectType(d))
		}
		t.NonNull = !d.Nullable
		fields = append(fields, &ast.FieldDefinition{Name: derivedName(d), Description: d.Comment, Type: t})
	}
	return fields, types
}

// objectType is the type of the objects of a list.
func (e *Entity) objectType(d expose.Derived) *ast.Definition {
	def := &ast.Definition{Kind: ast.Object, Name: d.Object, Description: "One of the " + strings.ReplaceAll(d.Name, "_", " ") + " of " + e.One() + "."}
	for _, m := range d.Members {
		name := map[expose.Shape]string{expose.Text: "String", expose.Count: "Int", expose.Amount: "Float"}[m.Shape]
		def.Fields = append(def.Fields, &ast.FieldDefinition{Name: camel(m.Name), Description: m.Comment, Type: ast.NonNullNamedType(name, nil)})
	}
	return def
}

// derived checks what expose.Resource says of derived fields.
func (c checker) derived() {
	for i, d := range c.Derived {
		known := func(name string) bool {
			return c.Field(name) != nil || slices.ContainsFunc(c.Derived, func(o expose.Derived) bool { return o.Name == name })
		}
		amounts := d.Shape == expose.Amount || slices.ContainsFunc(d.Members, func(m expose.Member) bool { return m.Shape == expose.Amount })
		switch {
		case derivedKind(d) == "":
			c.wrong("", "derived %q: shape %q: text, count, flag, amount and objects are allowed", d.Name, d.Shape)
		case d.Render != "" && (d.Render != expose.Markdown || d.Shape != expose.Text):
			c.wrong("", "derived %q: render %q: markdown of a text is allowed", d.Name, d.Render)
		case d.Comment == "" || d.Example == nil && !d.Nullable:
			c.wrong("", "derived %q needs a Comment and an Example", d.Name)
		case !strings.Contains(d.SQL, "{row}"):
			c.wrong("", "derived %q: its SQL does not speak of {row}", d.Name)
		case amounts && !known(d.Currency):
			c.wrong("", "derived %q: currency %q: the name of a shown field is allowed", d.Name, d.Currency)
		case c.Field(d.Name) != nil || slices.ContainsFunc(c.Derived[:i], func(o expose.Derived) bool { return o.Name == d.Name }):
			c.wrong("", "derived %q: a field is called so", d.Name)
		}
	}
}
