package model_test

import (
	"strings"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
)

func TestATableBetweenServesBothEnds(t *testing.T) {
	library()
	shelf.edges = append(shelf.edges, edge.To("readers", User.Type))
	user.edges = []ent.Edge{edge.From("shelves", Shelf.Type).Ref("readers")}
	m, err := judged(t)
	if err != nil {
		t.Fatal(err)
	}
	// The key begins with shelf_id.
	if len(m.UnitIndexes) != 1 || m.UnitIndexes[0].Table != "shelf_readers" || m.UnitIndexes[0].Terms[0] != `"user_id"` {
		t.Errorf("indexes: %v", m.UnitIndexes)
	}
}

func TestASelectiveFieldHasAnIndexInTheOrderOfListings(t *testing.T) {
	library()
	book.fields = with(book.fields, field.String("isbn").Annotations(expose.By(expose.Filter), expose.Selective()))
	m, err := judged(t)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range m.Entities {
		for _, i := range e.Type.Indexes {
			if i.Name == "book_by_isbn" {
				if got := strings.Join(i.Columns, " "); got != "isbn created_at id deleted_at" || len(i.Annotations) != 1 {
					t.Errorf("book_by_isbn: %s, %v", got, i.Annotations)
				}
				return
			}
		}
	}
	t.Error("there is no book_by_isbn")
}

func TestWhatNoIndexServesIsTold(t *testing.T) {
	library()
	by := expose.By(expose.Filter, expose.Sort)
	book.fields = append(book.fields,
		field.String("isbn").Annotations(by), field.String("shape").Annotations(by, expose.Selective()), field.Int("weighed").Annotations(by, expose.Scanned()))
	m, err := judged(t)
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, w := range m.Unserved() {
		told = append(told, w.Error())
	}
	all := strings.Join(told, "\n")
	if !strings.Contains(all, "schema/book.go: Book.isbn: listings filter and sort by it, and no index serves that") {
		t.Errorf("the isbn is not among what no index serves:\n%s", all)
	}
	for _, not := range []string{"Book.id:", "Book.shape", "Book.weighed"} {
		if strings.Contains(all, not) {
			t.Errorf("%s is told of, which an index serves or its author means:\n%s", not, all)
		}
	}
}
