package expose

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/policy"
)

// Refers makes an integer field of an action's input the id of a row of the entity
// with the name. An id of no row, or of one that the caller cannot read, is refused
// with 422. Fields of entities say so by their edges.
func Refers(entity string) Field { return Field{Refers: entity} }

// Moment lets a time of an action's input be a day as well: its beginning.
func Moment() Field { return Field{Format: MomentFormat} }

// EndMoment lets a time of an action's input be a day as well: its end.
func EndMoment() Field { return Field{Format: EndFormat} }

// The formats of [Moment] and [EndMoment].
const (
	MomentFormat = "moment"
	EndFormat    = "end"
)

// Choice is a value out of a set, with its description.
type Choice struct {
	Value   string `json:"value"`             // the form that is stored and sent
	Comment string `json:"comment,omitempty"` // what it stands for
}

// Enum names the GraphQL type of an enum, or of the items of a list of texts, and
// describes each value. Of an enum field, the choices are those of its Values, in
// any order.
//
//	field.Enum("type").Values("sales", "users").Annotations(expose.Enum("ReportType", "What a report is about.",
//		expose.Choice{Value: "sales", Comment: "An order in each row."}, …))
func Enum(name, comment string, choices ...Choice) Field {
	return Field{Enum: &EnumType{Name: name, Comment: comment, Choices: choices}}
}

// EnumType is the type of an enum in GraphQL.
type EnumType struct {
	Name    string   `json:"name"`              // of the type in GraphQL
	Comment string   `json:"comment,omitempty"` // describes the type
	Choices []Choice `json:"choices,omitempty"` // what its values stand for
}

// ObjectType is the type of the items of [ObjectList].
type ObjectType struct {
	// Name is that of GraphQL's input, "OrderItemInput".
	Name    string `json:"name"`
	Comment string `json:"comment,omitempty"` // describes the input
	// Minimum and Maximum bound how many there are.
	Minimum int `json:"minimum"`
	Maximum int `json:"maximum"`
	// Fields are their members, each an [ent.Field].
	Fields []*Sent `json:"fields"`
}

// ObjectList is a field of an action's input with a list of objects, of minimum
// to maximum items that have the fields:
//
//	expose.ObjectList("items", expose.ObjectType{Name: "OrderItemInput", Comment: "A product that is ordered.", Minimum: 1, Maximum: 1000},
//		field.Int64("product_id").Annotations(expose.Refers("Product")),
//		expose.Range(field.Int64("quantity"), 1, 10_000)).
//		Optional().Comment("The products.")
func ObjectList(name string, of ObjectType, fields ...ent.Field) *ObjectField {
	for _, f := range fields {
		of.Fields = append(of.Fields, NewSent(f))
	}
	d := field.JSON(name, []map[string]any{}).Annotations(Field{Object: &of}).Descriptor()
	return &ObjectField{d: d, fields: fields}
}

// ObjectField is a field that [ObjectList] makes.
type ObjectField struct {
	d      *field.Descriptor
	fields []ent.Field
}

// Descriptor implements [ent.Field].
func (f *ObjectField) Descriptor() *field.Descriptor { return f.d }

// Members are the fields of each object.
func (f *ObjectField) Members() []ent.Field { return f.fields }

// Optional lets the field be left out.
func (f *ObjectField) Optional() *ObjectField {
	f.d.Optional = true
	return f
}

// Comment describes the field.
func (f *ObjectField) Comment(text string) *ObjectField {
	f.d.Comment = text
	return f
}

// Annotations adds annotations.
func (f *ObjectField) Annotations(annotations ...schema.Annotation) *ObjectField {
	f.d.Annotations = append(f.d.Annotations, annotations...)
	return f
}

// Sent is a field of an input in the form that reaches the generator: its
// descriptor without the parts that are Go code. It is an [ent.Field] itself.
// Schemas do not fill it in: see [NewSent].
type Sent struct {
	Name     string                  `json:"name"`
	Info     *field.TypeInfo         `json:"type"`
	Optional bool                    `json:"optional,omitempty"`
	Nillable bool                    `json:"nillable,omitempty"`
	Default  any                     `json:"default,omitempty"`
	Enums    []struct{ N, V string } `json:"enums,omitempty"`
	Comment  string                  `json:"comment,omitempty"`
	Says     Field                   `json:"says"`
	// Change comes from [Was] and Ending from [Deprecated], nil without them.
	Change *Change `json:"change,omitempty"`
	Ending *Ending `json:"ending,omitempty"`
}

// NewSent describes a field.
func NewSent(f ent.Field) *Sent {
	d := f.Descriptor()
	s := &Sent{
		Name: d.Name, Info: d.Info, Optional: d.Optional, Nillable: d.Nillable, Default: d.Default,
		Enums: d.Enums, Comment: d.Comment, Says: FieldOf(d),
	}
	for _, a := range d.Annotations {
		switch a := a.(type) {
		case Change:
			if s.Change != nil {
				a = s.Change.Merge(a).(Change)
			}
			s.Change = &a
		case Ending:
			s.Ending = &a
		}
	}
	return s
}

// Descriptor implements [ent.Field].
func (s *Sent) Descriptor() *field.Descriptor {
	value := s.Default
	if number, ok := value.(float64); ok && s.Info.Type.Integer() { // as JSON has it
		value = int64(number)
	}
	annotations := []schema.Annotation{s.Says}
	if s.Change != nil {
		annotations = append(annotations, *s.Change)
	}
	if s.Ending != nil {
		annotations = append(annotations, *s.Ending)
	}
	return &field.Descriptor{
		Name: s.Name, Info: s.Info, Optional: s.Optional, Nillable: s.Nillable, Default: value,
		Enums: s.Enums, Comment: s.Comment, Annotations: annotations,
	}
}

// FieldOf returns what package expose says of a field, merged as Ent does.
func FieldOf(d *field.Descriptor) (all Field) {
	for _, a := range d.Annotations {
		if f, ok := a.(Field); ok {
			all = all.Merge(f).(Field)
		}
	}
	return all
}

// Conditions are the rules for the rows to which each action and link of a
// schema is offered to any viewer, by its name: folded.
func Conditions(s ent.Interface) map[string]policy.Rule {
	r, _ := ResourceOf(s)
	state, moves := "", []Move(nil)
	for _, f := range s.Fields() {
		if says := FieldOf(f.Descriptor()); len(says.Moves) > 0 {
			state, moves = f.Descriptor().Name, says.Moves
		}
	}
	rules := map[string]policy.Rule{}
	for _, a := range r.Actions {
		rules[a.Verb] = a.Offered(state, moves)
	}
	for _, l := range r.Links {
		rules[l.Name] = Action{When: l.When}.Condition("", nil)
	}
	return rules
}

// ResourceOf returns what a schema says of how it is exposed, and whether it does.
func ResourceOf(s ent.Interface) (Resource, bool) {
	for _, a := range s.Annotations() {
		if r, ok := a.(Resource); ok {
			return r, true
		}
	}
	return Resource{}, false
}
