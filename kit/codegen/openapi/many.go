package openapi

import (
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
)

// The answers of marks and of writes of many rows.

func addMarkSuccess(c *model.Call, responses *node) {
	name, m := naming.Words(c.Entity.Singular), c.Mark
	example := obj("status", "success")
	if m.Said != "" {
		example.set(m.Said, true)
	}
	example.set(m.Count.REST, 1)
	if m.URL {
		example.set("url", expose.LinkBase+"/"+c.Entity.Path+"/1")
	}
	answer := func(description string) *node { return success(description, nil, ref("schemas", m.Answer), example) }
	responses.set("201", answer("What the "+name+" has come to."))
	if !m.Again {
		responses.set("200", answer("The same, where it was done before."))
	}
}

func markSchema(m *model.Mark) *node {
	properties, required := obj("status", obj("type", "string", "const", "success")), arr("status")
	add := func(name string, schema *node) {
		properties.set(name, schema)
		required = append(required, name)
	}
	if m.Said != "" {
		add(m.Said, described(obj("type", "boolean"), m.SaidComment))
	}
	add(m.Count.REST, described(obj("type", "integer", "format", "int64"), m.Count.Type.Comment()))
	if m.URL {
		add("url", obj("type", "string", "format", "uri-reference", "description", "Where the "+naming.Words(m.Entity.Singular)+" can be read."))
	}
	return obj("type", "object", "description", m.AnswerComment, "required", required, "properties", properties)
}

func resultsName(e *model.Entity) string { return e.Name + "ResultsResponse" }

// itemName is the schema of one of many changes.
func itemName(e *model.Entity) string { return e.Name + "PatchItem" }

// itemSchema is one of many changes: the row's id, and what changes of it.
func itemSchema(e *model.Entity) *node {
	schema := updateBody(e.Call(expose.Patch), "Changes one of many "+naming.Words(e.Path)+" (JSON merge patch, RFC 7396): an absent field keeps its value, null clears it.")
	id := identifies(keySchema(e.Type.ID), e.Name)
	schema.at("properties").set("id", described(id, "Which "+naming.Words(e.Singular)+" it is."))
	return schema.set("required", arr("id"))
}

// resultsSchema says what became of each of many rows.
func resultsSchema(e *model.Entity) *node {
	name := naming.Words(e.Singular)
	return obj(
		"type", "object",
		"description", "What became of each of many "+naming.Words(e.Path)+".",
		"required", arr("status", "results"),
		"properties", obj(
			"status", obj("type", "string", "const", "success"),
			"results", obj("type", "array", "description", "The results, in the order of the request.", "items", obj(
				"type", "object",
				"required", arr("status"),
				"properties", obj(
					"status", obj("type", "integer", "description", "The status that a request for this "+name+" alone would have.", "example", 201),
					"data", ref("schemas", e.Name),
					"error", obj(
						"type", "object", "description", "What went wrong.", "required", arr("code", "message"),
						"properties", obj(
							"code", obj("type", "string", "description", "The error for the machine."),
							"message", obj("type", "string", "description", "The error for people."),
							"details", obj("type", "array", "description", "Every failing input.", "items", ref("schemas", "ErrorDetail")),
						),
					),
				),
			)),
		),
	)
}

func createdSchema(e *model.Entity) *node {
	name := naming.Words(e.Path)
	return obj(
		"type", "object",
		"description", strings.ToUpper(name[:1])+name[1:]+" that were made.",
		"required", arr("status", "count", "data"),
		"properties", obj(
			"status", obj("type", "string", "const", "success"),
			"count", obj("type", "integer", "description", "How many were made."),
			"data", obj("type", "array", "items", ref("schemas", e.Name)),
		),
	)
}
