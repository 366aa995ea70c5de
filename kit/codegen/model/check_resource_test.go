package model_test

import (
	"strings"
	"testing"

	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

func TestMistakesOfResources(t *testing.T) {
	asks := func(q expose.Query) func() {
		q.Comment = "Books."
		return func() { book.resource.Queries = []expose.Query{q} }
	}
	wrong(t, library, []mistake{
		{"a path with capitals", func() { shelf.resource.Path = "Shelves" }, `schema/shelf.go: Shelf: path "Shelves": one or two parts of lower-case words`},
		{"a path that is taken", func() { shelf.resource.Path = "books" }, `schema/book.go: Book: path "books" is Shelf's already`},
		{"an operation that there is not", func() { shelf.resource.Operations = []expose.Operation{"upsert"} }, `Shelf: operation "upsert": list, create, read`},
		{"an operation twice", func() { shelf.resource.ByHand = []expose.Operation{expose.List} }, `Shelf: operation "list" is named twice`},
		{"a sort by what can't be sorted", func() { shelf.resource.Sort = "-name,deleted_at" }, `Shelf: sort "deleted_at": fields with expose.By(expose.Sort) are allowed: id, created_at, name`},
		{"a page that is too large", func() { shelf.resource.Limit = 1000 }, `Shelf: limit 1000: 1 to 100`},
		{"a key that is not unique", func() { shelf.indexes = nil }, `Shelf: key "name": a text field with a unique index`},
		{"a key that there is not", func() { shelf.resource.Key = "title" }, `Shelf: key "title": a text field`},
		{"a name of nothing", func() { shelf.resource.Names = map[string]string{"title": "Title"} }, `Shelf: names "title": the fields that are shown are allowed: id, created_at, deleted_at, name`},
		{"a search of what can't be searched", func() { book.resource.Search = []string{"currency"} }, `schema/book.go: Book: search "currency": text fields with expose.By(expose.Search) are allowed`},
		{"a search of what is found by another key", func() { shelf.resource.Search = []string{"name"} }, `Shelf: search: an entity whose rows are read at the path with their id`},
		{"a search of one field twice", func() { shelf.resource.Key, shelf.resource.Search = "", []string{"name", "name"} }, `Shelf: search "name" is named twice`},
		{"a title that can be absent", func() {
			book.fields = with(book.fields, field.String("note").Optional().Nillable().Annotations(expose.By(expose.Search)))
			book.resource.Search = []string{"note"}
		}, `Book: search "note": the first is the title of what is found`},
		{"an operation that ends and is not there", func() {
			shelf.resource.Deprecated = map[expose.Operation]expose.Ending{"audit": expose.Deprecated("2027-01-31", "", "look")}
		}, `Shelf: deprecated: there is no operation "audit"`},
		{"a public field that there is not", func() { shelf.resource.Public = []string{"title"} }, `Shelf: public "title": the fields`},
		{"a parent that there is not", func() { book.resource.Under = "room" }, `Book: under "room": a required edge to one`},
		{"a parent that can be absent", func() { book.resource.Under = "shelf" }, `Book: under "shelf": a required edge to one`},
		{"a listing of one", func() { book.resource.Under = "author" }, `Book: operation "list": of an entity under another`},
		{"a query in capitals", asks(expose.Query{Name: "Books"}), `schema/book.go: Book: query "Books": a camelCase name is allowed`},
		{"a query that says nothing", func() { book.resource.Queries = []expose.Query{{Name: "books"}} }, `Book: query "books": a Comment is needed`},
		{"a query of the name of another", asks(expose.Query{Name: "shelf"}), `Book: query "shelf": the name is taken by a query of Shelf`},
		{"a query by what is no key", asks(expose.Query{Name: "books", By: "pages"}), `Book: query "books": by "pages": a foreign key is allowed: shelf_id, author_id`},
		{"a query for what is not searched", asks(expose.Query{Name: "books", Search: "text"}), `Book: query "books": search: a field with expose.By(expose.Search) is needed`},
		{"a query for a text without a name", asks(expose.Query{Name: "books", Search: "a text"}), `Book: query "books": search "a text": a camelCase name`},
		{"a query for the caller of what is none", asks(expose.Query{Name: "mine", Caller: true}), `Book: query "mine": Caller: callers are rows of User`},
		{"a query for pages of the caller", asks(expose.Query{Name: "mine", Caller: true, Pages: true}), `Book: query "mine": Caller answers with one row`},
		{"two of one address below a parent", func() {
			user.resource, user.rules = expose.Resource{Path: "users", Operations: expose.ReadOnly()}, policy.Rules{}
			for i, d := range []*definition{&shelf, &book} {
				d.resource.Path, d.resource.Under, d.resource.Key = "place", "author", ""
				d.resource.Operations = []expose.Operation{expose.Read}
				d.fields = with(d.fields, field.Int64("author_id"))
				if i == 0 {
					d.edges = append(d.edges, edge.To("author", User.Type).Field("author_id").Unique().Required())
				}
			}
		}, `schema/book.go: Book: get /users/{}/place is an operation of Shelf already: readShelfOfUser`},
		{"two lists of one address below a parent", func() {
			user.resource, user.rules = expose.Resource{Path: "shelves/all", Operations: expose.ReadOnly()}, policy.Rules{}
			shelf.resource.Key = ""
			shelf.edges = append(shelf.edges, edge.To("more-books", Book.Type).Annotations(expose.Nested(expose.List)), edge.To("more_books", Book.Type).Annotations(expose.Nested(expose.List)))
		}, `Shelf.more_books: expose.Nested: get /shelves/{}/more-books is an operation of Shelf.more-books already`},
	})
}

// Callers are known by what answers with their row, too: an entity of a new project need not
// belong to one.
func TestCallersAreKnownByTheirQuery(t *testing.T) {
	library()
	bookField(field.Int64("author_id"))()
	user.resource = expose.Resource{Path: "users", Operations: expose.ReadOnly(), Queries: []expose.Query{{Name: "me", Caller: true, Comment: "Who asks."}}}
	user.rules = policy.Rules{SoftDelete: true}
	if err := judge(t); err != nil {
		t.Error(err)
	}
	book.resource.Queries = []expose.Query{{Name: "mine", Caller: true, Comment: "Mine."}}
	if err := judge(t); err == nil || !strings.Contains(err.Error(), `User: query "me": Caller: callers are rows of Book`) {
		t.Errorf("of two entities: %v", err)
	}
}
