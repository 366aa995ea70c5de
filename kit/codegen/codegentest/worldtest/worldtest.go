// Package worldtest gives tests schemas that they change before anything is
// generated of them: people, their posts, and tags of these. The test declares the
// three; package worldtest makes Ent's schemas of that without compiling anything.
package worldtest

import (
	"slices"
	"strings"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/entc/load"
	entschema "entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/tables"
)

// The entities.
type (
	// Author has posts.
	Author struct{ schema }
	// Writer is the new name of an Author after [World.Rename].
	Writer struct{ schema }
	// Post has an author and tags.
	Post struct{ schema }
	// Tag is one of posts.
	Tag struct{ schema }
	// Event is a row of the table of events.
	Event struct{ schema }
	// Job is the kit's.
	Job struct{ tables.Job }
	// JobChunk is the kit's.
	JobChunk struct{ tables.JobChunk }
)

// World has the declarations. There is no Tag while it has no fields.
type World struct {
	Author, Post, Tag Shape
	// Events is set where there is a table of events, Jobs where there are the
	// tables of jobs.
	Events, Jobs bool
	writer       bool
}

// Rename has authors be called writers. The first edge of posts leads to them.
func (w *World) Rename() {
	w.writer = true
	w.Post.Edges = slices.Clone(w.Post.Edges)
	w.Post.Edges[0] = edge.From("author", Writer.Type).Ref("posts").Field("author_id").Unique().Required().
		Annotations(w.Post.Edges[0].Descriptor().Annotations...)
	w.Author.Resource.Path = "writers"
}

// AddEditor gives posts an edge to an author, with the field editor_id. says is
// said of the field.
func (w *World) AddEditor(optional bool, says ...entschema.Annotation) {
	f, e := field.Int64("editor_id").Annotations(says...), edge.To("editor", Author.Type).Field("editor_id").Unique()
	if optional {
		f.Optional().Nillable()
	} else {
		e.Required()
	}
	w.Post.With(f)
	w.Post.Edges = append(slices.Clip(w.Post.Edges), e)
}

// Schemas are those of the entities.
func (w *World) Schemas() []ent.Interface {
	all := []ent.Interface{Post{schema{of: &w.Post}}}
	if w.writer {
		all = append(all, Writer{schema{of: &w.Author}})
	} else {
		all = append(all, Author{schema{of: &w.Author}})
	}
	if w.Tag.Fields != nil {
		all = append(all, Tag{schema{of: &w.Tag}})
	}
	if w.Events {
		all = append(all, Event{schema{of: &Shape{Hidden: true, Fields: []ent.Field{
			field.Int64("xid"), field.String("topic"), field.String("entity"), field.Int64("entity_id"),
			field.String("entity_text").Optional().Nillable(), field.Int64("key"), field.String("key_text").Optional().Nillable(), field.String("payload").Optional().Nillable(), field.Time("created_at"),
		}}}})
	}
	if w.Jobs {
		all = append(all, Job{}, JobChunk{})
	}
	return all
}

// Load returns the schemas as Ent loads them, by their names.
func (w *World) Load(t testing.TB) (all []*load.Schema) {
	t.Helper()
	for _, s := range w.Schemas() {
		encoded, err := load.MarshalSchema(s)
		if err != nil {
			t.Fatal(err)
		}
		loaded, err := load.UnmarshalSchema(encoded)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, loaded)
	}
	slices.SortFunc(all, func(a, b *load.Schema) int { return strings.Compare(a.Name, b.Name) })
	return all
}
