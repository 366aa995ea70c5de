package openapi

import (
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gen/openapi"
	"github.com/entwine-go/entwine/kit/viewer"
)

// The schemas of an entity, by the names that operations refer to them.
func responseName(e *model.Entity) string { return e.Name + "Response" }
func listName(e *model.Entity) string     { return e.Name + "ListResponse" }
func deletedName(e *model.Entity) string  { return e.Name + "DeletedResponse" }

// addSchemas adds what the entity's operations send and take.
func addSchemas(e *model.Entity, schemas *node, calls []*model.Call) {
	for _, f := range e.Fields {
		if f.Kind == "Enum" && !f.Type.Nillable {
			schemas.set(enumName(f), described(obj("type", "string", "enum", values(f.Type.EnumValues())), f.Type.Comment()))
		}
	}
	schemas.set(e.Name, entitySchema(e))
	schemas.set(responseName(e), envelope("One "+naming.Words(e.Singular)+".", ref("schemas", e.Name)))
	list := envelope("A page of "+naming.Words(e.Path)+".", obj("type", "array", "items", ref("schemas", e.Name)))
	list.at("properties").set("pagination", ref("schemas", "Pagination")).set("links", ref("schemas", "Links"))
	list.set("required", arr("status", "data", "pagination", "links"))
	schemas.set(listName(e), list)
	if e.Has(expose.Delete) {
		deleted := envelope("A "+naming.Words(e.Singular)+" that is deleted.", ref("schemas", e.Name))
		deleted.at("properties").set("message", obj("type", "string"))
		schemas.set(deletedName(e), deleted)
	}
	for _, c := range calls {
		if name := bodyName(c); name != "" && schemas.get(name) == nil {
			schemas.set(name, bodySchema(c))
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

// entitySchema is the entity as reads show it. No member is required: the
// caller may ask for some (fields), and may not be allowed to see all.
func entitySchema(e *model.Entity) *node {
	properties := obj()
	for _, f := range e.Named() {
		if f.Secret {
			continue
		}
		properties.set(f.REST, fieldEnded(described(nullable(valueSchema(f), f.Nullable()), f.Type.Comment()+shownTo(f)), f))
	}
	for _, d := range e.Derived {
		properties.set(d.Name, derivedSchema(d))
	}
	for _, c := range e.Calcs {
		properties.set(c.Name, calcSchema(c))
	}
	for _, edge := range e.NamedEdges() {
		properties.set(edge.Name, edgeEnded(edgeSchema(edge), edge))
	}
	if slices.ContainsFunc(e.Edges, func(g *model.Edge) bool { return !g.Type.Unique }) {
		properties.set("more", ref("schemas", "CutLists"))
	}
	return identifies(obj("type", "object", "description", e.Comment, "properties", properties), e.Name)
}

func edgeSchema(g *model.Edge) *node {
	note := " Only with `expand=" + g.Name + "`."
	if !g.Type.Unique {
		return described(obj("type", "array", "items", ref("schemas", g.To.Name)), g.Comment+note)
	}
	if g.Type.OwnFK() && !g.Type.Optional {
		return described(obj("$ref", "#/components/schemas/"+g.To.Name), g.Comment+note)
	}
	return described(obj("oneOf", arr(ref("schemas", g.To.Name), obj("type", "null"))), g.Comment+note)
}

// valueSchema is the schema of the field's values, without null.
func valueSchema(f *model.Field) *node {
	o := names(kindSchema(f), f)
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
		{"minimum", shownBound(f, f.Minimum), f.Minimum != nil},
		{"maximum", shownBound(f, f.Maximum), f.Maximum != nil && f.Kind != "Money"},
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

// identifies says whose ids a schema is of, or whose fields an object or a
// parameter has, by which versions of the API write them as they do (package
// convention).
func identifies(schema *node, entity string) *node { return schema.set(openapi.Entity, entity) }

// names says whose ids the schema is of, where the field's values are ids.
func names(schema *node, f *model.Field) *node {
	switch f.Kind {
	case "ID":
		return identifies(schema, f.Entity.Name)
	case "Ref":
		return identifies(schema, f.Ref)
	}
	return schema
}

// shownBound is a bound as the document can state it: one of an amount is in
// minor units, and what these are worth depends on the currency. Only their
// sign is sure.
func shownBound(f *model.Field, bound *float64) any {
	if bound != nil && f.Kind == "Money" {
		return min(*bound, 0)
	}
	return deref(bound)
}

func kindSchema(f *model.Field) *node {
	switch f.Kind {
	case "ID", "Ref":
		return keySchema(f.Type)
	case "Time":
		return obj("type", "string", "format", "date-time", "x-ogen-time-format", timeFormat)
	case "Enum":
		if !f.Type.Nillable {
			return ref("schemas", enumName(f))
		}
		return obj("type", "string", "enum", values(f.Type.EnumValues()))
	case "Bytes":
		return obj("type", "string", "contentEncoding", "base64", "maxLength", (f.Size()+2)/3*4)
	}
	if f.Strings() {
		return obj("type", "array", "items", obj("type", "string"))
	}
	schema := obj()
	if form := entity.Named(f.Kind); form.Type != "" {
		if schema.set("type", form.Type); form.Format != "" {
			schema.set("format", form.Format)
		}
	}
	return schema
}

// enumName is the name of the schema of the field's values.
func enumName(f *model.Field) string {
	if f.Now != nil {
		f = f.Now
	}
	return f.Entity.Name + naming.Pascal(f.Name)
}

// timeFormat keeps the fractions of a second, which ogen drops otherwise.
const timeFormat = "2006-01-02T15:04:05.999999999Z07:00"

// defaultValue is the constant that an absent field gets, or nil.
func defaultValue(f *model.Field) any {
	if !f.Type.Default || f.Type.DefaultFunc() || f.Kind == "Money" || f.Kind == "Time" || f.Kind == "JSON" {
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

func shownTo(f *model.Field) string {
	switch {
	case len(f.Visible) > 0:
		return " Shown only to " + roleNames(f.Visible) + "."
	case f.Known:
		return " Not shown to callers who may not see all of the row, such as anonymous ones."
	}
	return ""
}

func setBy(f *model.Field) string {
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
		names[i] = naming.Words(plainPlural(string(r)))
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
