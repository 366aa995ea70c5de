package expose

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/money"
)

// Moments, One, Values and Texts are shapes of members of an answer: a time, an
// object, a value of an enum, and a list of texts, or of such values.
const (
	Moments Shape = "time"
	One     Shape = "object"
	Values  Shape = "enum"
	Texts   Shape = "texts"
)

// AnswerOf describes an answer by an example: a value of the struct that a method
// returns. Its members are those of [MembersOf], the type has the struct's name and
// the comment of its blank field, and the documents show the value. REST has it in
// data.
func AnswerOf(example any) Answer {
	text, err := json.Marshal(example)
	if err != nil {
		panic(err) // the schema is wrong
	}
	o := objectOf(reflect.TypeOf(example))
	return Answer{Object: o.Name, Comment: o.Comment, Members: o.Members, Example: string(text)}
}

// MembersOf describes an answer by the struct that a method returns: a member for
// each field, named by its json tag and described by its comment and example tags.
// A pointer can be null; a slice is a list of objects, a struct an object, which
// the comment of its blank field describes; [money.Amount] is an amount. A format
// tag names the format of a text; a member tagged refers:"Product" is the id of a
// product. A type with a method Enum is one of its values.
func MembersOf(object any) []Member { return objectOf(reflect.TypeOf(object)).Members }

// MemberObject describes a member that is an object, or a list of objects.
type MemberObject struct {
	Name    string   `json:"name"`              // the type in GraphQL
	Comment string   `json:"comment,omitempty"` // describes the type
	Members []Member `json:"members,omitempty"` // in the order of the struct
}

// enumerated is a text out of a set.
type enumerated interface{ Enum() Field }

func objectOf(t reflect.Type) *MemberObject {
	o := &MemberObject{Name: t.Name()}
	for f := range t.Fields() {
		switch {
		case f.Name == "_": // which says what the object is
			o.Comment = f.Tag.Get("comment")
		case f.Anonymous:
			o.Members = append(o.Members, objectOf(f.Type).Members...)
		default:
			o.Members = append(o.Members, memberOf(f))
		}
	}
	return o
}

func memberOf(f reflect.StructField) Member {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	m := Member{Name: name, Comment: f.Tag.Get("comment"), Format: f.Tag.Get("format"), Refers: f.Tag.Get("refers"), Shape: Text}
	t := f.Type
	if t.Kind() == reflect.Pointer {
		m.Nullable, t = true, t.Elem()
	}
	list := t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.String
	if list {
		t = t.Elem()
	}
	values, isEnum := reflect.TypeAssert[enumerated](reflect.Zero(t))
	switch {
	case isEnum:
		m.Shape, m.Enum = Values, values.Enum().Enum
	case t == reflect.TypeFor[time.Time]():
		m.Shape = Moments
	case t == reflect.TypeFor[money.Amount](), f.Tag.Get("money") != "":
		m.Shape = Amount
	case t.Kind() == reflect.Int64:
		m.Shape = Count
	case t.Kind() == reflect.Bool:
		m.Shape = Flag
	case t.Kind() == reflect.Slice:
		m.Shape, m.Object = Objects, objectOf(t.Elem())
	case t.Kind() == reflect.Struct:
		m.Shape, m.Object = One, objectOf(t)
	}
	if list {
		m.Shape = Texts
	}
	if text, ok := f.Tag.Lookup("example"); ok {
		m.Example = example(text)
	}
	return m
}
