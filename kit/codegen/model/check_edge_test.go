package model_test

import (
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
)

func TestMistakesOfEdges(t *testing.T) {
	wrong(t, library, []mistake{
		{"many in a list of one", func() {
			book.edges[0] = edge.From("shelf", Shelf.Type).Ref("books").Field("shelf_id").Unique().Annotations(expose.Nested(expose.List))
		}, `Book.shelf: expose.Nested: an edge to many is allowed, or one to one whose foreign key is at the other end`},
		{"ends within what one does not have", func() {
			book.edges[0] = edge.From("shelf", Shelf.Type).Ref("books").Field("shelf_id").Unique().Annotations(expose.Within("pages"))
		}, `Book.shelf: expose.Within("pages"): a column of both ends is allowed that is an integer, Immutable and not Optional: Book has none`},
		{"ends within a parent, said where there is no foreign key", func() {
			shelf.edges[0] = edge.To("books", Book.Type).Annotations(expose.Within("pages"))
		}, `Shelf.books: expose.Within("pages"): an edge of many to many, or one with a foreign key of Shelf, is allowed`},
		{"changes without a table of them", func() { book.resource.Changes = true },
			`Book: changes: there is no table of changes: embed tables.Change`},
		{"changes where other rows are asked", func() { book.resource.Changes = true },
			`Book: changes: Read of the policy: policy.Related asks rows of "shelves", which change without a write of the row`},
		{"changes where a text is asked", func() { book.resource.Changes = true },
			`Book: changes: Read of the policy: policy.Is asks "currency", which is not kept of the row before`},
		{"a nested delete", func() {
			shelf.edges[0] = edge.To("books", Book.Type).Annotations(expose.Nested(expose.Delete))
		}, `Shelf.books: expose.Nested("delete"): list, read and create are allowed`},
		{"only edges of many to many can be attached to", func() {
			shelf.edges[0] = edge.To("books", Book.Type).Annotations(expose.Attached())
		}, `Shelf.books: expose.Attached: an edge of many to many is allowed`},
		{"what leads both ways is no edge to attach to", func() {
			book.edges = append(book.edges, edge.To("sequels", Book.Type).Annotations(expose.Attached()))
		}, `Book.sequels: expose.Attached: an edge of many to many is allowed`},
		{"to attach is to change", func() {
			book.resource.Operations = expose.ReadOnly()
			book.edges = append(book.edges, edge.To("readers", User.Type).Annotations(expose.Attached()))
			user.edges = []ent.Edge{edge.From("reads", Book.Type).Ref("readers")}
		}, `Book.readers: expose.Attached: an entity with a path of its own and expose.Patch is allowed`},
		{"who can't be named can't be attached", func() {
			book.edges = append(book.edges, edge.To("readers", User.Type).Annotations(expose.Attached()))
			user.edges = []ent.Edge{edge.From("reads", Book.Type).Ref("readers")}
		}, `Book.readers: expose.Attached: User is not exposed, so callers cannot name its rows`},
		{"the list of what is attached has a name of its own", func() {
			book.fields = with(book.fields, field.Int64("racked_ids").Default(0))
			book.edges = append(book.edges, edge.To("racked", Shelf.Type).Annotations(expose.Attached()))
		}, `Book.racked: expose.Attached: the REST name "racked_ids" is racked_ids's already`},
		{"a filter over an edge to many has a name of its own", func() {
			book.edges = append(book.edges, edge.To("tagged", Shelf.Type).Annotations(expose.FilterEdge()))
			book.fields = with(book.fields, field.String("words").Default("").Annotations(expose.By(expose.Filter), expose.Named("tagged")))
		}, `Book.tagged: expose.FilterEdge: the REST name "tagged" is a field's already`},
		{"one row through many", func() {
			shelf.edges[0] = edge.To("books", Book.Type).Annotations(expose.Through())
		}, `Shelf.books: expose.Through: an edge to one is allowed`},
		{"what is hidden and shown", func() {
			shelf.edges[0] = edge.To("books", Book.Type).Annotations(expose.Hidden(), expose.FilterEdge())
		}, `Shelf.books: expose.Hidden: the edge is not shown`},
		{"what is deleted with two", func() {
			user.resource = expose.Resource{Path: "users"}
			user.edges = []ent.Edge{edge.To("books", Book.Type).Annotations(expose.DeletedWith())}
			book.edges[1] = edge.From("author", User.Type).Ref("books").Field("author_id").Unique().Required()
		}, `schema/user.go: User.books: expose.DeletedWith: Book is deleted with another entity already`},
		{"one that is deleted with the other", func() {
			book.edges[0] = edge.From("shelf", Shelf.Type).Ref("books").Field("shelf_id").Unique().Annotations(expose.DeletedWith())
		}, `Book.shelf: expose.DeletedWith: an edge to many is allowed`},
	})
}
