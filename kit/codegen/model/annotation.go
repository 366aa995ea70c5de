package model

import (
	"encoding/json"
	"strings"

	"entgo.io/ent/entc/gen"
	"entgo.io/ent/schema"

	"github.com/entwine-go/entwine/kit/expose"
)

// FieldAnnotation decodes what package expose says of a field, of nothing
// where it says nothing.
func FieldAnnotation(annotations map[string]any) (expose.Field, error) {
	var a expose.Field
	_, err := Annotation(annotations, &a)
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

// comment is what the schema says of the entity.
func comment(t *gen.Type) string {
	var c schema.CommentAnnotation
	if _, err := Annotation(t.Annotations, &c); err != nil || c.Text == "" {
		return t.Name + "."
	}
	return strings.TrimSpace(c.Text)
}
