package apiversion

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-faster/jx"

	"github.com/entwine-go/entwine/kit/gen/openapi"
)

// object is an object of a JSON document, which keeps the order of its members.
// The values of a document are objects, lists, texts, and [jx.Raw] for others.
type object struct{ members []member }

type member struct {
	name  string
	value any
}

type list []any

// readJSON reads a value.
func readJSON(d *jx.Decoder) (any, error) {
	switch d.Next() {
	case jx.Object:
		o := &object{}
		err := d.Obj(func(d *jx.Decoder, name string) error {
			value, err := readJSON(d)
			o.members = append(o.members, member{name, value})
			return err
		})
		return o, err
	case jx.Array:
		l := list{}
		err := d.Arr(func(d *jx.Decoder) error {
			value, err := readJSON(d)
			l = append(l, value)
			return err
		})
		return l, err
	case jx.String:
		return d.Str()
	}
	raw, err := d.Raw()
	return slices.Clone(raw), err
}

// mustRead reads what is made by this program.
func mustRead(text []byte) any {
	value, err := readJSON(jx.DecodeBytes(text))
	if err != nil {
		panic(err)
	}
	return value
}

func writeJSON(e *jx.Encoder, value any) {
	switch v := value.(type) {
	case *object:
		e.ObjStart()
		for _, m := range v.members {
			e.FieldStart(m.name)
			writeJSON(e, m.value)
		}
		e.ObjEnd()
	case list:
		e.ArrStart()
		for _, item := range v {
			writeJSON(e, item)
		}
		e.ArrEnd()
	case string:
		e.Str(v)
	case jx.Raw:
		e.Raw(v)
	}
}

// compact is the value as JSON.
func compact(value any) []byte {
	e := &jx.Encoder{}
	writeJSON(e, value)
	return e.Bytes()
}

// obj makes an object of names and values in turn.
func obj(pairs ...any) *object {
	o := &object{}
	for i := 0; i < len(pairs); i += 2 {
		o.set(pairs[i].(string), pairs[i+1])
	}
	return o
}

func texts(all ...string) list {
	l := make(list, len(all))
	for i, text := range all {
		l[i] = text
	}
	return l
}

// get is the member's value, nil if there is none.
func (o *object) get(name string) any {
	if o != nil {
		for _, m := range o.members {
			if m.name == name {
				return m.value
			}
		}
	}
	return nil
}

// at is the object at a path of names, nil if there is none.
func (o *object) at(path ...string) *object {
	for _, name := range path {
		o, _ = o.get(name).(*object)
	}
	return o
}

func (o *object) text(name string) string {
	text, _ := o.get(name).(string)
	return text
}

func (o *object) list(name string) list {
	l, _ := o.get(name).(list)
	return l
}

// set sets the member, in its place where it is there.
func (o *object) set(name string, value any) *object {
	for i := range o.members {
		if o.members[i].name == name {
			o.members[i].value = value
			return o
		}
	}
	o.members = append(o.members, member{name, value})
	return o
}

func (o *object) without(names ...string) *object {
	left := &object{}
	for _, m := range o.members {
		if !slices.Contains(names, m.name) {
			left.members = append(left.members, m)
		}
	}
	return left
}

// point is the object that a JSON pointer names (RFC 6901), nil if there is none.
func (o *object) point(pointer string) *object {
	var at any = o
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		switch v := at.(type) {
		case *object:
			at = v.get(unescape.Replace(token))
		case list:
			i, err := strconv.Atoi(token)
			if err != nil || i >= len(v) {
				return nil
			}
			at = v[i]
		}
	}
	found, _ := at.(*object)
	return found
}

var unescape = strings.NewReplacer("~1", "/", "~0", "~")

// marked puts the marks into the document.
func (o *object) marked(marks openapi.Marks) *object {
	for extension, of := range marks {
		for value, pointers := range of {
			for _, pointer := range pointers {
				if at := o.point(pointer); at != nil {
					at.set(extension, value)
				}
			}
		}
	}
	return o
}
