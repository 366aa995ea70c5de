package orm

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/entc/gen"
	"entgo.io/ent/entc/load"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/expose"
)

type (
	// Author has books, in each of the two ways.
	Author struct{ ent.Schema }
	// Book declares its foreign keys among its fields, too, as Ent asks.
	Book struct{ ent.Schema }
)

// short has the edges alone say what there is to say of a foreign key.
var short bool

func (Author) Fields() []ent.Field { return []ent.Field{field.Int64("id")} }

func (Author) Edges() []ent.Edge { return []ent.Edge{edge.To("books", Book.Type)} }

func (Book) Fields() []ent.Field {
	fields := []ent.Field{field.Int64("id"), field.String("title")}
	if short {
		return fields
	}
	return append(fields,
		field.Int64("author_id").Immutable().Comment("Who wrote it.").Annotations(expose.By(expose.Filter), expose.Caller("admin")),
		field.Int64("editor_id").Optional().Nillable().Comment("Who edits it.").Annotations(expose.Backfill("author_id").Inverse("x", "y")),
		field.Int64("sequel_id").Optional().Nillable().Comment("What comes after it."))
}

func (Book) Edges() []ent.Edge {
	author := edge.From("author", Author.Type).Ref("books").Field("author_id").Unique().Required().Immutable().Comment("Who wrote it.").Annotations(expose.Through())
	editor := edge.To("editor", Author.Type).Field("editor_id").Unique().Comment("Who edits it.")
	if short {
		author.Annotations(expose.By(expose.Filter), expose.Caller("admin"))
		editor.Annotations(expose.Backfill("author_id").Inverse("x", "y"))
	}
	// Both ends in one place, of which the first has the key.
	sequel := edge.To("sequel", Book.Type).Field("sequel_id").Unique().Comment("What comes after it.").From("prequels")
	return []ent.Edge{author, editor, sequel}
}

// An edge that names a foreign key says all that a field would, and the graph is the
// same.
func TestAnEdgeSaysItsForeignKey(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("module example.com/world\n\ngo 1.26\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tree, err := source.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	book := func(edgesAlone bool) string {
		short = edgesAlone
		spec := &load.SchemaSpec{PkgPath: tree.Module + "/schema"}
		for _, s := range []ent.Interface{Author{}, Book{}} {
			text, err := load.MarshalSchema(s)
			if err != nil {
				t.Fatal(err)
			}
			loaded, err := load.UnmarshalSchema(text)
			if err != nil {
				t.Fatal(err)
			}
			spec.Schemas = append(spec.Schemas, loaded)
		}
		graph, err := NewGraph(tree, spec)
		if err != nil {
			t.Fatal(err)
		}
		return described(t, graph.Nodes[1])
	}
	declared, edges := book(false), book(true)
	if declared != edges || strings.Count(edges, "_id ") != 6 || !strings.Contains(edges, "sequel_id typedid.BookID") {
		t.Errorf("with the edges alone the graph has\n%s\nand with fields\n%s", edges, declared)
	}
}

// described are the fields and edges of a type in the graph.
func described(t *testing.T, of *gen.Type) string {
	t.Helper()
	var said strings.Builder
	encode := func(a gen.Annotations) string {
		if len(a) == 0 {
			return ""
		}
		text, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, f := range of.Fields {
		fmt.Fprintln(&said, f.Name, f.Type, f.Optional, f.Nillable, f.Immutable, f.Comment(), encode(f.Annotations))
	}
	for _, e := range of.Edges {
		key := ""
		if f := e.Field(); f != nil {
			key = f.Name
		}
		fmt.Fprintln(&said, e.Name, e.Type.Name, key, "required", !e.Optional, encode(e.Annotations))
	}
	return said.String()
}

// Keys that are declared otherwise than their edges, or that can't follow from them, are
// refused all at once.
func TestMistakesOfForeignKeys(t *testing.T) {
	edge := func(name, to, key string, required, immutable bool) *load.Edge {
		return &load.Edge{Name: name, Type: to, Field: key, Unique: true, Required: required, Immutable: immutable}
	}
	key := func(name string, optional, immutable bool) *load.Field {
		return &load.Field{Name: name, Info: &field.TypeInfo{Type: field.TypeInt64}, Optional: optional, Immutable: immutable}
	}
	shelf := &load.Schema{Name: "Shelf", Fields: []*load.Field{{Name: "id", Info: &field.TypeInfo{Type: field.TypeString}}}}
	room := &load.Schema{Name: "Room", Fields: []*load.Field{{Name: "id", Info: &field.TypeInfo{Type: field.TypeUUID}}}}
	book := &load.Schema{
		Name: "Book",
		Fields: []*load.Field{
			key("owner_id", false, false), key("lender_id", true, false), key("author_id", false, false), key("editor_id", false, true), key("seller_id", true, false),
		},
		Edges: []*load.Edge{
			edge("shelf", "Shelf", "shelf_id", false, false), edge("room", "Room", "room_id", true, true),
			edge("owner", "User", "owner_id", false, false), edge("lender", "User", "lender_id", true, false),
			edge("author", "User", "author_id", true, true), edge("editor", "User", "editor_id", true, false), edge("seller", "User", "seller_id", false, false),
		},
	}
	var got []string
	for _, err := range model.Findings(addKeys(book, []*load.Schema{book, room, shelf})) {
		got = append(got, strings.TrimPrefix(err.Error(), "schema/book.go: "))
	}
	want := []string{
		`Book.shelf: the ids of Shelf are no integers: field.String("shelf_id").Optional().Nillable() among the Fields is allowed`,
		`Book.room: the ids of Room are no integers: field.UUID("room_id", uuid.UUID{}).Immutable() among the Fields is allowed`,
		`Book.owner_id: a row can be without the edge owner, and not without its field: the field with Optional().Nillable(), or the edge with Required() is allowed`,
		`Book.lender_id: the edge lender is Required, and its field is Optional: both or neither is`,
		`Book.author_id: the edge author is Immutable, and its field is not: both or neither is`,
		`Book.editor_id: the field is Immutable, and its edge editor is not: both or neither is`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
