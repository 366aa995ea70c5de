package apiversion

import (
	"strings"

	"github.com/go-faster/jx"

	"github.com/entwine-go/entwine/kit/gen/openapi"
	"github.com/entwine-go/entwine/kit/rest/negotiate"
)

// paths are the operations.
func (d *describer) paths() *object {
	paths := &object{}
	for _, p := range d.first.at("paths").members {
		item := &object{}
		for _, m := range p.value.(*object).members {
			op, ok := m.value.(*object)
			if !ok || op.get("servers") != nil { // an operation beside the versions is the same in each
				item.set(m.name, m.value)
				continue
			}
			item.set(m.name, d.operation(&openapi.Operation{Method: m.name, Path: p.name}, op))
		}
		paths.members = append(paths.members, member{d.path(p.name), item})
	}
	return paths
}

// path is a path with the names that its parameters have.
func (d *describer) path(first string) string {
	segments := strings.Split(first, "/")
	for i, s := range segments {
		if strings.HasPrefix(s, "{") {
			segments[i] = d.Word(s)
		}
	}
	return strings.Join(segments, "/")
}

func (d *describer) operation(op *openapi.Operation, first *object) *object {
	o := &object{}
	for _, m := range first.members {
		switch m.name {
		case "description", "summary":
			o.set(m.name, d.text(m.value.(string)))
		case "parameters":
			var all list
			for _, p := range m.value.(list) {
				all = append(all, d.parameter(p.(*object)))
			}
			o.set(m.name, all)
		case "requestBody":
			body := d.told(m.value).(*object)
			o.set(m.name, body.set("content", d.content(nil, m.value.(*object).at("content"))))
		case "responses":
			o.set(m.name, d.responses(op, m.value.(*object)))
		default:
			if !marks(m.name) {
				o.set(m.name, m.value)
			}
		}
	}
	return o
}

// parameter is a parameter, or a reference to one.
func (d *describer) parameter(first *object) *object {
	in := first.text("in")
	if in != "query" && in != "path" {
		return d.told(first).(*object)
	}
	entity, schema := first.text(openapi.Entity), first.at("schema")
	o := d.told(first).(*object)
	name, operator, compared := strings.Cut(first.text("name"), "[")
	field := d.fields[entity][name]
	name = d.name(entity, name)
	if compared {
		name += "[" + operator
	}
	o.set("name", name)
	derived := d.schema(schema)
	if field != nil && d.changes[field] != nil {
		derived = d.changed(d.changes[field], derived)
	}
	d.choices(entity, derived)
	o.set("schema", derived)
	if example := first.get("example"); example != nil {
		o.set("example", d.example(schema, example))
	}
	return o
}

// choices gives names of fields that a parameter takes those of the version.
func (d *describer) choices(entity string, schema *object) {
	if schema == nil {
		return
	}
	for i, m := range schema.members {
		switch v := m.value.(type) {
		case *object:
			d.choices(entity, v)
		case list:
			if m.name != "enum" && m.name != "anyOf" && m.name != "examples" {
				continue
			}
			all := make(list, len(v))
			for j, one := range v {
				all[j] = one
				switch one := one.(type) {
				case *object:
					d.choices(entity, one)
				case string:
					if entity != "" || m.name == "examples" {
						all[j] = d.choice(entity, one)
					}
				}
			}
			schema.members[i].value = all
		case string:
			if m.name == "pattern" && d.Set.Names == Camel {
				schema.members[i].value = strings.Replace(v, "[a-z_]", "[a-zA-Z_]", 1)
			}
		}
	}
}

func (d *describer) choice(entity, term string) string {
	if name, descending := strings.CutPrefix(term, "-"); descending {
		return "-" + d.name(entity, name)
	}
	if d.words[term] == "" {
		return term
	}
	return d.name(entity, term)
}

func (d *describer) header(name string, first *object) *object {
	o := d.told(first).(*object)
	if example, ok := first.get("example").(string); ok {
		if name == "APIVersion" || name == "X-API-Version" {
			example = d.Number
		}
		o.set("example", d.link(example))
	}
	return o
}

func (d *describer) responses(op *openapi.Operation, first *object) *object {
	o := &object{}
	deleted := op.Method == "delete" && d.Deletion == Told && first.at("204") != nil
	for _, m := range first.members {
		response := m.value.(*object)
		switch {
		case deleted && m.name == "200":
			schema := response.at("content", negotiate.JSON, "schema")
			d.loose[component(schema)] = true
			told := d.response(op, response)
			told.set("description", "It is deleted: with the row as it was, for `Prefer: return=representation`.")
			o.set(m.name, told)
		case deleted && m.name == "204":
			if o.get("200") == nil {
				o.set("200", d.deleted(response))
			}
		default:
			o.set(m.name, d.response(op, response))
		}
	}
	return o
}

// component is the name of the schema that is referred to.
func component(schema *object) string {
	return strings.TrimPrefix(schema.text("$ref"), "#/components/schemas/")
}

// deleted is the body after a deletion, in the place of an answer without one.
func (d *describer) deleted(first *object) *object {
	o := d.response(nil, first)
	name, mark := d.mark()
	schema := obj("type", "object", "required", texts(name, "message"), "properties", obj(
		name, mark, "message", obj("type", "string", "description", "A sentence that says what was done.")))
	example := mustRead(d.Deleted("deleted"))
	return o.set("content", obj(
		negotiate.JSON, obj("schema", schema, "example", example),
		negotiate.XML, obj("schema", xmlSchema(schema), "example", string(negotiate.Append(nil, negotiate.XML, compact(example), nil))),
	))
}

func xmlSchema(schema *object) *object {
	named := &object{members: append(append([]member(nil), schema.members...), member{"xml", obj("name", "response")})}
	return obj("type", "string", "contentMediaType", negotiate.XML, "contentSchema", named)
}

// response is an answer of the operation, or of any where op is nil.
func (d *describer) response(op *openapi.Operation, first *object) *object {
	o := d.told(first).(*object)
	if headers := first.at("headers"); headers != nil {
		all := &object{}
		for _, h := range headers.members {
			all.set(h.name, d.header(h.name, h.value.(*object)))
		}
		o.set("headers", all)
	}
	if content := first.at("content"); content != nil {
		o.set("content", d.content(op, content))
	}
	return o
}

// content is a body in its media types.
func (d *describer) content(op *openapi.Operation, first *object) *object {
	o := &object{}
	var shown []byte // the example as JSON, where it is the API's
	noun := ""
	if op != nil {
		noun = nounOf(op)
	}
	for _, m := range first.members {
		from := m.value.(*object)
		schema := from.at("schema")
		body := d.told(from).(*object)
		if name := component(schema); op != nil && name != "" && envelope(d.resolved(schema)) {
			d.nouns[name] = noun
		}
		body.set("schema", d.body(schema, noun))
		example := from.get("example")
		switch {
		case example == nil:
		case m.name == negotiate.JSON && schema != nil && len(schema.members) == 0:
			body.set("example", d.unnamed(example))
		case m.name == negotiate.CSV && schema.text("format") == "binary":
			body.set("example", d.unnamedCSV(example.(string)))
		case m.name == negotiate.JSON:
			body.set("example", d.shown(schema, noun, example))
			if d.resolved(schema).get("properties") != nil {
				shown = compact(body.get("example"))
			}
		case negotiate.Converts(m.name):
			if shown != nil {
				body.set("example", string(negotiate.Append(nil, m.name, shown, nil)))
			}
		case m.name == negotiate.Problem:
			body.set("example", d.problem(example.(*object)))
		default:
			body.set("example", d.example(schema, example))
		}
		o.set(m.name, body)
	}
	return o
}

// body is the schema of a body, which may be an envelope.
func (d *describer) body(first *object, noun string) *object {
	if inner := first.at("contentSchema"); inner != nil {
		return d.told(first).(*object).set("contentSchema", d.body(inner, noun))
	}
	if envelope(first) {
		return d.success(first, noun, false)
	}
	return d.schema(first)
}

// number is the value as a whole number, 0 where it is none.
func number(value any) (n int64) {
	if raw, ok := value.(jx.Raw); ok {
		n, _ = jx.DecodeBytes(raw).Int64() // 0 is no id
	}
	return n
}
