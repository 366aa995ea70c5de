package apiversion

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-faster/jx"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gen/openapi"
	"github.com/entwine-go/entwine/kit/gid"
)

// component is a schema of the document by its name.
func (d *describer) component(name string, first *object) *object {
	switch name {
	case "Error":
		return d.failure(first)
	case "Problem":
		return d.problemDetails(first)
	}
	if envelope(first) {
		return d.success(first, d.nouns[name], d.loose[name])
	}
	return d.schema(first)
}

// envelope reports whether the schema is that of a success.
func envelope(schema *object) bool {
	return schema.at("properties", "status").text("const") == "success"
}

// schema is a schema as the version has it.
func (d *describer) schema(first *object) *object {
	if first == nil {
		return nil
	}
	entity := first.text(openapi.Entity)
	if entity != "" && d.IDs == Global && first.get("properties") == nil && d.identifies(entity, first) {
		first = identifier(first)
	}
	o := &object{members: make([]member, 0, len(first.members))}
	for _, m := range first.members {
		switch v := m.value.(type) {
		case string:
			if m.name == "description" {
				m.value = d.text(v)
			}
		case *object:
			switch m.name {
			case "properties":
				m.value = d.properties(entity, v)
			case "items", "additionalProperties", "contentSchema":
				m.value = d.schema(v)
			case "example":
				m.value = d.example(first, v)
			}
		default:
			m.value = d.part(entity, first, m)
		}
		if !marks(m.name) {
			o.members = append(o.members, m)
		}
	}
	return o
}

// part is a member of a schema that is neither an object nor a text.
func (d *describer) part(entity string, schema *object, m member) any {
	all, _ := m.value.(list)
	switch m.name {
	case "required":
		required := make(list, len(all))
		for i, name := range all {
			required[i] = d.name(entity, name.(string))
		}
		return required
	case "oneOf", "anyOf", "allOf":
		of := make(list, len(all))
		for i, one := range all {
			of[i] = d.schema(one.(*object))
		}
		return of
	case "examples":
		examples := make(list, len(all))
		for i, one := range all {
			examples[i] = d.example(schema, one)
		}
		return examples
	case "example":
		return d.example(schema, m.value)
	case "enum":
		if schema.text(openapi.Named) == "" {
			break
		}
		names := make(list, len(all))
		for i, one := range all {
			names[i] = d.Word(one.(string))
		}
		return names
	}
	return m.value
}

// properties are those of an object, which may be the fields of an entity.
func (d *describer) properties(entity string, first *object) *object {
	o := &object{members: make([]member, 0, len(first.members))}
	for _, p := range first.members {
		schema, _ := p.value.(*object)
		value := d.schema(schema)
		if f := d.fields[entity][p.name]; f != nil && d.changes[f] != nil {
			value = d.changed(d.changes[f], value)
		}
		if p.name == "error" && schema.at("properties", "code") != nil {
			value = d.flaw(schema)
		}
		o.members = append(o.members, member{d.name(entity, p.name), value})
	}
	return o
}

// changed is the schema of a field whose values have changed.
func (d *describer) changed(c *Change, schema *object) *object {
	if c.Show == nil {
		return schema
	}
	o := &object{}
	if c.Schema != "" {
		o = mustRead([]byte(c.Schema)).(*object)
	}
	for _, kept := range []string{"description", "readOnly"} {
		if value := schema.get(kept); value != nil && o.get(kept) == nil {
			o.set(kept, value)
		}
	}
	return o
}

// name is the version's name of a member, by its name in the first: of an entity,
// or of a body by hand.
func (d *describer) name(entity, name string) string {
	if f := d.fields[entity][name]; f != nil {
		return d.called(f)
	}
	if to, ok := d.pages()[name]; ok {
		return to
	}
	return d.Word(name)
}

// called is the name of a field.
func (d *describer) called(f *entity.Field) string { return d.field(d.changes)(f) }

// kindOf is the type that a schema has beside null.
func kindOf(schema *object) string {
	if text := schema.text("type"); text != "" {
		return text
	}
	for _, one := range schema.list("type") {
		if one != "null" {
			text, _ := one.(string)
			return text
		}
	}
	return ""
}

// identifier is the schema of a global id in the place of an integer.
func identifier(first *object) *object {
	if kindOf(first) != "integer" {
		return first.without("format", "maxLength", "pattern").set("minLength", jx.Raw("1"))
	}
	o := first.without("format", "minimum")
	if types := slices.Clone(first.list("type")); types != nil {
		types[slices.Index(types, any("integer"))] = "string"
		return o.set("type", types).set("minLength", jx.Raw("1"))
	}
	return o.set("type", "string").set("minLength", jx.Raw("1"))
}

// identifies reports whether the values of a schema are ids of the entity's rows.
func (d *describer) identifies(entity string, schema *object) bool {
	e := d.entities[entity]
	return kindOf(schema) == "integer" || e != nil && e.IDs().Form != gid.Numbers && kindOf(schema) == "string"
}

// success is the schema of an envelope. The name of its rows follows from the
// schema, or is the noun. It is loose where the row may be absent.
func (d *describer) success(first *object, noun string, loose bool) *object {
	o, properties := d.schema(first), &object{}
	var required list
	for _, m := range o.at("properties").members {
		switch {
		case m.name == "status":
			mark, schema := d.mark()
			properties.set(mark, schema)
			required = append(required, mark)
		case m.name == d.Word("count") && first.at("properties", "data", "items") != nil:
		case m.name == "data":
			data := first.at("properties", "data")
			wrapping := d.Item
			if kindOf(data) == "array" {
				wrapping = d.List
				if name := d.count(first); name != "" {
					properties.set(name, obj("type", "integer", "description", cmp.Or(
						first.at("properties", "count").text("description"), "How many there are on this page.")))
					required = append(required, name)
				}
			}
			value := m.value
			if name := d.nounIn(data, noun); wrapping == Named && name != "" {
				value = obj("type", "object", "required", texts(name), "properties", obj(name, value))
			}
			properties.set(m.name, value)
			if !loose {
				required = append(required, m.name)
			}
		default:
			properties.set(m.name, m.value)
			if slices.Contains(o.list("required"), any(m.name)) || loose {
				required = append(required, m.name)
			}
		}
	}
	return o.set("required", required).set("properties", properties)
}

// mark is the member by which a body says that it is a success.
func (d *describer) mark() (string, *object) {
	if d.Mark == Flag {
		return "success", obj("type", "boolean", "const", jx.Raw("true"))
	}
	return "status", obj("type", "string", "const", "success")
}

// count is the name of the number of items in the envelope of a list.
func (d *describer) count(envelope *object) string {
	if envelope.at("properties", "count") != nil {
		return d.Count.Made
	}
	return d.Count.Page
}

// nounIn is the noun of the content of data: rows of an entity, or a noun of the
// document.
func (d *describer) nounIn(data *object, noun string) string {
	if mark := data.text(openapi.Noun); mark != "" {
		return d.Word(mark)
	}
	row := d.resolved(data)
	if items := row.at("items"); items != nil {
		if e := d.entities[d.resolved(items).text(openapi.Entity)]; e != nil {
			return d.nounOf(e).many
		}
		return d.Word(noun)
	}
	if e := d.entities[row.text(openapi.Entity)]; e != nil {
		return d.nounOf(e).one
	}
	return d.Word(noun)
}

// failure is the schema of the envelope of errors.
func (d *describer) failure(first *object) *object {
	flaw := d.flaw(first.at("properties", "error"))
	mark := obj("type", "boolean", "const", jx.Raw("false"))
	name := "success"
	switch d.Errors {
	case Structured:
		return d.told(first).(*object)
	case ThreeStatus:
		name, mark = "status", obj("type", "string", "enum", texts("fail", "error"), "description", "Whose fault it is: the request's, or the service's.")
	}
	properties := obj(name, mark)
	properties.members = append(properties.members, flaw.at("properties").members...)
	return obj("type", "object", "description", "An error.", "required", append(texts(name), flaw.list("required")...), "properties", properties)
}

// problemDetails is the schema of RFC 9457, whose names are the same in every
// version. Others are the version's.
func (d *describer) problemDetails(first *object) *object {
	o := d.told(first).(*object)
	o.set("properties", d.properties("", o.at("properties")))
	if d.Errors == ThreeStatus {
		o.at("properties").set("code", d.code())
	}
	return o
}

// flaw is the schema of what has gone wrong, within an envelope of its own or as
// one of many.
func (d *describer) flaw(first *object) *object {
	message := obj("type", "string", "description", "The error for people.")
	switch d.Errors {
	case Flat:
		return obj("type", "object", "description", "What went wrong.", "required", texts("error", "message"), "properties", obj(
			"error", d.told(first.at("properties", "code")), "message", message, "details", d.told(first.at("properties", "details"))))
	case ThreeStatus:
		return obj("type", "object", "description", "What went wrong.", "required", texts("message", "errors", "code"), "properties", obj(
			"message", message,
			"errors", obj("type", "object", "description", "Every failing input, by its field.", "additionalProperties", obj("type", "string")),
			"code", d.code()))
	}
	return d.told(first).(*object)
}

// code is the schema of the codes of [ThreeStatus], of which some name an entity
// or a field.
func (d *describer) code() *object {
	var known []string
	for _, code := range d.codes {
		known = append(known, "`"+code+"`")
	}
	slices.Sort(known)
	return obj("type", "string", "pattern", "^[A-Z0-9_]+$",
		"description", "The error for the machine: "+strings.Join(slices.Compact(known), ", ")+
			", `…_NOT_FOUND` by what was not found (`POST_NOT_FOUND`), `DUPLICATE_…` by the field that is taken (`DUPLICATE_EMAIL`).")
}
