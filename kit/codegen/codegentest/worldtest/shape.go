package worldtest

import (
	"slices"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	entschema "entgo.io/ent/schema"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// Shape has the declarations of a schema. The entity has an id even where Fields
// do not name one.
type Shape struct {
	Resource expose.Resource
	Fields   []ent.Field
	Edges    []ent.Edge
	Indexes  []ent.Index
	Checks   map[string]string
	Change   *expose.Change
	Rules    policy.Rules
	// Hidden keeps Resource out of the schema.
	Hidden bool
	Table  string
	Tenant *expose.Belonging
	// Key are the fields that are the key together, instead of an id.
	Key []string
}

// With adds fields, or replaces those of the same name.
func (s *Shape) With(fields ...ent.Field) {
	s.Fields = slices.Clone(s.Fields)
	for _, f := range fields {
		if i := s.index(f.Descriptor().Name); i < 0 {
			s.Fields = append(s.Fields, f)
		} else {
			s.Fields[i] = f
		}
	}
}

// Without removes a field.
func (s *Shape) Without(name string) {
	s.Fields = slices.DeleteFunc(slices.Clone(s.Fields), func(f ent.Field) bool { return f.Descriptor().Name == name })
}

func (s *Shape) index(name string) int {
	return slices.IndexFunc(s.Fields, func(f ent.Field) bool { return f.Descriptor().Name == name })
}

// schema is Ent's schema of a shape.
type schema struct {
	ent.Schema
	of *Shape
}

func (s schema) Fields() []ent.Field {
	if s.of.index("id") >= 0 || len(s.of.Key) > 0 {
		return s.of.Fields
	}
	return append([]ent.Field{field.Int64("id").Annotations(expose.By(expose.Sort))}, s.of.Fields...)
}

func (s schema) Annotations() []entschema.Annotation {
	var all []entschema.Annotation
	if !s.of.Hidden {
		all = append(all, s.of.Resource)
	}
	if s.of.Checks != nil {
		all = append(all, entsql.Checks(s.of.Checks))
	}
	if s.of.Table != "" {
		all = append(all, entsql.Table(s.of.Table))
	}
	if s.of.Tenant != nil {
		all = append(all, *s.of.Tenant)
	}
	if s.of.Change != nil {
		all = append(all, *s.of.Change)
	}
	if k := s.of.Key; len(k) > 0 {
		all = append(all, field.ID(k[0], k[1], k[2:]...))
	}
	return all
}
func (s schema) Edges() []ent.Edge    { return s.of.Edges }
func (s schema) Indexes() []ent.Index { return s.of.Indexes }
func (s schema) Policy() ent.Policy   { return s.of.Rules }
