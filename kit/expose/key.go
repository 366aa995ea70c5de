package expose

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
)

// Key is the field of a foreign key that an edge names by its Field and that the
// schema does not declare. The edge gives it type and annotations.
//
//	edge.From("post", Post.Type).Ref("comments").Field("post_id").Unique().Required().Immutable().
//		Comment("The post it is about.").
//		Annotations(expose.By(expose.Filter)),
func Key(name, comment string, required, immutable bool) ent.Field {
	key := field.Int64(name).Comment(comment)
	if !required {
		key.Optional().Nillable()
	}
	if immutable {
		key.Immutable()
	}
	return key
}

// Keys are the fields of [Key] that the edges name and that are not among the fields.
func Keys(fields []ent.Field, edges []ent.Edge) (all []ent.Field) {
	declared := map[string]bool{}
	for _, f := range fields {
		declared[f.Descriptor().Name] = true
	}
	var ends []*edge.Descriptor
	for _, e := range edges {
		d := e.Descriptor()
		if ends = append(ends, d); d.Ref != nil { // edge.To("children", …).From("parent") declares both
			ends = append(ends, d.Ref)
		}
	}
	for _, d := range ends {
		if d.Field == "" || declared[d.Field] {
			continue
		}
		declared[d.Field] = true
		key := Key(d.Field, d.Comment, d.Required, d.Immutable)
		for _, a := range d.Annotations {
			if says, ok := a.(Field); ok {
				key.Descriptor().Annotations = append(key.Descriptor().Annotations, says)
			}
		}
		all = append(all, key)
	}
	return all
}
