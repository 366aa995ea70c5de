package orm

import (
	"strings"
	"testing"

	"entgo.io/ent/entc/load"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/source"
)

// Names that generated code, PostgreSQL or GraphQL can't have are refused with
// their place, before any code is made of them.
func TestNamesThatNothingCanBeCalledAreRefused(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 64)
	for _, one := range []struct{ entity, field, edge, want string }{
		{entity: "Größe", want: "Größe: the name of an entity: a capital letter of ASCII"},
		{entity: "A" + long, want: "the name of an entity"},
		{entity: "Subscription", want: "Subscription: the name is taken by GraphQL's type of subscriptions"},
		{entity: "Rows", want: "the name is taken by a file of internal/rows"},
		{entity: "TaskUpdate", want: "the name is taken by what is generated for Task"},
		{entity: "CreateTaskInput", want: "the name is taken by what is generated for Task"},
		{entity: "Query", want: "the name is taken by GraphQL's type of queries"},
		{entity: "Type", want: `schema/type.go: Type: schema lowercase name conflicts with Go keyword "type"`},
		{entity: "Book", field: "__typename", want: "schema/book.go: Book.__typename: the name of a field: words of lower-case"},
		{entity: "Book", field: "dueAt", want: "Book.dueAt: the name of a field"},
		{entity: "Book", field: "due-at", want: "Book.due-at: the name of a field"},
		{entity: "Book", field: "9lives", want: "Book.9lives: the name of a field"},
		{entity: "Book", field: "größe", want: "Book.größe: the name of a field"},
		{entity: "Book", field: long, want: "63 bytes at most"},
		{entity: "Book", field: "line_1", edge: "Tasks", want: "Book.Tasks: the name of an edge"},
		{entity: "Book", field: "line_1", edge: "tasks"},
	} {
		book := &load.Schema{Name: one.entity}
		if one.field != "" {
			book.Fields = []*load.Field{{Name: one.field, Info: text(t)}}
		}
		if one.edge != "" {
			book.Edges = []*load.Edge{{Name: one.edge, Type: "Task"}}
		}
		tree := &source.Tree{Root: t.TempDir(), Module: "example.com/acme"}
		_, err := NewGraph(tree, &load.SchemaSpec{Schemas: []*load.Schema{book, {Name: "Task"}}, PkgPath: "example.com/acme/schema"})
		if (err == nil) != (one.want == "") || err != nil && !strings.Contains(err.Error(), one.want) {
			t.Errorf("%+v: %v", one, err)
		}
	}
}

func text(t *testing.T) *field.TypeInfo {
	t.Helper()
	return field.String("text").Descriptor().Info
}

func TestDefaultsThatAreNoValueAreRefused(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{"open": "", "opened": `schema/book.go: Book.state: Default("opened"): the values are open, closed`} {
		state, err := load.NewField(field.Enum("state").Values("open", "closed").Default(value).Descriptor())
		if err != nil {
			t.Fatal(err)
		}
		tree := &source.Tree{Root: t.TempDir(), Module: "example.com/acme"}
		spec := &load.SchemaSpec{Schemas: []*load.Schema{{Name: "Book", Fields: []*load.Field{state}}}, PkgPath: "example.com/acme/schema"}
		if _, err := NewGraph(tree, spec); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("Default(%q): %v, want %q", value, err, want)
		}
	}
}
