package model_test

import (
	"slices"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// Checks, trees, counts and sums.
func TestMistakesOfWhatDatabasesKeep(t *testing.T) {
	checks := func(all ...expose.Check) func() { return func() { book.resource.Checks = all } }
	shelfEdge := func(name string, says ...schema.Annotation) func() {
		return func() { shelf.edges = []ent.Edge{edge.To(name, Book.Type).Annotations(says...)} }
	}
	grown := func(key ent.Field, says ...schema.Annotation) func() {
		return func() {
			book.fields = with(book.fields, key)
			above := edge.From("above", Book.Type).Ref("parts").Field("above_id").Unique()
			if !key.Descriptor().Optional {
				above.Required()
			}
			book.edges = append(slices.Clip(book.edges), edge.To("parts", Book.Type).Annotations(says...), above)
		}
	}
	wrong(t, library, []mistake{
		{"a check without a field", checks(expose.Check{Name: "cheap", Rule: policy.Is("lent", true), Says: "must be so"}), `Book: check "cheap": Fields are needed`},
		{"a check that names what is not shown", checks(expose.Check{Name: "cheap", Rule: policy.Is("lent", true), Says: "must be so", Fields: []string{"cost"}}), `Book: check "cheap": field "cost": the fields that are shown are allowed: id`},
		{"a check of a column that there is not", checks(expose.Check{Name: "cheap", Rule: policy.Less("pages", "cost"), Says: "must be so", Fields: []string{"pages"}}), `Book: check "cheap": policy.Less("pages", "cost"): books has no column "cost"`},
		{"a check of the caller", checks(expose.Check{Name: "mine", Rule: policy.Owner("author_id"), Says: "must be so", Fields: []string{"pages"}}), `Book: check "mine": a rule about columns of the row alone is allowed`},
		{"a check of another row", checks(expose.Check{Name: "there", Rule: policy.Related("shelf_id", "shelves", policy.Null("deleted_at")), Says: "must be so", Fields: []string{"pages"}}), `Book: check "there": a rule about columns of the row alone is allowed`},
		{"a check twice", checks(expose.Check{Name: "a", Rule: policy.Is("lent", true), Says: "must be so", Fields: []string{"lent"}}, expose.Check{Name: "a", Rule: policy.Is("lent", true), Says: "must be so", Fields: []string{"lent"}}), `Book: check "a": a name of lower-case letters, digits and _ is allowed, each once`},
		{"a tree of rows of two entities", shelfEdge("books", expose.Tree(3)), `Shelf.books: expose.Tree: an edge to many between rows of one entity is allowed`},
		{"a tree whose rows all are below others", grown(field.Int64("above_id"), expose.Tree(3)), `Book.parts: expose.Tree: an edge to many between rows of one entity is allowed, whose edge back has a field that is Optional and Nillable`},
		{"a tree of one level", grown(field.Int64("above_id").Optional().Nillable(), expose.Tree(1)), `Book.parts: expose.Tree: 1 levels: 2 to 64 are allowed`},
		{"a tree that no API shows", grown(field.Int64("above_id").Optional().Nillable(), expose.Tree(3), expose.Hidden()), `Book.parts: expose.Hidden: the edge is not shown`},
		{"a tree whose names are taken", func() {
			grown(field.Int64("above_id").Optional().Nillable(), expose.Tree(3))()
			book.fields = with(book.fields, field.Int("ancestors").Default(0))
		}, `Book.parts: expose.Tree: the name "ancestors" is what it adds, and is taken already`},
		{"a count of what the caller owns", shelfField(field.Int64("books_count").Default(0).Annotations(expose.CountOf("books", "").Where(policy.Owner("author_id")))), `Shelf.books_count: expose.CountOf("books").Where: a rule about columns of the row alone is allowed`},
		{"a count by a rule over a column that there is not", shelfField(field.Int64("books_count").Default(0).Annotations(expose.CountOf("books", "").Where(policy.Is("sold", true)))), `expose.CountOf: condition "NEW.\"sold\"": Book has no column "sold"`},
		{"a count of nothing", shelfField(field.Int64("books_count").Default(0).Annotations(expose.CountOf("papers", ""))), `Shelf.books_count: expose.CountOf("papers"): an edge to many is allowed`},
		{"a count in text", shelfField(field.String("books_count").Default("").Annotations(expose.CountOf("books", ""))), `Shelf.books_count: expose.CountOf: an integer with the default 0 is allowed`},
		{"a sum of texts", shelfField(field.Int64("pages").Default(0).Annotations(expose.SumOf("books", "currency", ""))), `Shelf.pages: expose.SumOf("books", "currency"): an integer of Book is allowed: deleted_with, pages, price`},
		{"a count by a column that there is not", shelfField(field.Int64("books_count").Default(0).Annotations(expose.CountOf("books", "NEW.sold"))), `expose.CountOf: condition "NEW.sold": Book has no column "sold"`},
		{"a count by what was", shelfField(field.Int64("books_count").Default(0).Annotations(expose.CountOf("books", "OLD.lent"))), `condition "OLD.lent": NEW is allowed, and no OLD`},
		{"a mean of nothing", shelfField(field.Float("mean").Optional().Nillable().Annotations(expose.MeanOf("pages", "name"))), `Shelf.mean: expose.MeanOf("pages", "name"): a field by expose.SumOf and one by expose.CountOf`},
		{"a mean that can't be absent", shelfField(field.Float("mean").Default(0).Annotations(expose.MeanOf("pages", "books_count"))), `Shelf.mean: expose.MeanOf: a nillable float is allowed`},
	})
}
