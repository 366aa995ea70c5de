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

// Declarations that need integer ids are refused where ids are texts or UUIDs.
func TestMistakesOfIDsThatAreNoIntegers(t *testing.T) {
	keyed := func(id ent.Field, more func()) func() {
		return func() {
			book.fields = with(book.fields, id)
			more()
		}
	}
	// shelved gives shelves ids that are texts.
	shelved := func(more func()) func() {
		return func() {
			shelf.fields = with(shelf.fields, field.String("id"))
			book.fields = with(book.fields, field.String("shelf_id").Optional().Nillable())
			more()
		}
	}
	wrong(t, library, []mistake{
		{"an id of a type of its own", keyed(field.String("id").GoType(expose.Filter), func() {}), `Book.id: an id of type expose.Use cannot be shown`},
		{"tenants with texts", shelved(func() {
			of := expose.Tenant("id")
			shelf.tenant = &of
		}), `Shelf.id: expose.Tenant: an id is no integer, and sessions and jobs name their tenant by integers: field.Int64("id"), or no field "id", is allowed, and the text or UUID in a unique field beside it`},
	})
}

// All other declarations are allowed where ids are texts and UUIDs.
func TestIDsThatAreNoIntegersHaveTheRest(t *testing.T) {
	library()
	shelf.fields = with(shelf.fields, field.String("id"))
	shelf.fields = with(shelf.fields, field.Int64("books_count").Default(0).Annotations(expose.CountOf("books", "NEW.lent").While("author_id")))
	book.fields = with(with(book.fields, field.UUID("id", uuid.UUID{}).Default(uuid.New)), field.String("shelf_id").Optional().Nillable())
	book.resource.Events[0].Payload = []string{"pages", "shelf_id"}
	if err := judge(t); err != nil {
		t.Error(err)
	}
}

// Declarations that the database keeps by a column id are refused where the id is in
// another column.
func TestMistakesOfIDsInOtherColumns(t *testing.T) {
	keyed := func(more func()) func() {
		return func() {
			book.fields = with(book.fields, field.Int64("id").StorageKey("isbn").Annotations(expose.By(expose.Filter, expose.Sort)))
			more()
		}
	}
	wrong(t, library, []mistake{
		{"a tree of rows whose id is in another column", keyed(func() {
			book.fields = with(book.fields, field.Int64("above_id").Optional().Nillable())
			book.edges = append(slices.Clip(book.edges), edge.To("parts", Book.Type).Annotations(expose.Tree(3)), ent.Edge(edge.From("above", Book.Type).Ref("parts").Field("above_id").Unique()))
		}), `Book.parts: expose.Tree: the id is in the column isbn, and the database keeps this by a column id`},
	})
}
