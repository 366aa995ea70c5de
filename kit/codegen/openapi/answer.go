package openapi

import (
	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
)

// The answers of actions in the place of a row, and of reads.

// readParameters are the query of a read: its input.
func readParameters(c *model.Call) (list []any) {
	for _, f := range named(c.Action.Input) {
		schema := inputValue(c.Action.Type(), f, obj())
		if value := defaultValue(f); value != nil {
			schema.set("default", value)
		}
		p := ended(query(f.REST, schema, f.Type.Comment()+byEither(f, f.RequiredOnCreate())), c.Action.Type()+"."+f.REST, f.Ending)
		if f.RequiredOnCreate() && !renamed(f) {
			p.set("required", true)
		}
		if f.Example != nil {
			p.set("example", f.Example)
		}
		list = append(list, p)
	}
	return list
}

// addReadSuccess adds the answer of a read, which has a validator.
func addReadSuccess(a *model.Action, responses *node) {
	says := a.Answer.Comment
	if says == "" {
		says = "The result."
	}
	ok := success(says, obj("ETag", ref("headers", "ETag")), ref("schemas", answerName(a)), membersExample(a.Answer))
	ok.at("content", "application/json").set(rawResponse, true)
	responses.set("200", ok)
	responses.set("304", ref("responses", "NotModified"))
}

// answerName is the schema of the members that an action answers with.
func answerName(a *model.Action) string {
	switch {
	case a.Names.Answer != "":
		return a.Names.Answer
	case a.Answer.Object != "":
		return a.Answer.Object + "Response"
	}
	return a.Type() + "Response"
}

// membersExample is an example of the answer: in data, where it is an object.
func membersExample(a expose.Answer) *node {
	example := obj("status", "success")
	if a.Object != "" {
		data, err := parseYAML([]byte(a.Example)) // which JSON is, and which keeps the order
		if err != nil {
			panic(err) // it was written as JSON
		}
		return example.set("data", data)
	}
	for _, m := range a.Members {
		example.set(m.Name, m.Example)
	}
	return example
}

func membersSchema(c *model.Call, schemas *node) *node {
	a := c.Action.Answer
	status := obj("type", "string", "const", "success")
	o := membersObject("", a.Members, schemas)
	if a.Object != "" {
		return obj("type", "object", "required", arr("status", "data"), "properties", obj("status", status, "data", o))
	}
	properties := obj("status", status)
	for _, m := range o.at("properties").members {
		properties.set(m.name, m.value)
	}
	return obj("type", "object", "description", "What "+naming.Words(c.ID)+" answers with.",
		"required", append(arr("status"), o.get("required").([]any)...), "properties", properties)
}

// membersObject is the schema of an object of the members.
func membersObject(description string, members []expose.Member, schemas *node) *node {
	properties, required := obj(), []any{}
	for _, m := range members {
		properties.set(m.Name, memberSchema(m, schemas))
		required = append(required, m.Name)
	}
	return described(obj("type", "object"), description).set("required", required).set("properties", properties)
}

func enumValues(e *expose.EnumType) (values []any) {
	for _, c := range e.Choices {
		values = append(values, c.Value)
	}
	return values
}

// memberSchema is the schema of a member. An object becomes a schema of its own.
func memberSchema(m expose.Member, schemas *node) *node {
	o := shapeSchema(m.Shape)
	switch m.Shape {
	case expose.Moments:
		o.set("format", "date-time")
	case expose.Values:
		o.set("enum", enumValues(m.Enum))
	case expose.Texts:
		items := obj("type", "string")
		if m.Enum != nil {
			items.set("enum", enumValues(m.Enum))
		}
		o.set("items", items)
	case expose.Objects, expose.One:
		if m.Object == nil {
			break
		}
		if schemas.get(m.Object.Name) == nil {
			schemas.set(m.Object.Name, membersObject(m.Object.Comment, m.Object.Members, schemas))
		}
		if m.Shape == expose.One {
			o = ref("schemas", m.Object.Name)
		} else {
			o.set("items", ref("schemas", m.Object.Name))
		}
	}
	if m.Format != "" {
		o.set("format", m.Format)
	}
	described(nullable(o, m.Nullable), m.Comment)
	if m.Example != nil {
		o.set("example", m.Example)
	}
	return o
}
