package openapi

import (
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/model"
)

// serverDocument is what the server is made from. It has no reads of entities,
// which package declared answers. Of operations with a generated handler it
// holds the path and the types of the body: their query parameters are parsed,
// and their answers written, by package door; the bounds of values are the
// schema's validators, which say more. All errors take one way, so none are mentioned. An operation by hand with a raw
// response has typed parameters, and writes its answer itself.
func (r *contract) serverDocument() *node {
	d := clone(r.document)
	schemas := d.at("components", "schemas")
	d.at("components", "responses").set("Answer", obj("description", "Written by the handler.",
		"content", obj("application/json", obj("schema", obj(), rawResponse, true))))
	eachOperation(d.at("paths"), func(_, _ string, op *node) {
		plainRequest(op)
		if answersEntity(op) {
			op.set("responses", obj("200", ref("responses", "Answer")))
			op.set("parameters", own(op.get("parameters")))
			return
		}
		if answersRaw(op) {
			op.set("responses", obj("200", ref("responses", "Answer")))
			return
		}
		op.set("responses", onlySuccess(op.at("responses")))
	})
	for _, c := range r.calls {
		if !c.Write() {
			dropOperation(d.at("paths"), c.Path, c.Method)
			continue
		}
		op := d.at("paths", c.Path, c.Method)
		op.set("parameters", inPath(op.get("parameters")))
		op.set("responses", obj("200", ref("responses", "Answer")))
		if name := bodyName(c); name != "" {
			schemas.set(c.InputType(), serverInput(c, schemas.at(name)))
			op.set("requestBody", obj("required", true, "content",
				obj("application/json", obj("schema", ref("schemas", c.InputType())))))
		}
	}
	dropHeads(d)
	walk(d, dropItemEnum)
	keepSecurity(d)
	prune(d)
	return d
}

// serverInput is the schema of the call's body for the server: every member may be
// absent, and values have types only. What is missing and which rule a value
// breaks is said by package body, for all fields at once.
func serverInput(c *model.Call, schema *node) *node {
	properties := obj()
	for _, f := range c.Entity.Fields {
		if schema.at("properties").get(f.REST) != nil {
			properties.set(f.REST, described(inputSchema(f), f.Type.Comment()))
		}
	}
	for _, m := range schema.at("properties").members {
		if asNode(m.value).get(added) == true {
			properties.set(m.name, m.value)
		}
	}
	return obj("type", "object", "description", schema.text("description"), "additionalProperties", false, "properties", properties)
}

func inputSchema(f *model.Field) *node {
	var o *node
	switch f.Kind {
	case "ID", "Ref":
		o = obj("type", "integer", "format", "int64")
	case "Int":
		o = obj("type", "integer")
		if f.Type.Type.Type == field.TypeInt64 {
			o.set("format", "int64")
		}
	case "Float":
		o = obj("type", "number", "format", "double")
	case "Bool":
		o = obj("type", "boolean")
	case "Time":
		o = obj("type", "string", "format", "date-time")
	case "Enum", "String", "UUID", "Bytes":
		o = obj("type", "string")
	default:
		if !f.Strings() {
			return obj() // raw JSON: amounts of money, and what has no schema
		}
		o = obj("type", "array", "items", obj("type", "string"))
	}
	return nullable(o, f.Nullable())
}
