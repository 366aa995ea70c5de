package apiversion

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/go-faster/jx"

	"github.com/entwine-go/entwine/kit/gen/openapi"
	"github.com/entwine-go/entwine/kit/gid"
)

// Shapes describe bodies that are written and read by hand, from the document, in
// the names of the first version: their members, and which are ids. Others are
// translated by it. Use [NewShapes].
type Shapes struct {
	read func() map[shapeKey]*shape
}

// NewShapes are those of the document, which is read when the first is asked for.
func NewShapes(p Published) *Shapes {
	return &Shapes{sync.OnceValue(func() map[shapeKey]*shape {
		r := shapeReader{document: p.read(), named: map[string]*shape{}}
		return r.all()
	})}
}

// shape describes a value.
type shape struct {
	members map[string]*shape // of an object
	items   *shape            // of an array
	entity  string            // of an id
}

// shapeKey is a body: of a request, where the status is 0.
type shapeKey struct {
	method, path string
	status       int
}

// of is the shape of the operation's body, nil where the document has none.
func (s *Shapes) of(op *openapi.Operation, status int) *shape {
	return s.read()[shapeKey{op.Method, op.Path, status}]
}

// shapeReader reads shapes from a document.
type shapeReader struct {
	document *object
	named    map[string]*shape // of what is referred to
}

// all are the shapes of all bodies that are JSON.
func (r *shapeReader) all() map[shapeKey]*shape {
	found := map[shapeKey]*shape{}
	add := func(method, path string, status int, body *object) {
		if schema := r.follow(body).at("content", "application/json", "schema"); schema != nil {
			found[shapeKey{method, path, status}] = r.shape(schema)
		}
	}
	for _, p := range r.document.at("paths").members {
		for _, m := range p.value.(*object).members {
			op, _ := m.value.(*object)
			if body := op.at("requestBody"); body != nil {
				add(m.name, p.name, 0, body)
			}
			if responses := op.at("responses"); responses != nil {
				for _, one := range responses.members {
					status, _ := strconv.Atoi(one.name) // 0 is a range, which no answer is
					if status > 0 && status < 400 {
						add(m.name, p.name, status, one.value.(*object))
					}
				}
			}
		}
	}
	return found
}

// follow is an object of the document, or the one that it refers to.
func (r *shapeReader) follow(o *object) *object {
	for o.text("$ref") != "" {
		o = r.document.point(strings.TrimPrefix(o.text("$ref"), "#"))
	}
	return o
}

// shape is that of a schema. One that is referred to is made once: schemas of
// related rows refer to each other.
func (r *shapeReader) shape(schema *object) *shape {
	found := &shape{}
	if reference := schema.text("$ref"); reference != "" {
		if known := r.named[reference]; known != nil {
			return known
		}
		r.named[reference] = found
		schema = r.follow(schema)
	}
	found.entity = schema.text(openapi.Entity)
	if items := schema.at("items"); items != nil {
		found.items = r.shape(items)
	}
	if properties := schema.at("properties"); properties != nil {
		found.members = make(map[string]*shape, len(properties.members))
		for _, p := range properties.members {
			found.members[p.name] = r.shape(p.value.(*object))
		}
	}
	for _, alternatives := range []string{"allOf", "oneOf", "anyOf"} {
		for _, one := range schema.list(alternatives) {
			found.join(r.shape(one.(*object)))
		}
	}
	return found
}

// join adds what is known of an alternative.
func (s *shape) join(other *shape) {
	if other == nil {
		return
	}
	if s.entity == "" {
		s.entity = other.entity
	}
	if s.items == nil {
		s.items = other.items
	}
	for name, member := range other.members {
		if s.members == nil {
			s.members = map[string]*shape{}
		}
		if s.members[name] == nil {
			s.members[name] = member
		}
	}
}

// Answer is the body of a success as this version has it: text is one that was
// made by hand, in the names of the first. An error is in the version's envelope
// when it is written, and stays unchanged.
func (s *Served) Answer(shapes *Shapes, op *openapi.Operation, status int, text []byte) []byte {
	if status >= http.StatusBadRequest {
		return text
	}
	t := translation{Served: s, out: true}
	return t.envelope(text, shapes.of(op, status), op)
}

// Request is the body of a request as the first version has it.
func (s *Served) Request(shapes *Shapes, op *openapi.Operation, text []byte) []byte {
	if len(text) == 0 || s.Plain {
		return text
	}
	t := translation{Served: s}
	e := &jx.Encoder{}
	if err := t.value(e, jx.DecodeBytes(text), shapes.of(op, 0)); err != nil {
		return text // decoding it fails, with its own error
	}
	return e.Bytes()
}

// translation translates a body: out of the first version's names, or into them.
type translation struct {
	*Served
	out bool
}

// envelope translates a body: its mark, and what stands in data.
func (t *translation) envelope(text []byte, s *shape, op *openapi.Operation) []byte {
	d := jx.DecodeBytes(text)
	var data []byte
	var kind jx.Type
	rest := &jx.Encoder{}
	first := true
	rest.ObjStart()
	err := d.Obj(func(d *jx.Decoder, name string) error {
		switch {
		case name == "status" && first:
			first = false
			return d.Skip()
		case name == "data":
			kind = d.Next()
			e := &jx.Encoder{}
			err := t.value(e, d, s.at(name))
			data = e.Bytes()
			return err
		}
		return t.member(rest, d, s, name)
	})
	rest.ObjEnd()
	if err != nil {
		return text // it is not an object: it has no envelope
	}
	if data == nil {
		return t.Beside(nil, rest.Bytes())
	}
	noun := t.Word(nounOf(op))
	var dst []byte
	if kind == jx.Array {
		var l List
		dst, l = t.begin(nil, noun, t.Count.Page)
		dst = l.End(append(dst, data...), length(data))
	} else {
		dst = append(append([]byte{'{'}, t.Mark.member()...), t.Item.begin(noun)...)
		dst = append(append(dst, data...), t.Item.end(noun)...)
	}
	if members := rest.Bytes(); len(members) > 2 {
		return append(append(dst, ','), members[1:]...)
	}
	return append(dst, '}')
}

// at is the shape of a member.
func (s *shape) at(name string) *shape {
	if s == nil {
		return nil
	}
	return s.members[name]
}

// nounOf is the noun of the operation's answer, from the last word of its path,
// empty where that would be no more than data.
func nounOf(op *openapi.Operation) string {
	if op.Noun != "" {
		return op.Noun
	}
	segments := strings.Split(op.Path, "/")
	for i := len(segments) - 1; i > 0; i-- {
		if name := segments[i]; !strings.HasPrefix(name, "{") {
			if name == "data" {
				return ""
			}
			return strings.ReplaceAll(name, "-", "_")
		}
	}
	return ""
}

// length is how many items an array has.
func length(array []byte) (n int) {
	_ = jx.DecodeBytes(array).Arr(func(d *jx.Decoder) error { // it was encoded just now
		n++
		return d.Skip()
	})
	return n
}

// value translates a value of any JSON. Unknown members stay unchanged.
func (t *translation) value(e *jx.Encoder, d *jx.Decoder, s *shape) error {
	if s == nil {
		s = &shape{}
	}
	switch kind := d.Next(); {
	case kind == jx.Object && s.members != nil:
		return t.object(e, d, s)
	case kind == jx.Array:
		e.ArrStart()
		err := d.Arr(func(d *jx.Decoder) error { return t.value(e, d, s.items) })
		e.ArrEnd()
		return err
	case (kind == jx.Number || kind == jx.String && t.Rows(s.entity).Form != gid.Numbers) && s.entity != "" && t.out:
		return t.showID(e, d, s.entity)
	case kind == jx.String && s.entity != "" && !t.out:
		return t.plainID(e, d, s.entity)
	}
	raw, err := d.Raw()
	e.Raw(raw)
	return err
}

func (t *translation) object(e *jx.Encoder, d *jx.Decoder, s *shape) error {
	e.ObjStart()
	err := d.Obj(func(d *jx.Decoder, name string) error { return t.member(e, d, s, name) })
	e.ObjEnd()
	return err
}

// member translates a member of an object by its shape.
func (t *translation) member(e *jx.Encoder, d *jx.Decoder, s *shape, name string) error {
	first, inner := s.find(t, name)
	if t.out && inner != nil {
		first = t.Word(name)
	}
	e.FieldStart(first)
	return t.value(e, d, inner)
}

// find is the first version's name of a member, and its shape: nil where it is
// not known.
func (s *shape) find(t *translation, name string) (string, *shape) {
	if s == nil {
		return name, nil
	}
	if inner := s.members[name]; inner != nil || t.out {
		return name, inner
	}
	for first, inner := range s.members {
		if t.Word(first) == name {
			return first, inner
		}
	}
	return name, nil
}

func (t *translation) showID(e *jx.Encoder, d *jx.Decoder, entity string) error {
	if t.Rows(entity).Form != gid.Numbers {
		text, err := d.Str()
		if err == nil && t.IDs == Global {
			text = gid.Text(text).Global(entity)
		}
		e.Str(text)
		return err
	}
	raw, err := d.Raw()
	if err != nil {
		return err
	}
	if id, err := strconv.ParseInt(string(bytes.TrimSpace(raw)), 10, 64); err == nil && t.IDs == Global {
		e.Str(t.IDs.Segment(entity, gid.Int(id)))
		return nil
	}
	e.Raw(raw)
	return nil
}

func (t *translation) plainID(e *jx.Encoder, d *jx.Decoder, entity string) error {
	text, err := d.Str()
	if err != nil {
		return err
	}
	if of := t.Rows(entity); of.Form != gid.Numbers {
		if id, err := t.IDs.Parse(of, text); err == nil {
			text = id.String()
		}
	} else if plain := t.IDs.Plain(entity, text); plain != text {
		e.Raw([]byte(plain))
		return nil
	}
	e.Str(text)
	return nil
}
