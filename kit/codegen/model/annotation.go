package model

import (
	"encoding/json"
	"strings"

	"entgo.io/ent/entc/gen"
	"entgo.io/ent/schema"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/viewer"
)

// FieldAnnotation decodes what package expose says of a field, of nothing
// where it says nothing. A rule over the rows that are counted is SQL in it, as a
// condition is that was written so: one that can't be stays, for the check to tell.
func FieldAnnotation(annotations map[string]any) (expose.Field, error) {
	var a expose.Field
	_, err := Annotation(annotations, &a)
	if t := a.Tally; t != nil && t.Where != nil && local(*t.Where) {
		when := strings.ReplaceAll(ruleSQL(t.Where.For(viewer.Anonymous()), "NEW"), `"NEW".`, "NEW.")
		if t.When != "" {
			when = "(" + t.When + ") AND " + when
		}
		t.When, t.Where = when, nil
	}
	return a, err
}

// Annotation decodes the annotation with target's name, and reports whether there is one.
func Annotation(annotations map[string]any, target schema.Annotation) (bool, error) {
	raw, ok := annotations[target.Name()]
	if !ok {
		return false, nil
	}
	encoded, err := json.Marshal(raw)
	if err != nil {
		return false, err
	}
	return true, json.Unmarshal(encoded, target)
}

// comment is the entity's comment in the schema.
func comment(t *gen.Type) string {
	var c schema.CommentAnnotation
	if _, err := Annotation(t.Annotations, &c); err != nil || c.Text == "" {
		return t.Name + "."
	}
	return strings.TrimSpace(c.Text)
}
