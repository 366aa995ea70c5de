package openapi

import (
	"reflect"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
)

// fieldExample is a value of the field.
func fieldExample(f *model.Field) any {
	if f.Example != nil {
		return f.Example
	}
	switch f.Kind {
	case "ID", "Ref":
		if example := entity.Named(f.EntityKind()).Example; example != nil {
			return example
		}
		return 1
	case "Int", "Float":
		if f.Minimum != nil {
			return *f.Minimum
		}
		return 1
	case "Bool":
		return defaultValue(f) == true
	case "Time":
		if f.Type.Nillable {
			return nil
		}
		return "2026-01-02T03:04:05.678901Z"
	case "Enum":
		if value := defaultValue(f); value != nil {
			return value
		}
		return f.Type.EnumValues()[0]
	case "String":
		return textExample(f)
	case "JSON":
		if t := f.Type.Type.RType; t != nil && t.Kind == reflect.Slice && t.Ident != "json.RawMessage" {
			return arr()
		}
	}
	if f.Strings() {
		return arr("one", "two")
	}
	if example := entity.Named(f.Kind).Example; example != nil {
		return example
	}
	return obj()
}

func textExample(f *model.Field) string {
	text := "text"
	if f.Format == "email" {
		return "ada@example.com"
	}
	if f.MinLength != nil && len(text) < *f.MinLength {
		text += strings.Repeat(".", *f.MinLength-len(text))
	}
	if f.MaxLength != nil && len(text) > *f.MaxLength {
		text = text[:*f.MaxLength]
	}
	return text
}

// exampleOf is an example of the schema's object: the entity's fields that
// are among its properties.
func exampleOf(e *model.Entity, schema *node, only func(*model.Field) bool) *node {
	example := obj()
	for _, f := range e.Fields {
		if schema.at("properties").get(f.REST) != nil && only(f) {
			example.set(f.REST, fieldExample(f))
		}
	}
	return example
}

// bodyExample is an example of the call's body.
func bodyExample(c *model.Call, schema *node) *node {
	switch c.Op {
	case expose.Create:
		return exampleOf(c.Entity, schema, func(f *model.Field) bool {
			return f.RequiredOnCreate() && slices.Contains(required(schema), any(f.REST))
		})
	case expose.Replace:
		return exampleOf(c.Entity, schema, (*model.Field).RequiredOnReplace)
	}
	for _, f := range c.Entity.Fields {
		if f.OnUpdate() {
			return obj(f.REST, fieldExample(f))
		}
	}
	return obj()
}

func required(schema *node) []any {
	list, _ := schema.get("required").([]any)
	return list
}

// entityExample is an example of the entity as everyone who is known reads it.
func entityExample(e *model.Entity, schemas *node) *node {
	example := exampleOf(e, schemas.at(e.Name), func(f *model.Field) bool { return len(f.Visible) == 0 })
	for _, d := range e.Derived {
		if !d.OnRequest && !d.Single {
			example.set(d.Name, d.Example)
		}
	}
	return example
}

func itemExample(data any) *node { return obj("status", "success", "data", data) }

func listExample(e *model.Entity, schemas *node) *node {
	self := expose.LinkBase + "/" + e.Path + "?page=1"
	return itemExample(arr(entityExample(e, schemas))).
		set("pagination", obj("page", 1, "limit", e.PageSize(), "total", 1, "total_pages", 1, "has_next", false, "has_prev", false)).
		set("links", obj("self", self, "first", self, "last", self))
}
