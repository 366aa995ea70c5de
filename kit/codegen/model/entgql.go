package model

import (
	"encoding/json"
	"maps"
	"slices"

	"entgo.io/contrib/entgql"
	"entgo.io/ent/entc/load"

	"github.com/entwine-go/entwine/kit/expose"
)

// HonourGraphQL has both APIs keep what entgql's annotations keep out of GraphQL: it
// is said in the vocabulary of package expose, by which all that is generated goes.
// The check refuses annotations without a counterpart in it.
func HonourGraphQL(s *load.Schema) error {
	for _, f := range s.Fields {
		var a entgql.Annotation
		says, err := Annotation(f.Annotations, &a)
		if err != nil || !says {
			continue // the check of all fields reports it
		}
		var shown expose.Field
		if _, err := Annotation(f.Annotations, &shown); err != nil {
			continue
		}
		if f.Annotations, err = said(f.Annotations, shownBy(a, shown)); err != nil {
			return err
		}
	}
	for _, e := range Ends(s) {
		var a entgql.Annotation
		var shown expose.Edge
		says, err := Annotation(e.Annotations, &a)
		if _, bad := Annotation(e.Annotations, &shown); err != nil || bad != nil || !says {
			continue
		}
		shown.Hidden = shown.Hidden || a.Skip&entgql.SkipType != 0
		shown.Filter = shown.Filter && a.Skip&entgql.SkipWhereInput == 0
		if e.Annotations, err = said(e.Annotations, shown); err != nil {
			return err
		}
	}
	return nil
}

// unset are the modes that keep a field out of the inputs of mutations, and whole those
// that keep it out of all that clients see.
const (
	unset = entgql.SkipMutationCreateInput | entgql.SkipMutationUpdateInput
	whole = entgql.SkipType | unset
)

// shownBy is the annotation of package expose for a field with entgql's annotation a.
func shownBy(a entgql.Annotation, f expose.Field) expose.Field {
	without := func(use expose.Use) {
		f.By = slices.DeleteFunc(slices.Clone(f.By), func(u expose.Use) bool { return u == use })
	}
	if a.OrderField != "" && !slices.Contains(f.By, expose.Sort) {
		f.By = append(slices.Clone(f.By), expose.Sort)
	}
	if a.Skip&entgql.SkipOrderField != 0 {
		without(expose.Sort)
	}
	if a.Skip&entgql.SkipWhereInput != 0 {
		without(expose.Filter)
		without(expose.Search)
	}
	switch {
	case a.Skip&whole == whole:
		f.Internal = true
	case a.Skip&entgql.SkipType != 0:
		f.Secret = true
	case a.Skip&unset == unset:
		f.ReadOnly = true
	}
	if a.Skip&unset == entgql.SkipMutationUpdateInput {
		f.Initial = true
	}
	return f
}

// said is the annotations with one more, as Ent's loader has them.
func said(annotations map[string]any, more interface{ Name() string }) (map[string]any, error) {
	encoded, err := json.Marshal(more)
	if err != nil {
		return nil, err
	}
	var decoded any
	if err := json.Unmarshal(encoded, &decoded); err != nil {
		return nil, err
	}
	all := maps.Clone(annotations)
	all[more.Name()] = decoded
	return all, nil
}
