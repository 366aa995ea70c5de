package model_test

import (
	"slices"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"github.com/entwine-go/entwine/kit/expose"
)

// What the database keeps by integers is refused where ids are texts or UUIDs.
func TestMistakesOfIDsThatAreNoIntegers(t *testing.T) {
	keyed := func(id ent.Field, more func()) func() {
		return func() {
			book.fields = with(book.fields, id)
			more()
		}
	}
	text, none := field.String("id"), func() {}
	wrong(t, library, []mistake{
		{"an id of a type of its own", keyed(field.String("id").GoType(expose.Filter), none), `Book.id: an id of type expose.Use cannot be shown`},
		{"a search of rows with UUIDs", keyed(field.UUID("id", uuid.UUID{}).Default(uuid.New), func() { book.resource.Search = []string{"title"} }), `Book: search: an id is no integer`},
		{"changes of rows with texts", keyed(text, func() { book.resource.Changes = true }), `Book: changes: an id is no integer`},
		{"events of rows with texts", keyed(text, func() { book.resource.Events = []expose.Topic{{Name: "book.made", On: "insert"}} }), `Book: events: an id is no integer`},
		{"a count of rows with texts", keyed(text, none), `Shelf.books_count: expose.CountOf("books"): an id is no integer`},
	})
}

// What the database keeps by a column id is refused where the id is in another.
func TestMistakesOfIDsInOtherColumns(t *testing.T) {
	keyed := func(more func()) func() {
		return func() {
			book.fields = with(book.fields, field.Int64("id").StorageKey("isbn").Annotations(expose.By(expose.Filter, expose.Sort)))
			more()
		}
	}
	wrong(t, library, []mistake{
		{"a search of rows whose id is in another column", keyed(func() { book.resource.Search = []string{"title"} }), `Book: search: the id is in the column isbn, and the database keeps this by a column id`},
		{"changes of rows whose id is in another column", keyed(func() { book.resource.Changes = true }), `Book: changes: the id is in the column isbn`},
		{"a tree of rows whose id is in another column", keyed(func() {
			book.fields = with(book.fields, field.Int64("above_id").Optional().Nillable())
			book.edges = append(slices.Clip(book.edges), edge.To("parts", Book.Type).Annotations(expose.Tree(3)), ent.Edge(edge.From("above", Book.Type).Ref("parts").Field("above_id").Unique()))
		}), `Book.parts: expose.Tree: the id is in the column isbn`},
	})
}
