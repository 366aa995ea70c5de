package openapi

import (
	"maps"
	"slices"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
)

// The answers of actions of a row, and of actions that become jobs.

// declaredSuccess are the answers to the operation where it succeeds.
func declaredSuccess(c *model.Call, components *node) *node {
	responses, schemas := obj(), components.at("schemas")
	switch {
	case c.Action != nil:
		addActionSuccess(c, responses, components)
	case c.Op == model.Restore:
		responses.set("200", rowResponse(c, "The "+naming.Words(c.Entity.Singular)+" with its present values.", rowExample(c, schemas)))
	case c.Op == model.UndoMark:
		responses.set("204", obj("description", "It is taken back, or was not there."))
	case c.Mark != nil:
		addMarkSuccess(c, responses)
	case c.Bulk.Each:
		example := obj("status", c.Done())
		if c.Op != model.DeleteMany {
			example.set("data", entityExample(c.Entity, schemas))
		}
		responses.set("207", success("What became of each "+naming.Words(c.Entity.Singular)+".", nil, ref("schemas", resultsName(c.Entity)),
			obj("status", "success", "results", arr(example))))
	default:
		responses.set("201", success("The "+naming.Words(c.Entity.Path)+", in the order of the request.", nil,
			ref("schemas", c.Entity.Plural()+"CreatedResponse"),
			obj("status", "success", "count", 1, "data", arr(entityExample(c.Entity, schemas)))))
	}
	return responses
}

func addActionSuccess(c *model.Call, responses, components *node) {
	a, schemas := c.Action, components.at("schemas")
	name := naming.Words(c.Entity.Singular)
	switch {
	case a.Answer.Nothing:
		done := "It is done."
		if a.Done != "" {
			done = "The " + name + " is " + a.Done + "."
		}
		responses.set("204", obj("description", done))
		return
	case a.Answer.Job != "":
		responses.set("202", ref("responses", "Accepted"))
		return
	case a.Reads():
		addReadSuccess(a, responses)
		return
	case len(a.Answer.Members) > 0:
		responses.set("200", success("The result.", nil, ref("schemas", answerName(a)), membersExample(a.Answer)))
		return
	case len(a.Answer.File) > 0:
		content := obj()
		for _, media := range a.Answer.File {
			content.set(media, obj("schema", obj("type", "string", "format", "binary")))
		}
		responses.set("200", obj("description", "The file.", "content", content))
		return
	}
	is := "The " + name + " with its present values."
	switch {
	case a.Done != "":
		is = "The " + name + ", " + a.Done + "."
	case a.Create():
		is = "The new " + name + "."
	}
	example := rowExample(c, schemas)
	if a.Create() {
		created := rowResponse(c, is, example)
		headersOf(created).set("Location", ref("headers", "Location"))
		responses.set("201", created)
	} else {
		responses.set("200", rowResponse(c, is, example))
	}
	if a.Answer.Found {
		responses.set("200", rowResponse(c, "The "+name+", which was there before.", example))
	}
	if a.Answer.Pending {
		responses.set("202", rowResponse(c, "The "+name+" with its present values: it is not decided yet, and `Retry-After` says when to read it again.", itemExample(entityExample(c.Entity, schemas))))
	}
}

// rowResponse answers with a row of the entity.
func rowResponse(c *model.Call, description string, example *node) *node {
	return success(description, obj("ETag", ref("headers", "ETag"), "Last-Modified", ref("headers", "LastModified")),
		ref("schemas", responseName(c.Entity)), example)
}

// rowExample is the row as the operation leaves it.
func rowExample(c *model.Call, schemas *node) *node {
	row := entityExample(c.Entity, schemas)
	a := c.Action
	if a == nil {
		return itemExample(row)
	}
	if !a.Create() && c.Entity.Versioned && row.get("version") != nil {
		row.set("version", 2)
	}
	for _, column := range slices.Sorted(maps.Keys(a.Set)) {
		f := c.Entity.Field(column)
		if f == nil || row.get(f.REST) == nil && !slices.ContainsFunc(row.members, func(m member) bool { return m.name == f.REST }) {
			continue
		}
		row.set(f.REST, setExample(a, a.Set[column]))
	}
	if f := c.Entity.Moving(); f != nil {
		if to := expose.After(f.Moves, a.Verb); len(to) > 0 {
			row.set(f.REST, to[len(to)-1])
			possible(c.Entity, f, to[len(to)-1], row)
		}
	}
	for _, m := range a.Answer.Once {
		row.set(m.Name, m.Example)
	}
	return itemExample(row)
}

// possible makes the example of a row's actions of those that its state admits.
func possible(e *model.Entity, state *model.Field, value string, row *node) {
	i := slices.IndexFunc(e.Derived, func(d expose.Derived) bool { return d.Name == "actions" })
	if i < 0 {
		return
	}
	actions := arr()
	for _, a := range e.Actions {
		if a.OfRow() && slices.Contains(expose.Before(state.Moves, a.Verb), value) {
			actions = append(actions, obj("name", a.Verb, "method", "POST", "href", expose.LinkBase+"/"+e.Path+"/1/"+a.Verb))
		}
	}
	row.set("actions", actions)
}

func setExample(a *model.Action, value any) any {
	v, ok := value.(expose.Value)
	switch {
	case !ok:
		return value
	case v == expose.Now, v == expose.FirstNow:
		return "2026-01-02T03:04:05.678901Z"
	case v == expose.ViewerID:
		return 1
	}
	for _, f := range a.Input {
		if f.Name == v.InputName() {
			return fieldExample(f)
		}
	}
	return nil
}

// acceptedResponse is the answer to what a job takes care of, and acceptedSchema
// its body.
func acceptedResponse(base string, jobs *model.Entity, message string) *node {
	path := base + "/" + jobs.Path + "/42"
	return obj(
		"description", "The job is accepted.",
		"headers", obj(
			"Location", obj("description", "Where the job can be read.", "required", true, "schema", obj("type", "string"), "example", path),
			"Retry-After", obj("description", "How many seconds to wait before reading it.", "required", true, "schema", obj("type", "integer"), "example", 1),
		),
		"content", obj("application/json", obj("schema", ref("schemas", "Accepted"),
			"example", obj("status", "success", "message", message, "jobId", 42, "statusUrl", path))),
	)
}

func acceptedSchema(jobs *model.Entity) *node {
	return obj(
		"type", "object",
		"description", "The state of a request that a job processes.",
		"required", arr("status", "message", "jobId", "statusUrl"),
		"properties", obj(
			"status", obj("type", "string", "const", "success"),
			"message", obj("type", "string", "description", "What happens now."),
			"jobId", identifies(obj("type", "integer", "format", "int64"), jobs.Name).set("description", "The id of the job."),
			"statusUrl", obj("type", "string", "format", "uri-reference", "description", "Where the job can be read."),
		),
	)
}
