package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/viewer"
)

// The schemas of an entity, by the names that operations refer to them.
func (e *Entity) responseSchema() string { return e.Name + "Response" }
func (e *Entity) listSchema() string     { return e.Name + "ListResponse" }
func (e *Entity) deletedSchema() string  { return e.Name + "DeletedResponse" }

// bodySchema is the schema of a call's body.
func (c *Call) bodySchema() string {
	switch {
	case c.Op == expose.Create && c.Nested():
		return c.Entity.Name + "Of" + c.Parent.Name + "Create"
	case c.Op == expose.Create, c.Op == expose.Replace, c.Op == expose.Patch:
		return c.Entity.Name + pascal(string(c.Op))
	}
	return ""
}

// addSchemas adds what the entity's operations send and take.
func (e *Entity) addSchemas(schemas *node, calls []*Call) {
	for _, f := range e.Fields {
		if f.Kind == "Enum" && !f.Type.Nillable {
			schemas.set(f.enumSchema(), described(obj("type", "string", "enum", values(f.Type.EnumValues())), f.Type.Comment()))
		}
	}
	schemas.set(e.Name, e.representation())
	schemas.set(e.responseSchema(), envelope("One "+words(e.Singular)+".", ref("schemas", e.Name)))
	list := envelope("A page of "+words(e.Path)+".", obj("type", "array", "items", ref("schemas", e.Name)))
	list.at("properties").set("pagination", ref("schemas", "Pagination")).set("links", ref("schemas", "Links"))
	list.set("required", arr("status", "data", "pagination", "links"))
	schemas.set(e.listSchema(), list)
	if e.Has(expose.Delete) {
		deleted := envelope("A "+words(e.Singular)+" that is deleted.", ref("schemas", e.Name))
		deleted.at("properties").set("message", obj("type", "string"))
		schemas.set(e.deletedSchema(), deleted)
	}
	for _, c := range calls {
		if name := c.bodySchema(); name != "" && schemas.get(name) == nil {
			schemas.set(name, c.body())
		}
	}
}

func envelope(description string, data *node) *node {
	return obj(
		"type", "object",
		"description", description,
		"required", arr("status", "data"),
		"properties", obj("status", obj("type", "string", "const", "success"), "data", data),
	)
}

// representation is the entity as reads show it. No member is required: the
// caller may ask for some (fields), and may not be allowed to see all.
func (e *Entity) representation() *node {
	properties := obj()
	for _, f := range e.Fields {
		if f.Secret {
			continue
		}
		properties.set(f.REST, described(nullable(f.value(), f.Type.Nillable), f.Type.Comment()+f.shownTo()))
	}
	for _, d := range e.Derived {
		properties.set(d.Name, derivedSchema(d))
	}
	for _, edge := range e.Edges {
		properties.set(edge.Name, edge.representation())
	}
	return obj("type", "object", "description", e.Comment, "properties", properties)
}

func (g *Edge) representation() *node {
	note := " Only with `expand=" + g.Name + "`."
	if !g.Type.Unique {
		return described(obj("type", "array", "items", ref("schemas", g.To.Name)), g.Type.Comment()+note)
	}
	if g.Type.OwnFK() && !g.Type.Optional {
		return described(obj("$ref", "#/components/schemas/"+g.To.Name), g.Type.Comment()+note)
	}
	return described(obj("oneOf", arr(ref("schemas", g.To.Name), obj("type", "null"))), g.Type.Comment()+note)
}

// body is the schema of the call's body.
func (c *Call) body() *node {
	switch c.Op {
	case expose.Create:
		return c.createBody()
	case expose.Replace:
		return c.updateBody("Replaces " + an(c.Entity.Singular) + ". An absent optional field returns to its default.")
	default:
		return c.updateBody("Changes " + an(c.Entity.Singular) + " (JSON merge patch, RFC 7396): an absent field keeps its value, null clears it.")
	}
}

func (c *Call) createBody() *node {
	properties, required := obj(), []any{}
	for _, f := range c.Entity.Fields {
		if !f.OnCreate() {
			continue
		}
		fromPath := c.ParentKey() != nil && f.Type.Name == c.ParentKey().Name
		note := f.setBy()
		if fromPath {
			note = " Taken from the path: another value is refused."
		}
		schema := nullable(f.value(), f.Type.Nillable)
		if value := f.defaultValue(); value != nil {
			schema.set("default", value)
		}
		properties.set(f.REST, described(schema, f.Type.Comment()+note))
		if f.RequiredOnCreate() && !fromPath {
			required = append(required, f.REST)
		}
	}
	return inputObject("Creates "+an(c.Entity.Singular)+".", properties, required)
}

// updateBody takes the fields that can be set, and the others with the value
// that they have: so that what was read can be sent back.
func (c *Call) updateBody(description string) *node {
	properties, required := obj(), []any{}
	for _, f := range c.Entity.Fields {
		if f.Secret && !f.OnUpdate() {
			continue
		}
		schema, note := nullable(f.value(), f.Type.Nillable), f.setBy()
		switch {
		case !f.OnUpdate():
			note = " Cannot be changed: it may be sent back with its current value."
			schema.set("readOnly", true)
		case c.Op == expose.Replace && f.Kept:
			note += " PUT does not change it: it may be sent back with its current value."
		case c.Op == expose.Replace && f.defaultValue() != nil && len(f.Writable) == 0:
			schema.set("default", f.defaultValue())
		}
		properties.set(f.REST, described(schema, f.Type.Comment()+note))
		if c.Op == expose.Replace && f.RequiredOnReplace() {
			required = append(required, f.REST)
		}
	}
	return inputObject(description, properties, required)
}

func inputObject(description string, properties *node, required []any) *node {
	o := obj("type", "object", "description", description, "additionalProperties", false)
	if len(required) > 0 {
		o.set("required", required)
	}
	return o.set("properties", properties)
}

// value is the schema of the field's values, without null.
func (f *Field) value() *node {
	o := f.kindSchema()
	bounded := o
	if f.Strings() {
		bounded = o.at("items") // bounds of a text are those of each item
	}
	for _, bound := range []struct {
		name  string
		value any
		set   bool
	}{
		{"minLength", deref(f.MinLength), f.MinLength != nil},
		{"maxLength", deref(f.MaxLength), f.MaxLength != nil},
		{"minimum", f.shownBound(f.Minimum), f.Minimum != nil},
		{"maximum", f.shownBound(f.Maximum), f.Maximum != nil && f.Kind != "Money"},
		{"pattern", f.Pattern, f.Pattern != ""},
		{"$comment", f.Says, f.Says != ""},
		{"format", f.Format, f.Format != ""},
	} {
		if bound.set {
			bounded.set(bound.name, bound.value)
		}
	}
	if f.MaxItems != nil {
		o.set("maxItems", *f.MaxItems).set("uniqueItems", true)
	}
	if f.Secret {
		o.set("format", "password").set("writeOnly", true)
	}
	return o
}

// shownBound is a bound as the document can state it: one of an amount is in
// minor units, and what these are worth depends on the currency. Only their
// sign is sure.
func (f *Field) shownBound(bound *float64) any {
	if bound != nil && f.Kind == "Money" {
		return min(*bound, 0)
	}
	return deref(bound)
}

func (f *Field) kindSchema() *node {
	switch f.Kind {
	case "ID", "Ref":
		return obj("type", "integer", "format", "int64", "minimum", 1)
	case "Int":
		return obj("type", "integer", "format", "int64")
	case "Float":
		return obj("type", "number", "format", "double")
	case "Money":
		return obj("type", "number")
	case "Bool":
		return obj("type", "boolean")
	case "Time":
		return obj("type", "string", "format", "date-time", "x-ogen-time-format", timeFormat)
	case "Enum":
		if !f.Type.Nillable {
			return ref("schemas", f.enumSchema())
		}
		return obj("type", "string", "enum", values(f.Type.EnumValues()))
	case "String":
		return obj("type", "string")
	}
	if f.Strings() {
		return obj("type", "array", "items", obj("type", "string"))
	}
	return obj()
}

// enumSchema is the name of the schema of the field's values.
func (f *Field) enumSchema() string { return f.Entity.Name + pascal(f.Name) }

// timeFormat keeps the fractions of a second, which ogen drops otherwise.
const timeFormat = "2006-01-02T15:04:05.999999999Z07:00"

// defaultValue is the constant that an absent field gets, or nil.
func (f *Field) defaultValue() any {
	if !f.Type.Default || f.Type.DefaultFunc() || f.Kind == "Money" || f.Kind == "Time" {
		return nil
	}
	return f.Type.DefaultValue()
}

// nullable adds null to the type.
func nullable(o *node, yes bool) *node {
	if typ := o.text("type"); yes && typ != "" {
		o.set("type", arr(typ, "null"))
	}
	if list, ok := o.get("enum").([]any); ok && yes {
		o.set("enum", append(list, nil))
	}
	return o
}

func described(o *node, description string) *node {
	if description = strings.TrimSpace(description); description != "" {
		o.set("description", description)
	}
	return o
}

func (f *Field) shownTo() string {
	switch {
	case len(f.Visible) > 0:
		return " Shown only to " + roleNames(f.Visible) + "."
	case f.Known:
		return " Not shown to anonymous callers."
	}
	return ""
}

func (f *Field) setBy() string {
	switch {
	case f.Caller && len(f.OnBehalf) > 0:
		return " The caller; " + roleNames(f.OnBehalf) + " may name another."
	case f.Caller:
		return " The caller."
	case len(f.Writable) > 0:
		return " Set only by " + roleNames(f.Writable) + "."
	}
	return ""
}

func roleNames(roles []viewer.Role) string {
	names := make([]string, len(roles))
	for i, r := range roles {
		names[i] = words(plainPlural(string(r)))
	}
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

func plainPlural(noun string) string { return noun + "s" }

func values[T any](list []T) []any {
	a := make([]any, len(list))
	for i, v := range list {
		a[i] = v
	}
	return a
}

func deref[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}

// example is a value of the field.
func (f *Field) example() any {
	if f.Example != nil {
		return f.Example
	}
	switch f.Kind {
	case "ID", "Ref":
		return 1
	case "Int", "Float":
		if f.Minimum != nil {
			return *f.Minimum
		}
		return 1
	case "Money":
		return 19.99
	case "Bool":
		return f.defaultValue() == true
	case "Time":
		if f.Type.Nillable {
			return nil
		}
		return "2026-01-02T03:04:05.678901Z"
	case "Enum":
		if value := f.defaultValue(); value != nil {
			return value
		}
		return f.Type.EnumValues()[0]
	case "String":
		return f.textExample()
	}
	if f.Strings() {
		return arr("one", "two")
	}
	return obj()
}

func (f *Field) textExample() string {
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
func (e *Entity) exampleOf(schema *node, only func(*Field) bool) *node {
	example := obj()
	for _, f := range e.Fields {
		if schema.at("properties").get(f.REST) != nil && only(f) {
			example.set(f.REST, f.example())
		}
	}
	return example
}

// bodyExample is an example of the call's body.
func (c *Call) bodyExample(schema *node) *node {
	switch c.Op {
	case expose.Create:
		return c.Entity.exampleOf(schema, func(f *Field) bool {
			return f.RequiredOnCreate() && slices.Contains(required(schema), any(f.REST))
		})
	case expose.Replace:
		return c.Entity.exampleOf(schema, (*Field).RequiredOnReplace)
	}
	for _, f := range c.Entity.Fields {
		if f.OnUpdate() {
			return obj(f.REST, f.example())
		}
	}
	return obj()
}

func required(schema *node) []any {
	list, _ := schema.get("required").([]any)
	return list
}

// example is an example of the entity as everyone who is known reads it.
func (e *Entity) example(schemas *node) *node {
	example := e.exampleOf(schemas.at(e.Name), func(f *Field) bool { return len(f.Visible) == 0 })
	for _, d := range e.Derived {
		if !d.OnRequest {
			example.set(d.Name, d.Example)
		}
	}
	return example
}

func itemExample(data any) *node { return obj("status", "success", "data", data) }

func (e *Entity) listExample(schemas *node) *node {
	self := fmt.Sprintf("/api/v1/%s?page=1", e.Path)
	return itemExample(arr(e.example(schemas))).
		set("pagination", obj("page", 1, "limit", e.PageSize(), "total", 1, "total_pages", 1, "has_next", false, "has_prev", false)).
		set("links", obj("self", self, "first", self, "last", self))
}
