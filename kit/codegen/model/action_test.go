package model_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// states of a book that is lent.
func states(moves ...expose.Move) ent.Field {
	return field.Enum("state").Values("here", "away", "lost").Default("here").Annotations(expose.Computed(), expose.Busy("away"), expose.States(append([]expose.Move{
		expose.On("lend").From("here").To("away"),
		expose.On("lose").From("away").To("lost").BySystem(),
	}, moves...)...))
}

// lending is a library whose books can be lent and are watched by users.
func lending() {
	library()
	book.fields = append(book.fields, states(), field.Time("lent_at").Optional().Nillable(), field.String("reader").Optional())
	book.resource.Actions = []expose.Action{
		{
			Verb: "lend", Done: "lent", Comment: "Lends it.", Set: expose.Set{"lent_at": expose.Now, "reader": expose.Input("reader")},
			When:  policy.All(policy.Null("lent_at"), policy.Less("shelf_id", "author_id")),
			Input: []ent.Field{expose.Length(field.String("reader"), 1, 50).Comment("To whom."), field.Bool("gift").Default(false)},
		},
		{
			Verb: "appraise", Done: "appraised", Comment: "Values it.", Run: expose.OutsideTx, Names: expose.Names{GraphQL: "valueBook", Method: "PUT", Path: "value"},
			Input: []ent.Field{field.Int64("offer").Optional().Annotations(expose.Money("currency"))},
		},
		{
			Verb: "send_round", Comment: "Sends a letter.", Run: expose.InTx, Scope: expose.Collection,
			Input: []ent.Field{expose.ObjectList("items", expose.ObjectType{Name: "RoundInput", Minimum: 1, Maximum: 9}, field.Int64("book_id").Annotations(expose.Refers("Book"))).Optional()},
		},
	}
	book.resource.Bulk = []expose.Bulk{{Operation: expose.Create, Each: true, Maximum: 10, Comment: "Creates many."}}
	book.resource.Links = []expose.Link{{Name: "card", When: policy.In("state", "here", "away")}}
	for _, verb := range []string{"lend", "appraise", "send_round", policy.Restore} {
		book.rules.Verbs = with2(book.rules.Verbs, verb)
	}
	user.resource, user.rules = expose.Resource{Path: "users", Operations: expose.ReadOnly()}, policy.Rules{SoftDelete: true}
	shelf.rules.Verbs = with2(shelf.rules.Verbs, policy.Restore)
	user.fields = append(user.fields, field.Int64("books_count").Default(0).Annotations(expose.CountOf("books", "")))
	user.edges = []ent.Edge{edge.To("books", Book.Type)}
	book.edges[1] = edge.From("author", User.Type).Ref("books").Field("author_id").Unique().Required()
}

func with2(verbs policy.Verbs, verb string) policy.Verbs {
	more := policy.Verbs{verb: policy.Anyone()}
	maps.Copy(more, verbs)
	return more
}

func TestWhatIsDeclaredBecomesOperations(t *testing.T) {
	lending()
	m, err := judged(t)
	if err != nil {
		t.Fatal(err)
	}
	e := m.Entities[slices.IndexFunc(m.Entities, func(e *model.Entity) bool { return e.Name == "Book" })]
	var got []string
	for _, c := range m.Declared(e) {
		var names []string
		for _, a := range c.Arguments() {
			name := a.Name
			if a.Object != "" {
				name += ":" + a.Object
			}
			if a.Required {
				name += "!"
			}
			names = append(names, name)
		}
		got = append(got, c.Method+" "+c.Path+" "+c.ID+" "+c.Mutation+"("+strings.Join(names, " ")+") "+c.Summary)
	}
	want := []string{
		"post /books/{id}/restore restoreBook restoreBook(id!) Restore a deleted book",
		"post /books/{id}/lend lendBook lendBook(id! reader! gift) Lend a book",
		"put /books/{id}/value appraiseBook valueBook(id! offer) Appraise a book",
		"post /books/send-round sendRoundBook sendRoundBook(input:SendRoundBookInput) Send round a book",
		"post /books/bulk createBooks createBooks(input:CreateBookInput!) Create many books",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	lend := e.Actions[0]
	if lend.To != "away" || !slices.Equal(lend.Condition.Columns(), []string{"author_id", "lent_at", "shelf_id", "state"}) || *lend.Input[0].MaxLength != 50 {
		t.Errorf("to lend is %+v", lend)
	}
	if f := e.Actions[2].Input[0]; f.Kind != "Objects" || f.Members[0].Ref != "Book" || f.Members[0].REST != "book_id" {
		t.Errorf("the objects of a list are %+v", f)
	}
}

func TestMistakesInWhatCanBeDone(t *testing.T) {
	lending()
	if err := judge(t); err != nil {
		t.Fatalf("the library has no mistake: %v", err)
	}
	lend := func(change func(a *expose.Action)) func() { return func() { change(&book.resource.Actions[0]) } }
	set := func(column string, value any) func() {
		return lend(func(a *expose.Action) { a.Set = expose.Set{column: value} })
	}
	when := func(rule policy.Rule) func() { return lend(func(a *expose.Action) { a.When = rule }) }
	input := func(fields ...ent.Field) func() { return lend(func(a *expose.Action) { a.Set, a.Input = nil, fields }) }
	state := func(f ent.Field) func() { return func() { book.fields = with(book.fields, f) } }
	mark := func(m expose.Mark) func() {
		return func() {
			m.Comment, m.Answer, m.Payload = "Writes.", "Writing", "WritePayload"
			user.resource.Marks = []expose.Mark{m}
		}
	}
	wrong(t, lending, []mistake{
		{"a verb with capitals", lend(func(a *expose.Action) { a.Verb = "lendOut" }), `schema/book.go: Book: action "lendOut": a verb of lower-case words`},
		{"a verb twice", func() { book.resource.Actions[1].Verb = "lend" }, `action "lend": it is declared twice`},
		{"a verb of rows", lend(func(a *expose.Action) { a.Verb = "delete" }), `action "delete": that is an operation of rows`},
		{"a verb that is nobody's by mistake", func() { delete(book.rules.Verbs, "appraise") }, `Book: policy.Rules: the operation "appraiseBook" is declared, but the verb "appraise" has no rule`},
		{"nothing to tell clients", lend(func(a *expose.Action) { a.Comment = "" }), `action "lend": it needs a Comment`},
		{"nothing to call it afterwards", lend(func(a *expose.Action) { a.Done = "" }), `action "lend": it needs Done`},
		{"nothing that happens", func() { book.resource.Actions[1].Run = "" }, `action "appraise": nothing would happen`},
		{"an action in REST alone", lend(func(a *expose.Action) { a.Names.GraphQL = "-" }), `action "lend": only a read can be in REST alone`},
		{"columns outside of a transaction", lend(func(a *expose.Action) { a.Run = expose.OutsideTx }), `action "lend": Set is part of the transaction`},
		{"a condition on no row", func() { book.resource.Actions[2].When = policy.Null("lent_at") }, `action "send_round": When, Shown and Set are about a row`},
		{"a service without a path", func() { book.resource.Actions[2].Scope = expose.Unbound }, `action "send_round": expose.Unbound needs the whole path`},
		{"a secret that nobody makes", lend(func(a *expose.Action) { a.Answer.Once = []expose.Member{{Name: "key"}} }), `action "lend": only a method can answer so`},
		{"a secret that is no text", func() { book.resource.Actions[1].Answer.Once = []expose.Member{{Name: "key", Shape: expose.Count}} }, `action "appraise": Answer.Once: a value that is shown once has the shape expose.Text`},
		{"a job where there are none", func() { book.resource.Actions[1].Answer.Job = "on its way" }, `action "appraise": there is no entity of jobs`},
		{"a column that there is not", set("lent", expose.Now), `action "lend": Set "lent": the column is bool`},
		{"a column by another name", set("lentat", expose.Now), `action "lend": Set "lentat": books has no such column: `},
		{"a value that is none of the enum's", set("state", "gone"), `Set "state": "gone" is none of the values: here, away, lost`},
		{"null where nothing is null", set("lent", nil), `Set "lent": the column is never null`},
		{"a text in a number", set("pages", "many"), `Set "pages": the column is int`},
		{"a value that there is not", set("pages", expose.Value("soon")), `Set "pages": there is no value "soon"`},
		{"an input that there is not", set("reader", expose.Input("who")), `Set "reader": the input has no field "who"`},
		{"an input that leads to a row and does not say so", func() {
			set("shelf_id", expose.Input("to"))()
			book.resource.Actions[0].Input = []ent.Field{field.Int64("to")}
		}, `Set "shelf_id": it leads to Shelf, so that the input "to" has expose.Refers("Shelf")`},
		{"an input of another type", set("reader", expose.Input("gift")), `Set "reader": the column is string, and the input's "gift" is bool`},
		{"a condition on a column that there is not", when(policy.Null("lentat")), `action "lend": policy.Null("lentat"): books has no column "lentat"`},
		{"a condition on a value that there is not", when(policy.In("state", "here", "gone")), `action "lend": policy.In("state", "gone"): books.state is one of here, away, lost`},
		{"a comparison of unlike columns", when(policy.Less("pages", "reader")), `action "lend": policy.Less("pages", "reader"): two numbers of a kind`},
		{"a condition on who asks", when(policy.Owner("author_id")), `action "lend": When is about the row and not about the caller`},
		{"an input twice", input(field.Bool("gift"), field.String("gift")), `field "gift" redeclared`},
		{"an input that is an argument already", input(field.Bool("id").Optional()), `action "lend": `},
		{"an input that is a column's", input(field.Bool("gift").Annotations(expose.Computed())), `action "lend": input "gift": it is no column`},
		{"money of no currency", input(field.Int64("offer").Annotations(expose.Money("coin"))), `action "lend": input "offer": expose.Money("coin")`},
		{"a reference by a text", input(field.String("book").Annotations(expose.Refers("Book"))), `action "lend": input "book": expose.Refers: an integer is allowed`},
		{"a reference to nothing", input(field.Int64("book").Annotations(expose.Refers("Tome"))), `action "lend": input "book": expose.Refers("Tome"): there is no exposed entity of that name`},
		{"a link to many words", func() { book.resource.Links[0].Name = "the card" }, `link "the card": a name of lower-case words`},
		{"a move from nowhere", state(states(expose.On("lend").From("gone").To("away"))), `Book.state: expose.On("lend"): from "gone": there is no such state: here, away, lost are allowed`},
		{"a move to nowhere", state(states(expose.On("lend").From("here").To("gone"))), `expose.On("lend"): to "gone": there is no such state`},
		{"a move of no action", state(states(expose.On("burn").From("here").To("lost"))), `expose.On("burn"): there is no action of the verb`},
		{"an action that nobody asks for", state(states(expose.On("appraise").From("here").To("here").BySystem())), `expose.On("appraise"): it is an action, so somebody asks for it`},
		{"a state that no row gets to", state(field.Enum("state").Values("here", "away", "lost").Default("here").Annotations(expose.Computed(),
			expose.States(expose.On("lend").From("here").To("away")))), `Book.state: expose.States: no row gets to the state "lost"`},
		{"a state that clients set", state(field.Enum("state").Values("here", "away").Default("here").Annotations(
			expose.States(expose.On("lend").From("here").To("away")))), `Book.state: expose.States: an enum that clients don't change`},
		{"a mark of no entity", mark(expose.Mark{Verb: "write", Entity: "Tome"}), `User: mark "write": there is no exposed entity "Tome"`},
		{"a mark of another", mark(expose.Mark{Verb: "write", Entity: "Book", To: "shelf_id", By: "author_id", Count: "books_count", Again: true}), `mark "write": To "shelf_id": a foreign key of Book to User`},
		{"a mark that nobody counts", mark(expose.Mark{Verb: "write", Entity: "Book", To: "author_id", By: "author_id", Count: "id", Again: true}), `mark "write": Count "id": a field with expose.CountOf`},
		{"a mark that can be there twice", mark(expose.Mark{Verb: "write", Entity: "Book", To: "author_id", By: "author_id", Count: "books_count"}), `mark "write": Book needs a unique index`},
		{"an upsert without an index", func() { book.resource.Upsert = &expose.Upsert{Index: []string{"pages"}} }, `Book: upsert: an entity with expose.Create, and a unique index of the fields [pages]`},
		{"many of what there is not one", func() { user.resource.Bulk = []expose.Bulk{{Operation: expose.Delete, Maximum: 5, Comment: "C."}} }, `User: bulk "delete": it is none of the Operations`},
		{"many changes, all or none", func() { book.resource.Bulk[0].Operation, book.resource.Bulk[0].Each = expose.Patch, false }, `Book: bulk "patch": it is done to each row for itself`},
		{"many of a read", func() { book.resource.Bulk[0].Operation = expose.List }, `Book: bulk "list": the operations create, patch and delete are allowed`},
		{"many of no action", func() { book.resource.Bulk[0] = expose.Bulk{Verb: "burn", Each: true, Maximum: 5, Comment: "C."} }, `Book: bulk "burn": the entity has no such action`},
		{"too many", func() { book.resource.Bulk[0].Maximum = 0 }, `Book: bulk "create": maximum 0`},
		{"what is beside a field of its name", func() {
			book.resource.Beside = []expose.Beside{{On: []expose.Operation{expose.Create}, Input: []ent.Field{field.String("reader")}}}
		}, `Book: beside: input "reader": a field is called so`},
		{"two of one address", func() { book.resource.Actions[1].Names.Path, book.resource.Actions[1].Names.Method = "lend", "" }, `Book: verb "appraise": post /books/{}/lend is an operation of Book already: lendBook; Names of the expose.Action`},
	})
}
