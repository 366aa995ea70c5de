package openapi

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/problem"
)

// What a schema declares beside reading and writing rows: actions, marks,
// restoring, and many rows at once (model.Declared).

// declaredOperation is what the document says of such an operation.
func (r *contract) declaredOperation(c *model.Call, components *node) *node {
	schemas, parameters := components.at("schemas"), components.at("parameters")
	op := obj(
		"operationId", c.ID,
		"tags", arr(c.Tag),
		"summary", c.Summary,
		"description", paragraphs(c.Comment(), c.Detail()),
		"x-ogen-operation-group", c.Tag,
	)
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
	if c.Op == model.DeleteMany {
		list = append(list, commaList(query("ids", nil, "The ids, where there is no body."), idSchema()))
		last := list[len(list)-1].(*node).at("schema")
		last.set("minItems", 1).set("maxItems", c.Bulk.Maximum)
		if c.Entity.SoftDelete {
			list = append(list, ref("parameters", "Hard"))
		}
	}
	if c.Expects() {
		list = append(list, ref("parameters", "IfMatch"))
	}
	return list
}

func idSchema() *node { return obj("type", "integer", "format", "int64", "minimum", 1) }

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
		set(resultsName(c.Entity), resultsSchema(c.Entity))
	}
}

// declaredBody is the body of the operation, nil where it takes none.
func declaredBody(c *model.Call, schemas *node) *node {
	var schema, example *node
	required := true
	switch {
	case !c.Body():
		return nil
	case c.Action != nil:
		required = c.Action.InputRequired()
		schema, example = ref("schemas", c.Action.Type()), inputExample(c.Action.Input, required)
	case c.Op == model.DoMark:
		required = false
		by := idSchema()
		described(by, "The user who does it: the caller without it. Only "+roleNames(c.Mark.By.OnBehalf)+" can name another.")
		schema, example = inputObject("", obj(c.Mark.By.REST, by), nil), obj()
		schema.drop("description")
	case c.Op == model.CreateMany:
		one := c.Entity.Name + "Create"
		items := obj("type", "array", "minItems", 1, "maxItems", c.Bulk.Maximum,
			"description", "What the "+naming.Words(c.Bulk.Member)+" are created with.", "items", ref("schemas", one))
		schema = inputObject("", obj(c.Bulk.Member, items), arr(c.Bulk.Member))
		schema.drop("description")
		example = obj(c.Bulk.Member, arr(bodyExample(c.Entity.Call(expose.Create), schemas.at(one))))
	default:
		required = false // the ids may be in the query
		ids := obj("type", "array", "minItems", 1, "maxItems", c.Bulk.Maximum, "description", "The ids.", "items", idSchema())
		schema, example = inputObject("", obj("ids", ids), arr("ids")), obj("ids", arr(1, 2))
		schema.drop("description")
	}
	return obj("required", required, "content", obj("application/json", obj("schema", schema, "example", example)))
}

// actionBody is the schema of an action's input.
func actionBody(c *model.Call, schemas *node) *node {
	properties, required := inputProperties(c.Action.Type(), c.Action.Input, schemas)
	return inputObject(c.Action.Names.BodyComment, properties, required)
}

func inputProperties(of string, input []*model.Field, schemas *node) (properties *node, required []any) {
	properties = obj()
	for _, f := range input {
		schema := inputValue(of, f, schemas)
		if value := defaultValue(f); value != nil {
			schema.set("default", value)
		}
		described(nullable(schema, f.Type.Optional && !f.Type.Default && f.Object == nil), f.Type.Comment())
		if f.Example != nil && f.Object == nil {
			schema.set("example", f.Example)
		}
		properties.set(f.REST, schema)
		if f.RequiredOnCreate() {
			required = append(required, f.REST)
		}
	}
	return properties, required
}

// inputValue is the schema of a value in the input of an action. A list of
// objects becomes a schema of its own for its items.
func inputValue(of string, f *model.Field, schemas *node) *node {
	switch {
	case f.Object != nil:
		name := of + naming.Pascal(naming.Singular(f.Name))
		properties, required := inputProperties(name, f.Members, schemas)
		schemas.set(name, inputObject(f.Object.Comment, properties, required))
		return obj("type", "array", "minItems", f.Object.Minimum, "maxItems", f.Object.Maximum, "items", ref("schemas", name))
	case f.Kind == "Enum":
		return obj("type", "string", "enum", values(f.Type.EnumValues()))
	case f.Kind == "JSON" && f.Type.Type.RType != nil && f.Type.Type.RType.Kind == reflect.Map:
		return obj("type", "object", "additionalProperties", true)
	}
	schema := valueSchema(f)
	if f.Strings() && f.Enum != nil {
		var choices []any
		for _, choice := range f.Enum.Choices {
			choices = append(choices, choice.Value)
		}
		schema.set("items", obj("type", "string", "enum", choices))
		if f.RequiredOnCreate() {
			schema.set("minItems", 1)
		}
	}
	if schema.get("minLength") == 0 {
		schema.drop("minLength")
	}
	if f.Format == expose.EndFormat { // which says how a day is read
		schema.set("format", expose.MomentFormat)
	}
	return schema
}

func inputExample(input []*model.Field, required bool) *node {
	example := obj()
	for _, f := range input {
		switch {
		case required && !f.RequiredOnCreate() && f.Example == nil:
		case f.Object != nil:
			example.set(f.REST, arr(inputExample(f.Members, true)))
		case f.Example != nil || f.RequiredOnCreate():
			example.set(f.REST, fieldExample(f))
		}
	}
	return example
}

// declaredSuccess are the answers to the operation where it succeeds.
func declaredSuccess(c *model.Call, components *node) *node {
	responses, schemas := obj(), components.at("schemas")
	switch {
	case c.Action != nil:
		addActionSuccess(c, responses, components)
	case c.Op == model.Restore:
		responses.set("200", rowResponse(c, "The "+naming.Words(c.Entity.Singular)+" as it is now.", rowExample(c, schemas)))
	case c.Op == model.UndoMark:
		responses.set("204", obj("description", "It is taken back, or was not there."))
	case c.Mark != nil:
		addMarkSuccess(c, responses)
	case c.Bulk.Each:
		example := obj("status", 204)
		if c.Op == model.CreateMany {
			example = obj("status", 201, "data", entityExample(c.Entity, schemas))
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
		responses.set("200", success("What has come of it.", nil, ref("schemas", answerName(a)), membersExample(a.Answer)))
		return
	case len(a.Answer.File) > 0:
		content := obj()
		for _, media := range a.Answer.File {
			content.set(media, obj("schema", obj("type", "string", "format", "binary")))
		}
		responses.set("200", obj("description", "The file.", "content", content))
		return
	}
	is := "The " + name + " as it is now."
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
		responses.set("202", rowResponse(c, "The "+name+" as it is: it is not decided yet, and `Retry-After` says when to read it.", itemExample(entityExample(c.Entity, schemas))))
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
			actions = append(actions, obj("name", a.Verb, "method", "POST", "href", "/api/v1/"+e.Path+"/1/"+a.Verb))
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

func addMarkSuccess(c *model.Call, responses *node) {
	name, m := naming.Words(c.Entity.Singular), c.Mark
	example := obj("status", "success")
	if m.Said != "" {
		example.set(m.Said, true)
	}
	example.set(m.Count.REST, 1)
	if m.URL {
		example.set("url", "/api/v1/"+c.Entity.Path+"/1")
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

func acceptedSchema() *node {
	return obj(
		"type", "object",
		"description", "What is known of a request that a job takes care of.",
		"required", arr("status", "message", "jobId", "statusUrl"),
		"properties", obj(
			"status", obj("type", "string", "const", "success"),
			"message", obj("type", "string", "description", "What happens now."),
			"jobId", obj("type", "integer", "format", "int64", "description", "The id of the job."),
			"statusUrl", obj("type", "string", "format", "uri-reference", "description", "Where the job can be read."),
		),
	)
}

// addDeclared adds the declared operations of an entity.
func (r *contract) addDeclared(paths, components *node, m *model.Model, calls []*model.Call) {
	for _, c := range calls {
		if a := c.Action; a != nil && a.Answer.Job != "" && components.at("responses", "Accepted") == nil {
			components.at("responses").set("Accepted", acceptedResponse(m.Service.Base(), m.Jobs(), a.Answer.Job))
			components.at("schemas").set("Accepted", acceptedSchema())
		}
		item := paths.at(c.Path)
		if item == nil {
			item = obj()
			paths.set(c.Path, item)
		}
		item.set(c.Method, r.declaredOperation(c, components))
	}
}
