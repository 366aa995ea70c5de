package model_test

import (
	"slices"
	"testing"

	"entgo.io/contrib/entgql"
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/expose"
)

// saying has the shelf say more of itself.
func saying(a ...schema.Annotation) func() { return func() { shelf.says = a } }

// authored has the book's edge to its author say more of itself.
func authored(a ...schema.Annotation) func() {
	return func() {
		book.edges = slices.Clone(book.edges)
		book.edges[1] = edge.To("author", User.Type).Field("author_id").Unique().Required().Annotations(a...)
	}
}

func TestWhatGraphQLAnnotationsCannotHave(t *testing.T) {
	wrong(t, library, []mistake{
		{"a type of one's own", bookField(field.String("note").Optional().Annotations(entgql.Type("Note"))), `Book.note: entgql.Type("Note"): the type in GraphQL follows`},
		{"a directive", bookField(field.String("note").Optional().Annotations(entgql.Directives(entgql.Deprecated("old")))), `Book.note: entgql.Directives("deprecated")`},
		{"another name", bookField(field.String("note").Optional().Annotations(entgql.MapsTo("remark"))), `Book.note: entgql.MapsTo("remark"): the field is note in GraphQL`},
		{"another order", bookField(field.String("note").Optional().Annotations(entgql.OrderField("REMARK"))), `Book.note: entgql.OrderField("REMARK"): the order by the field is NOTE`},
		{"an enum that is a text", bookField(field.Enum("cover").Values("hard", "soft").Default("soft").Annotations(entgql.Skip(entgql.SkipEnumField))), `Book.cover: entgql.Skip(entgql.SkipEnumField)`},
		{"what only updates set", bookField(field.String("note").Optional().Annotations(entgql.Skip(entgql.SkipMutationCreateInput))), `Book.note: entgql.Skip(entgql.SkipMutationCreateInput)`},
		{"a row without an id", bookField(field.Int64("id").Annotations(entgql.Skip())), `Book.id: entgql.Skip: every row`},
		{"a field with an interface", bookField(field.String("note").Optional().Annotations(entgql.Implements("Entity"))), `Book.note: entgql: QueryField`},
		{"a hidden field that is filtered by", bookField(field.String("note").Optional().Annotations(entgql.Skip(entgql.SkipType, entgql.SkipMutationCreateInput, entgql.SkipMutationUpdateInput), expose.By(expose.Filter))), `Book.note: expose.Internal`},
		{"a hidden field that is required", bookField(field.String("note").Annotations(entgql.Skip())), `Book.note: no client can set the field`},
		{"an entity that is skipped", saying(entgql.Skip()), `Shelf: entgql.Skip: expose.Resource shows`},
		{"a type of another name", saying(entgql.Type("Rack")), `Shelf: entgql.Type("Rack")`},
		{"an interface", saying(entgql.Implements("Node", "Entity")), `Shelf: entgql.Implements("Entity")`},
		{"a query of another name", saying(entgql.QueryField()), `Shelf: entgql.QueryField(""): a listing is the query shelvesConnection`},
		{"a query with a comment", saying(entgql.QueryField("shelvesConnection").Description("All.")), `Shelf: entgql.QueryField("shelvesConnection")`},
		{"a mutation that there is not", func() {
			saying(entgql.Mutations(entgql.MutationUpdate()))()
			shelf.resource.Operations = []expose.Operation{expose.List, expose.Create}
		}, `Shelf: entgql.Mutations: entgql.MutationUpdate(): the Operations of expose.Resource`},
		{"an input with a comment", saying(entgql.Mutations(entgql.MutationCreate().Description("A shelf."))), `Shelf: entgql.Mutations: entgql.MutationCreate(): its description "A shelf."`},
		{"an entity that is in no API", func() { user.says = []schema.Annotation{entgql.RelayConnection()} }, `User: entgql: without expose.Resource`},
		{"an order by an edge", authored(entgql.OrderField("AUTHOR_NAME")), `Book.author: entgql.OrderField("AUTHOR_NAME")`},
		{"an edge of another name", authored(entgql.MapsTo("writer")), `Book.author: entgql.MapsTo("writer"): the edge is author`},
		{"an edge of a type", authored(entgql.Type("Person")), `Book.author: entgql: Type, QueryField`},
	})
}

func TestGraphQLAnnotationsHold(t *testing.T) {
	library()
	shelf.says = []schema.Annotation{
		entgql.RelayConnection(), entgql.MultiOrder(), entgql.QueryField("shelvesConnection"), entgql.Implements("Node"),
		entgql.Mutations(entgql.MutationCreate(), entgql.MutationUpdate()),
	}
	user.says = []schema.Annotation{entgql.Skip()}
	all := expose.By(expose.Filter, expose.Sort, expose.Search)
	for _, f := range []ent.Field{
		field.String("salary").Optional().Annotations(entgql.Skip()),
		field.String("pin").Optional().Annotations(entgql.Skip(entgql.SkipType)),
		field.String("quiet").Optional().Annotations(all, entgql.Skip(entgql.SkipWhereInput)),
		field.String("loose").Optional().Annotations(all, entgql.Skip(entgql.SkipOrderField)),
		field.String("fixed").Optional().Annotations(entgql.Skip(entgql.SkipMutationUpdateInput)),
		field.String("given").Optional().Annotations(entgql.Skip(entgql.SkipMutationCreateInput, entgql.SkipMutationUpdateInput)),
		field.String("shown").Optional().Annotations(entgql.MapsTo("shown"), entgql.OrderField("SHOWN")),
	} {
		book.fields = with(book.fields, f)
	}
	book.edges[0] = edge.From("shelf", Shelf.Type).Ref("books").Field("shelf_id").Unique().Annotations(entgql.Skip())
	book.fields = with(book.fields, field.Int64("whole_id").Optional().Nillable())
	book.edges = append(book.edges, edge.To("parts", Book.Type).Annotations(entgql.Skip()).From("whole").Field("whole_id").Unique())
	m, err := judged(t)
	if err != nil {
		t.Fatal(err)
	}
	e := m.Entities[slices.IndexFunc(m.Entities, func(e *model.Entity) bool { return e.Name == "Book" })]
	if e.Field("salary") != nil || e.Edge("shelf") != nil || e.Edge("parts") != nil || e.Edge("whole") == nil {
		t.Error("a field and an edge with entgql.Skip() are shown")
	}
	for name, holds := range map[string]bool{
		"pin":   e.Field("pin").Secret && e.Field("pin").OnUpdate(),
		"quiet": !e.Field("quiet").FilterBy() && !e.Field("quiet").SearchBy() && e.Field("quiet").SortBy(),
		"loose": e.Field("loose").FilterBy() && !e.Field("loose").SortBy(),
		"fixed": e.Field("fixed").OnCreate() && !e.Field("fixed").OnUpdate(),
		"given": !e.Field("given").OnCreate() && !e.Field("given").OnUpdate(),
		"shown": e.Field("shown").SortBy() && e.Field("shown").OnCreate(),
	} {
		if !holds {
			t.Errorf("%s: what entgql.Skip says does not hold", name)
		}
	}
}
