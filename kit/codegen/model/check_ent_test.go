package model_test

import (
	"testing"

	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/expose"
)

// keyOfTwo is the key that package orm makes of field.ID.
var keyOfTwo = model.RowKey{Table: "pairs", View: "pairs_rows", Columns: []string{"a", "b"}}

func TestMistakesOfEntsOwn(t *testing.T) {
	wrong(t, library, []mistake{
		{"an id of two fields", func() { user.says = []schema.Annotation{field.ID("created_at", "deleted_at")} }, `User.id: field.ID("created_at", "deleted_at"): a row has one key`},
		{"changes of a key of several columns", func() {
			bookField(field.String("a"))()
			book.says = []schema.Annotation{keyOfTwo}
		}, `Book.a: field.ID: the key of a row never changes`},
		{"a key of several columns that no client gives", func() {
			bookField(field.String("b").Immutable().Default("x").Annotations(expose.Computed()))()
			book.says = []schema.Annotation{keyOfTwo}
		}, `Book.b: field.ID: operation "create": clients give the key`},
		{"an edge to rows whose key is of several columns", func() {
			shelf.says = []schema.Annotation{keyOfTwo}
			book.edges = append(book.edges, edge.To("stand", Shelf.Type).Unique())
			shelf.edges = append(shelf.edges, edge.From("stands", Book.Type).Ref("stand"))
		}, `Shelf.stands: field.ID: a foreign key to its rows`},
		{"a required row that nobody can name", func() {
			book.edges = append(book.edges, edge.To("editor", User.Type).Unique().Required())
		}, `Book.editor: edge.Required: no client could name the row`},
		{"required rows at the other end", func() {
			shelf.edges = append(shelf.edges, edge.To("spares", Book.Type).Required())
		}, `Shelf.spares: edge.Required: Shelf is made alone`},
		{"a default of a UUID that is no expression", bookField(field.UUID("lot", uuid.Nil).Annotations(entsql.Default(uuid.Nil.String()))), `Book.lot: entsql.Default("00000000-0000-0000-0000-000000000000"): PostgreSQL reads it as a number`},
		{"a table of two entities", func() { book.says = []schema.Annotation{entsql.Table("Shelves")} }, `entsql.Table: "Shelves" is the table of`},
		{"an upsert of states", func() {
			bookField(field.Enum("state").Values("here", "lost").Default("here").Annotations(expose.Computed(),
				expose.States(expose.On("lose").From("here").To("lost").BySystem())))()
			book.says = []schema.Annotation{expose.Client{Upsert: true}}
		}, `Book.state: expose.States: expose.Client{Upsert: true}`},
	})
}
