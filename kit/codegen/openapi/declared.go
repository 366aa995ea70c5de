package openapi

import (
	"strconv"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/problem"
)

// Operations beside reading and writing single rows: actions, marks, restoring,
// and many rows at once (model.Declared).

// declaredOperation returns the document's operation for one of them.
func (r *contract) declaredOperation(c *model.Call, components *node) *node {
	schemas, parameters := components.at("schemas"), components.at("parameters")
	op := obj(
		"operationId", c.ID,
		"tags", arr(c.Tag),
		"summary", c.Summary,
		"description", paragraphs(c.Comment(), c.Detail()),
		"x-ogen-operation-group", c.Tag,
	)
	ended(op, "", c.Ending())
	if showsRow(c) {
		op.set(generated, true)
	}
	if list := declaredParameters(c, parameters); len(list) > 0 {
		op.set("parameters", list)
	}
	if c.Reads() {
		list, _ := op.get("parameters").([]any)
		op.set("parameters", append(append(list, readParameters(c)...), ref("parameters", "IfNoneMatch")))
	}
	if body := declaredBody(c, schemas); body != nil {
		op.set("requestBody", body)
	}
	responses := declaredSuccess(c, components)
	op.set("responses", responses)
	if takesNothing(c) {
		op.set(bodyless, true)
	}
	if c.Conflicts() || c.Op == model.CreateMany && !c.Bulk.Each {
		addFailure(responses, problem.Conflict)
	}
	if c.Expects() {
		addFailure(responses, problem.PreconditionFailed)
	}
	if c.Action != nil {
		for _, kind := range c.Action.Errors {
			addFailure(responses, kind)
		}
	}
	r.addFailures(op, c.Path, c.Method)
	if takesNothing(c) {
		for _, status := range []int{408, 413, 415} { // a body is looked at, and refused if it holds anything
			responses.set(strconv.Itoa(status), ref("responses", failureNames[status]))
		}
	}
	return op
}

func addFailure(responses *node, kind problem.Kind) {
	status := kind.Answer().Status
	responses.set(strconv.Itoa(status), ref("responses", failureNames[status]))
}

// paragraphs are texts, one after the other.
func paragraphs(first, second string) string {
	if second == "" {
		return first
	}
	if first == "" {
		return second
	}
	return first + "\n\n" + second
}

// showsRow reports whether the operation answers with a row, whose shape the
// caller may choose.
func showsRow(c *model.Call) bool {
	switch {
	case c.Op == model.Restore:
		return true
	case c.Action == nil:
		return false
	}
	a := c.Action.Answer
	return !a.Nothing && a.Job == "" && len(a.Members) == 0 && len(a.File) == 0
}

// showsMany reports whether the operation answers with the rows that it writes, whose
// fields the caller may choose.
func showsMany(c *model.Call) bool { return c.Bulk != nil && c.Op != model.DeleteMany }

// bodyless marks an action that takes no input: its body is judged all the same.
const bodyless = "x-bodyless"

// takesNothing reports whether the operation is an action without input: of a
// body it takes an empty object (doc/api/rest.md).
func takesNothing(c *model.Call) bool {
	return c.Op == model.Restore || c.Action != nil && len(c.Action.Input) == 0 && c.Method == "post"
}

func declaredParameters(c *model.Call, parameters *node) []any {
	var list []any
	if c.ID1 != "" {
		of := c.Entity
		if of.Under != "" {
			of = of.Edge(of.Under).To
		}
		list = append(list, idParameter(of, c.ID1))
	}
	if showsRow(c) {
		list = append(list, shapeRefs(c, parameters)...)
	}
	if showsMany(c) {
		for _, key := range append([]string{c.Entity.Name + "Fields"}, calcKeys(c.Entity, parameters, false)...) {
			list = append(list, ref("parameters", key))
		}
	}
	if c.NamesIDs() {
		list = append(list, commaList(query("ids", nil, "The ids, where there is no body."), keySchema(c.Entity.Type.ID)))
		last := list[len(list)-1].(*node).at("schema")
		last.set("minItems", 1).set("maxItems", c.Bulk.Maximum)
		if c.Op == model.DeleteMany && c.Entity.SoftDelete {
			list = append(list, ref("parameters", "Hard"))
		}
	}
	if c.Expects() {
		list = append(list, ref("parameters", "IfMatch"))
	}
	return list
}

// addDeclaredSchemas adds what declared operations send and take.
func addDeclaredSchemas(c *model.Call, schemas *node) {
	set := func(name string, schema *node) {
		if name != "" && schemas.get(name) == nil {
			schemas.set(name, schema)
		}
	}
	switch {
	case c.Action != nil:
		if c.Body() {
			set(c.Action.Type(), actionBody(c, schemas))
		}
		shown := schemas.at(c.Entity.Name, "properties")
		for _, m := range c.Action.Answer.Once {
			if shown.get(m.Name) == nil {
				shown.set(m.Name, memberSchema(m, schemas))
			}
		}
		if len(c.Action.Answer.Members) > 0 {
			set(answerName(c.Action), membersSchema(c, schemas))
		}
	case c.Mark != nil:
		set(c.Mark.Answer, markSchema(c.Mark))
	case c.Op == model.CreateMany && !c.Bulk.Each:
		set(c.Entity.Plural()+"CreatedResponse", createdSchema(c.Entity))
	case c.Bulk != nil && c.Bulk.Each:
		if c.Op == model.UpdateMany {
			set(itemName(c.Entity), itemSchema(c.Entity))
		}
		set(resultsName(c.Entity), resultsSchema(c.Entity))
	}
}

// addDeclared adds the declared operations of an entity.
func (r *contract) addDeclared(paths, components *node, m *model.Model, calls []*model.Call) {
	for _, c := range calls {
		if a := c.Action; a != nil && a.Answer.Job != "" && components.at("responses", "Accepted") == nil {
			components.at("responses").set("Accepted", acceptedResponse(m.Service.Base(), m.Jobs(), a.Answer.Job))
			components.at("schemas").set("Accepted", acceptedSchema(m.Jobs()))
		}
		item := paths.at(c.Path)
		if item == nil {
			item = obj()
			paths.set(c.Path, item)
		}
		item.set(c.Method, r.declaredOperation(c, components))
	}
}
