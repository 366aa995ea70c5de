package model_test

import (
	"slices"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
)

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
