package openapi

import (
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
)

// bodyName is the schema of a call's body.
func bodyName(c *model.Call) string {
	switch {
	case c.Op == expose.Create && c.Nested():
		return c.Entity.Name + "Of" + c.Parent.Name + "Create"
	case c.Op == expose.Create, c.Op == expose.Replace, c.Op == expose.Patch:
		return c.Entity.Name + naming.Pascal(string(c.Op))
	}
	return ""
}

// bodySchema is the schema of the call's body.
func bodySchema(c *model.Call) *node {
	switch c.Op {
	case expose.Create:
		return identifies(createBody(c), c.Entity.Name)
	case expose.Replace:
		return updateBody(c, "Replaces "+naming.An(c.Entity.Singular)+". An absent optional field returns to its default.")
	default:
		return updateBody(c, "Changes "+naming.An(c.Entity.Singular)+" (JSON merge patch, RFC 7396): an absent field keeps its value, null clears it.")
	}
}

func createBody(c *model.Call) *node {
	properties, required := obj(), []any{}
	for _, f := range c.Entity.Named() {
		if !f.OnCreate() {
			continue
		}
		fromPath := c.ParentKey() != nil && f.Type.Name == c.ParentKey().Name
		note := setBy(f) + byEither(f, f.RequiredOnCreate() && !fromPath)
		if fromPath {
			note = " Taken from the path: another value is refused."
		}
		schema := nullable(valueSchema(f), f.Nullable())
		if value := defaultValue(f); value != nil {
			schema.set("default", value)
		}
		properties.set(f.REST, valuesEnded(fieldEnded(described(schema, f.Type.Comment()+note), f), f))
		if f.RequiredOnCreate() && !fromPath && !renamed(f) {
			required = append(required, f.REST)
		}
	}
	for _, f := range c.Entity.Fields {
		if f.OnCreate() && (c.ParentKey() == nil || f.Type.Name != c.ParentKey().Name) {
			addKeyName(f, properties)
		}
		if f.OnCreate() && f.AlsoSent != "" {
			properties.set(f.AlsoSent, described(valueSchema(f), "The same as "+f.REST+".").set("example", fieldExample(f)))
		}
	}
	addExtra(c, properties)
	addEdgeIDs(c, properties)
	return inputObject("Creates "+naming.An(c.Entity.Singular)+".", properties, required)
}

// updateBody takes the fields that can be set, and the others with the value
// that they have: so that what was read can be sent back.
func updateBody(c *model.Call, description string) *node {
	properties, required := obj(), []any{}
	for _, f := range c.Entity.Named() {
		if f.Secret && !f.OnUpdate() {
			continue
		}
		schema, note := nullable(valueSchema(f), f.Nullable()), setBy(f)+byEither(f, c.Op == expose.Replace && f.RequiredOnReplace())
		switch {
		case !f.OnUpdate():
			note = " Cannot be changed: it may be sent back with its current value."
			schema.set("readOnly", true)
		case c.Op == expose.Replace && f.Kept:
			note += " PUT does not change it: it may be sent back with its current value."
		case c.Op == expose.Replace && defaultValue(f) != nil && len(f.Writable) == 0:
			schema.set("default", defaultValue(f))
		}
		properties.set(f.REST, valuesEnded(fieldEnded(described(schema, f.Type.Comment()+note), f), f))
		if c.Op == expose.Replace && f.RequiredOnReplace() && !renamed(f) {
			required = append(required, f.REST)
		}
	}
	for _, f := range c.Entity.Fields {
		if f.OnUpdate() {
			addKeyName(f, properties)
		}
	}
	addExtra(c, properties)
	addEdgeIDs(c, properties)
	return identifies(inputObject(description, properties, required), c.Entity.Name)
}

// renamed reports whether REST knows the field by two names: none of these is
// required then.
func renamed(f *model.Field) bool { return f.Now != nil || f.Old != nil && f.Old.REST != "" }

// byEither says that a required field can be named by either of its names.
func byEither(f *model.Field, required bool) string {
	if !required || f.Old == nil || f.Old.REST == "" {
		return ""
	}
	return " Required, by this name or by " + f.Old.REST + "."
}

// addKeyName adds the name by which a field refers to a row by its key.
func addKeyName(f *model.Field, properties *node) {
	for _, edge := range f.Entity.Edges {
		if edge.Type.Field() != f.Type || edge.To.KeyField == nil {
			continue
		}
		note := strings.TrimSuffix(edge.Comment, ".") + " by its " + edge.To.KeyField.REST + ", in place of " + f.REST + "."
		properties.set(edge.Name, described(nullable(obj("type", "string"), f.Nullable()), note).set("example", fieldExample(edge.To.KeyField)))
	}
}

// addExtra adds what can be named beside the entity's own fields.
func addExtra(c *model.Call, properties *node) {
	for _, f := range named(c.Entity.Extra[c.Op]) {
		schema := described(valueSchema(f), f.Type.Comment())
		if f.Example != nil {
			schema.set("example", f.Example)
		}
		properties.set(f.REST, fieldEnded(schema, f))
	}
}

func inputObject(description string, properties *node, required []any) *node {
	o := obj("type", "object", "description", description, "additionalProperties", false)
	if len(required) > 0 {
		o.set("required", required)
	}
	return o.set("properties", properties)
}
