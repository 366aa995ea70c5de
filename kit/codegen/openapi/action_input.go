package openapi

import (
	"reflect"
	"slices"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
)

// The input of actions: bodies and their members.

func idSchema() *node { return obj("type", "integer", "format", "int64", "minimum", 1) }

// keySchema is the schema of an id that the field holds.
func keySchema(f *gen.Field) *node {
	switch model.IDsOf(f) {
	case gid.Texts:
		longest := gid.LongestText
		if size := f.Column().Size; size > 0 && size < int64(longest) {
			longest = int(size)
		}
		return obj("type", "string", "minLength", 1, "maxLength", longest, "pattern", `^[^/\\,]+$`)
	case gid.UUIDs:
		return obj("type", "string", "format", "uuid")
	}
	return idSchema()
}

// declaredBody is the body of the operation, nil where it takes none.
func declaredBody(c *model.Call, schemas *node) *node {
	var schema, example *node
	required := true
	switch {
	case !c.Body():
		return nil
	case c.Action != nil:
		required = c.Action.InputRequired()
		schema, example = ref("schemas", c.Action.Type()), inputExample(c.Action.Input, required)
	case c.Op == model.DoMark:
		required = false
		by := names(keySchema(c.Mark.By.Type), c.Mark.By)
		described(by, "The user who does it: the caller without it. Only "+roleNames(c.Mark.By.OnBehalf)+" can name another.")
		schema, example = inputObject("", obj(c.Mark.By.REST, by), nil), obj()
		schema.drop("description")
	case c.NamesIDs():
		required = false // the ids may be in the query
		ids := obj("type", "array", "minItems", 1, "maxItems", c.Bulk.Maximum, "description", "The ids.", "items", identifies(keySchema(c.Entity.Type.ID), c.Entity.Name))
		schema, example = inputObject("", obj("ids", ids), arr("ids")), obj("ids", arr(1, 2))
		schema.drop("description")
	default:
		schema, example = manyBody(c, schemas)
	}
	return obj("required", required, "content", obj("application/json", obj("schema", schema, "example", example)))
}

// manyBody is the body with many rows to make or to change.
func manyBody(c *model.Call, schemas *node) (schema, example *node) {
	one, says := c.Entity.Name+"Create", "What the "+naming.Words(c.Bulk.Member)+" are created with."
	shown := bodyExample(c.Entity.Call(expose.Create), schemas.at(one))
	if c.Op == model.UpdateMany {
		one, says = itemName(c.Entity), "The ids of the "+naming.Words(c.Bulk.Member)+", and what changes of each."
		shown = bodyExample(c.Entity.Call(expose.Patch), schemas.at(one)).set("id", 1)
	}
	items := obj("type", "array", "minItems", 1, "maxItems", c.Bulk.Maximum, "description", says, "items", ref("schemas", one))
	schema = inputObject("", obj(c.Bulk.Member, items), arr(c.Bulk.Member))
	schema.drop("description")
	return schema, obj(c.Bulk.Member, arr(shown))
}

// actionBody is the schema of an action's input.
func actionBody(c *model.Call, schemas *node) *node {
	properties, required := inputProperties(c.Action.Type(), c.Action.Input, schemas)
	return inputObject(c.Action.Names.BodyComment, properties, required)
}

func inputProperties(of string, input []*model.Field, schemas *node) (properties *node, required []any) {
	properties = obj()
	for _, f := range named(input) {
		schema := inputValue(of, f, schemas)
		if value := defaultValue(f); value != nil {
			schema.set("default", value)
		}
		described(nullable(schema, (f.Type.Optional && !f.Type.Default || f.NamedOrNull()) && f.Object == nil), f.Type.Comment()+byEither(f, f.RequiredOnCreate()))
		if f.Example != nil && f.Object == nil {
			schema.set("example", f.Example)
		}
		properties.set(f.REST, ended(schema, of+"."+f.REST, f.Ending))
		if f.RequiredOnCreate() && !renamed(f) {
			required = append(required, f.REST)
		}
	}
	return properties, required
}

// named are the fields of an input by the names that REST has for them: behind
// those of now the old ones.
func named(input []*model.Field) []*model.Field {
	all := slices.Clone(input)
	for _, f := range input {
		if alias := f.Alias(); alias != nil && alias.REST != "" {
			all = append(all, alias)
		}
	}
	return all
}

// inputValue is the schema of a value in the input of an action. A list of
// objects becomes a schema of its own for its items.
func inputValue(of string, f *model.Field, schemas *node) *node {
	switch {
	case f.Object != nil:
		name := of + naming.Pascal(naming.Singular(f.Name))
		properties, required := inputProperties(name, f.Members, schemas)
		schemas.set(name, inputObject(f.Object.Comment, properties, required))
		return obj("type", "array", "minItems", f.Object.Minimum, "maxItems", f.Object.Maximum, "items", ref("schemas", name))
	case f.Kind == "Enum":
		return obj("type", "string", "enum", values(f.Type.EnumValues()))
	case f.Kind == "JSON" && f.Type.Type.RType != nil && f.Type.Type.RType.Kind == reflect.Map:
		return obj("type", "object", "additionalProperties", true)
	}
	schema := valueSchema(f)
	if f.Strings() && f.Enum != nil {
		var choices []any
		for _, choice := range f.Enum.Choices {
			choices = append(choices, choice.Value)
		}
		schema.set("items", obj("type", "string", "enum", choices))
		if f.RequiredOnCreate() {
			schema.set("minItems", 1)
		}
	}
	if schema.get("minLength") == 0 {
		schema.drop("minLength")
	}
	if f.Format == expose.EndFormat { // which says how a day is read
		schema.set("format", expose.MomentFormat)
	}
	if schema.text("format") == expose.MomentFormat {
		schema.drop("x-ogen-time-format") // it may be a day, so it is text in Go
	}
	return schema
}

func inputExample(input []*model.Field, required bool) *node {
	example := obj()
	for _, f := range input {
		switch {
		case required && !f.RequiredOnCreate() && f.Example == nil:
		case f.Object != nil:
			example.set(f.REST, arr(inputExample(f.Members, true)))
		case f.Example != nil || f.RequiredOnCreate():
			example.set(f.REST, fieldExample(f))
		}
	}
	return example
}
