package openapi

import (
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
)

// callOperation returns the document's operation for a generated call.
func callOperation(c *model.Call, components *node) *node {
	schemas, parameters := components.at("schemas"), components.at("parameters")
	op := obj(
		"operationId", c.ID,
		"tags", arr(c.Entity.Plural()),
		"summary", callSummary(c),
		"description", callDescription(c),
		"x-ogen-operation-group", c.Entity.Plural(),
		generated, true,
	)
	if followed(c) {
		op.set(liveList, true)
	}
	pathsEnded(ended(op, "", c.Ending()), c)
	if list := callParameters(c, parameters); len(list) > 0 {
		op.set("parameters", list)
	}
	if name := bodyName(c); name != "" {
		op.set("requestBody", requestBody(c, schemas.at(name)))
	}
	responses := obj()
	addSuccess(c, responses, schemas)
	for _, status := range statuses(c) {
		responses.set(strconv.Itoa(status), ref("responses", failureNames[status]))
	}
	return op.set("responses", responses)
}

// liveList marks the lists that clients follow (expose.Resource.Live).
const liveList = "x-entwine-live"

func followed(c *model.Call) bool { return c.Entity.Live && c.Op == expose.List && !c.Nested() }

// generated marks the operations that have a generated handler. It stays in
// the generator.
const generated = "x-entwine-generated"

func callSummary(c *model.Call) string {
	if u := c.Entity.Upsert; u != nil && c.Op == expose.Create && u.Summary != "" {
		return u.Summary
	}
	one := naming.An(c.Entity.Singular)
	if c.Single {
		one = naming.An(c.Parent.Singular) + "'s " + naming.Words(c.Entity.Singular)
	} else if c.Nested() && c.Op != expose.List {
		one += " of " + naming.An(c.Parent.Singular)
	}
	switch c.Op {
	case expose.List:
		if c.Nested() {
			return "List the " + naming.Words(c.Edge.Name) + " of " + naming.An(c.Parent.Singular)
		}
		return "List " + naming.Words(c.Entity.Path)
	case expose.Create:
		return "Create " + one
	case expose.Read:
		return "Read " + one
	case expose.Replace:
		return "Replace " + one
	case expose.Patch:
		return "Change " + one
	}
	return "Delete " + one
}

func callDescription(c *model.Call) string {
	e := c.Entity
	switch c.Op {
	case expose.List:
		if c.Nested() && c.Edge.Tree != nil {
			return c.Edge.Comment + " A page of those that the caller can read, reached over rows that the caller can read, with offset or cursor pagination. " +
				"Query parameters, fields and filters that are not listed here are refused with 400."
		}
		text := "A page of the " + naming.Words(e.Path) + " that the caller can read, with offset, cursor or keyset pagination. " +
			"Query parameters, fields and filters that are not listed here are refused with 400."
		if followed(c) {
			text += " With `Accept: text/event-stream` the first page is followed: what becomes of it comes as events."
		}
		return text
	case expose.Create:
		if e.Upsert != nil {
			return paragraphs(e.Upsert.Comment, e.Upsert.Detail)
		}
		return e.Comment + " Answers with the new " + naming.Words(e.Singular) + " and, in `Location`, its path." + checksText(e)
	case expose.Replace:
		return "Replaces what a client can change: an absent optional field returns to its default. A field that cannot be changed may be sent back with its current value." + checksText(e)
	case expose.Patch:
		return "Changes the fields that the body names (JSON merge patch): an absent field keeps its value, null clears it, `{}` changes nothing." + checksText(e)
	case expose.Delete:
		if e.SoftDelete {
			return "Hides the " + naming.Words(e.Singular) + " until it is restored; a repeated DELETE answers 404. `hard=true` removes it for good with what belongs to it (admins only)."
		}
		return "Removes the " + naming.Words(e.Singular) + " for good; a repeated DELETE answers 404."
	}
	return e.Comment
}

// checksText describes the rules over several fields.
func checksText(e *model.Entity) string {
	var b strings.Builder
	for _, c := range e.Checks {
		var names []string
		for _, name := range c.Fields {
			names = append(names, "`"+e.Field(name).REST+"`")
		}
		b.WriteString(" " + strings.Join(names, " and ") + " " + strings.TrimSuffix(c.Says, ".") + ".")
	}
	return b.String()
}

func callParameters(c *model.Call, parameters *node) []any {
	var list []any
	if c.ID1 != "" {
		of := c.Entity
		if c.Nested() {
			of = c.Parent
		}
		list = append(list, idParameter(of, c.ID1))
	}
	if c.ID2 != "" {
		list = append(list, idParameter(c.Entity, c.ID2))
	}
	switch c.Op {
	case expose.List:
		return append(append(list, listParameters(c.Entity, parameters)...), ref("parameters", "IfNoneMatch"))
	case expose.Read:
		list = append(list, shapeRefs(c, parameters)...)
		if c.Entity.SoftDelete {
			list = append(list, ref("parameters", "IncludeDeleted"))
		}
		return append(list, ref("parameters", "IfNoneMatch"), ref("parameters", "IfModifiedSince"))
	case expose.Delete:
		if c.Entity.SoftDelete {
			list = append(list, ref("parameters", "Hard"))
		}
		return append(list, ref("parameters", "Prefer"), ref("parameters", "IfMatch"))
	case expose.Replace, expose.Patch:
		list = append(list, ref("parameters", "IfMatch"))
	}
	return append(list, shapeRefs(c, parameters)...)
}

func shapeRefs(c *model.Call, parameters *node) []any {
	var refs []any
	for _, key := range shapeKeys(c.Entity, parameters) {
		refs = append(refs, ref("parameters", key))
	}
	return refs
}

func requestBody(c *model.Call, schema *node) *node {
	content := obj("schema", ref("schemas", bodyName(c)), "example", bodyExample(c, schema))
	types := obj("application/json", content)
	if c.Op == expose.Patch {
		types.set("application/merge-patch+json", clone(content))
	}
	return obj("required", true, "content", types)
}

func addSuccess(c *model.Call, responses, schemas *node) {
	item := func(description string, more ...any) *node {
		headers := obj("ETag", ref("headers", "ETag"), "Last-Modified", ref("headers", "LastModified"))
		for i := 0; i < len(more); i += 2 {
			headers.set(more[i].(string), more[i+1])
		}
		return success(description, headers, ref("schemas", responseName(c.Entity)), itemExample(entityExample(c.Entity, schemas)))
	}
	name := naming.Words(c.Entity.Singular)
	switch c.Op {
	case expose.List:
		responses.set("200", success("A page of "+naming.Words(c.Entity.Path)+".",
			obj("ETag", ref("headers", "ETag"), "Link", ref("headers", "Link")),
			ref("schemas", listName(c.Entity)), listExample(c.Entity, schemas)))
		responses.set("304", ref("responses", "NotModified"))
	case expose.Create:
		responses.set("201", item("The new "+name+".", "Location", ref("headers", "Location")))
		if c.Entity.Upsert != nil {
			responses.set("200", item("The "+name+", which was there before."))
		}
	case expose.Read:
		responses.set("200", item("The "+name+"."))
		responses.set("304", ref("responses", "NotModified"))
	case expose.Delete:
		responses.set("200", success("The "+name+" as it was, for `Prefer: return=representation`.", nil,
			ref("schemas", deletedName(c.Entity)),
			itemExample(entityExample(c.Entity, schemas)).set("message", name+" deleted")))
		responses.set("204", obj("description", "The "+name+" is deleted."))
	default:
		responses.set("200", item("The "+name+" with its present values."))
		if c.Single {
			responses.set("201", item("The new "+name+".", "Location", ref("headers", "Location")))
		}
	}
}

func success(description string, headers, schema, example *node) *node {
	r := obj("description", description)
	if headers != nil {
		r.set("headers", headers)
	}
	return r.set("content", obj("application/json", obj("schema", schema, "example", example)))
}

// statuses lists the statuses that the call can fail with.
func statuses(c *model.Call) []int {
	list := []int{400, 401, 403, 404, 406}
	switch c.Op {
	case expose.List:
		if !c.Nested() {
			list = []int{400, 401, 403, 406}
		}
	case expose.Create:
		list = append(list, 408, 409, 413, 415, 422)
	case expose.Replace, expose.Patch:
		list = append(list, 408, 409, 412, 413, 415, 422)
	case expose.Delete:
		list = append(list, 409, 412, 413, 415)
	}
	return append(list, 414, 429, 431, 500, 503)
}

// addPaths adds the calls to the document.
func addPaths(paths, components *node, calls []*model.Call) {
	for _, c := range calls {
		item := paths.at(c.Path)
		if item == nil {
			item = obj()
			paths.set(c.Path, item)
		}
		item.set(c.Method, callOperation(c, components))
	}
}
