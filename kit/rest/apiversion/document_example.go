package apiversion

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/go-faster/jx"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gen/openapi"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/problem"
)

// shown is the example of a body.
func (d *describer) shown(schema *object, noun string, first any) any {
	o, ok := first.(*object)
	at := d.resolved(schema)
	switch {
	case !ok:
		return d.example(schema, first)
	case envelope(at):
		return d.enveloped(at, noun, o)
	case o.text("status") == "error" && o.at("error") != nil:
		told := d.problemOf(o.at("error"))
		facts := o.at("error")
		return d.encoded(d.Errors.Body(told, Facts{facts.text("timestamp"), d.link(facts.text("path")), facts.text("request_id")}))
	}
	return d.example(schema, first)
}

// unnamed is an example that no schema describes, such as the file of a report: its
// columns are named as members are, and a column such as user_id has ids.
func (d *describer) unnamed(first any) any {
	switch v := first.(type) {
	case *object:
		o := &object{members: make([]member, 0, len(v.members))}
		for _, m := range v.members {
			o.members = append(o.members, member{d.Word(m.name), d.column(m.name, d.unnamed(m.value))})
		}
		return o
	case list:
		l := make(list, len(v))
		for i, one := range v {
			l[i] = d.unnamed(one)
		}
		return l
	}
	return first
}

// column is a value of the column, which may be an id.
func (d *describer) column(name string, value any) any {
	of, is := strings.CutSuffix(name, "_id")
	for entity, e := range d.entities {
		if is && e.Singular == of {
			return d.identify(entity, value)
		}
	}
	return value
}

// unnamedCSV is [describer.unnamed] of a table.
func (d *describer) unnamedCSV(first string) string {
	rows := strings.Split(first, "\r\n")
	columns := strings.Split(rows[0], ",")
	for i, row := range rows {
		cells := strings.Split(row, ",")
		for j, cell := range cells[:min(len(cells), len(columns))] {
			if i == 0 {
				cells[j] = d.Word(cell)
			} else if id, ok := d.column(columns[j], jx.Raw(cell)).(string); ok {
				cells[j] = id
			}
		}
		rows[i] = strings.Join(cells, ",")
	}
	return strings.Join(rows, "\r\n")
}

// encoded is a value as the document has it.
func (d *describer) encoded(value any) any {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // it was read from JSON
	}
	return mustRead(text)
}

// enveloped is the example of a success.
func (d *describer) enveloped(schema *object, noun string, first *object) *object {
	o, properties := &object{}, schema.at("properties")
	if d.Mark == Flag {
		o.set("success", jx.Raw("true"))
	} else {
		o.set("status", "success")
	}
	if value := first.get("data"); value != nil {
		data := properties.at("data")
		inner, wrapping := d.example(data, value), d.Item
		if items, ok := inner.(list); ok {
			wrapping = d.List
			if name := d.count(schema); name != "" {
				o.set(name, jx.Raw(strconv.Itoa(len(items))))
			}
		}
		if name := d.nounIn(data, noun); wrapping == Named && name != "" {
			inner = obj(name, inner)
		}
		o.set("data", inner)
	}
	for _, m := range first.members {
		if _, listed := first.get("data").(list); m.name == "status" || m.name == "data" || m.name == "count" && listed {
			continue
		}
		inner, entity := d.member(schema, m.name)
		o.set(d.name(entity, m.name), d.example(inner, m.value))
	}
	return o
}

// example is a value that a schema has as an example.
func (d *describer) example(schema *object, first any) any {
	schema = d.resolved(schema)
	switch v := first.(type) {
	case *object:
		o := &object{members: make([]member, 0, len(v.members))}
		for _, m := range v.members {
			inner, entity := d.member(schema, m.name)
			value := m.value
			if inner.text(openapi.Entity) == openapi.AnyEntity {
				value = d.ofAny(d.byPath(cmp.Or(v.text("entity"), v.text("type"))), value)
			} else {
				value = d.example(inner, value)
			}
			name := m.name
			if inner != nil {
				name = d.name(entity, m.name)
			}
			if f := d.fields[entity][m.name]; f != nil {
				value = d.valued(f, value)
			}
			o.members = append(o.members, member{name, value})
		}
		return o
	case list:
		l := make(list, len(v))
		for i, item := range v {
			l[i] = d.example(schema.at("items"), item)
		}
		return l
	case string:
		if entity := schema.text(openapi.Entity); entity != "" {
			return d.identify(entity, v)
		}
		if schema.text(openapi.Named) != "" {
			return d.Word(v)
		}
		return d.link(v)
	}
	if entity := schema.text(openapi.Entity); entity != "" {
		return d.identify(entity, first)
	}
	return first
}

// valued is a value of a field, which may be of another type now.
func (d *describer) valued(f *entity.Field, value any) any {
	if show := d.changes.shown(f); show != nil {
		return mustRead(show(nil, compact(value)))
	}
	return value
}

// identify is an id as the version writes it.
func (d *describer) identify(entity string, value any) any {
	e := d.entities[entity]
	if n := number(value); n != 0 && d.IDs == Global && e != nil {
		return d.IDs.Segment(entity, gid.Int(n))
	}
	if text, is := value.(string); is && d.IDs == Global && e != nil && e.IDs().Form != gid.Numbers {
		return gid.Text(text).Global(entity)
	}
	return value
}

// ofAny is the id of a row, or a row, whose entity stands beside it.
func (d *describer) ofAny(entity string, value any) any {
	if row, ok := value.(*object); ok {
		return d.example(d.first.at("components", "schemas", entity), row)
	}
	return d.identify(entity, value)
}

// byPath is the entity whose rows are found at the path.
func (d *describer) byPath(path string) string {
	for name, e := range d.entities {
		if e.Path == path && path != "" {
			return name
		}
	}
	return ""
}

// member is the schema of a member, and the entity whose field it is, if it is one.
func (d *describer) member(schema *object, name string) (*object, string) {
	if inner := schema.at("properties", name); inner != nil {
		return inner, schema.text(openapi.Entity)
	}
	for _, of := range []string{"oneOf", "anyOf", "allOf"} {
		for _, one := range schema.list(of) {
			if inner, entity := d.member(d.resolved(one.(*object)), name); inner != nil {
				return inner, entity
			}
		}
	}
	return nil, ""
}

// link is a path of the version in the place of one of the first. Other texts
// are left as they are.
func (d *describer) link(text string) string {
	below, ok := strings.CutPrefix(text, d.base)
	if !ok || below != "" && below[0] != '/' {
		return text
	}
	path, query, asked := strings.Cut(below, "?")
	segments := strings.Split(path, "/")
	for i := 2; i < len(segments); i++ {
		if entity := d.byPath(strings.Join(segments[1:i], "/")); entity != "" {
			segments[i] = d.linked(entity, segments[i])
		}
	}
	link := d.Base + strings.Join(segments, "/")
	if asked {
		link += "?" + d.text(query)
	}
	return link
}

func (d *describer) linked(entity, segment string) string {
	e := d.entities[entity]
	if n := number(jx.Raw(segment)); n > 0 && e != nil {
		return d.IDs.Segment(entity, gid.Int(n))
	}
	if e != nil && e.IDs().Form != gid.Numbers {
		if id, err := e.IDs().Form.Plain(segment); err == nil {
			return d.IDs.Segment(entity, id)
		}
	}
	return segment
}

// problemOf is the problem that an example of an error is of.
func (d *describer) problemOf(first *object) *problem.Error {
	p := &problem.Error{Message: first.text("message")}
	for _, kind := range problem.Kinds() {
		if kind.Answer().REST == first.text("code") {
			p.Kind = kind
			break
		}
	}
	for _, one := range first.list("details") {
		detail := one.(*object)
		told := problem.Detail{Field: d.Word(detail.text("field")), Message: detail.text("message")}
		if value := detail.get("value"); value != nil {
			told.Echo, told.Value = true, json.RawMessage(compact(value))
		}
		p.Details = append(p.Details, told)
	}
	return p
}

// problem is an example of problem details (RFC 9457).
func (d *describer) problem(first *object) *object {
	o := &object{}
	for _, m := range first.members {
		switch m.name {
		case "code":
			m.value = d.Errors.Code(d.problemOf(first))
		case "details":
			m.value = d.encoded(Details(d.problemOf(first)))
		case "instance":
			m.value = d.link(first.text("instance"))
		}
		m.name = d.Word(m.name)
		o.members = append(o.members, m)
	}
	return o
}
