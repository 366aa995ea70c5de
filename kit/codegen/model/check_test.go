package model_test

import (
	"bytes"
	"database/sql"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/entc/gen"
	"entgo.io/ent/entc/load"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/codegen/facts"
	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// definition is what a schema of these tests says; each test changes one thing.
type definition struct {
	fields   []ent.Field
	edges    []ent.Edge
	indexes  []ent.Index
	resource expose.Resource
	rules    policy.Rules
	tenant   *expose.Belonging
}

// annotations are all that is said of the entity.
func (d definition) annotations() []schema.Annotation {
	if d.tenant == nil {
		return []schema.Annotation{d.resource}
	}
	return []schema.Annotation{d.resource, *d.tenant}
}

var shelf, book, user definition

type (
	Shelf struct{ ent.Schema }
	Book  struct{ ent.Schema }
	User  struct{ ent.Schema }
)

func (Shelf) Fields() []ent.Field              { return shelf.fields }
func (Shelf) Edges() []ent.Edge                { return shelf.edges }
func (Shelf) Indexes() []ent.Index             { return shelf.indexes }
func (Shelf) Policy() ent.Policy               { return shelf.rules }
func (Shelf) Annotations() []schema.Annotation { return shelf.annotations() }
func (Book) Fields() []ent.Field               { return book.fields }
func (Book) Edges() []ent.Edge                 { return book.edges }
func (Book) Policy() ent.Policy                { return book.rules }
func (Book) Annotations() []schema.Annotation  { return book.annotations() }
func (User) Edges() []ent.Edge                 { return user.edges }
func (User) Policy() ent.Policy                { return user.rules }
func (User) Fields() []ent.Field               { return user.fields }
func (User) Annotations() []schema.Annotation  { return user.annotations() }

// library is a world without mistakes: a shelf of books and what is counted of them.
func library() {
	base := func(more ...ent.Field) []ent.Field {
		return append([]ent.Field{
			field.Int64("id").Annotations(expose.By(expose.Filter, expose.Sort)),
			field.Time("created_at").Annotations(expose.By(expose.Sort), expose.Computed()).Optional(),
			field.Time("deleted_at").Optional().Nillable(),
			field.Int64("deleted_with").Optional().Annotations(expose.Internal()),
		}, more...)
	}
	shelf = definition{
		fields: base(
			field.String("name").Annotations(expose.By(expose.Filter, expose.Sort, expose.Search)),
			field.Int64("books_count").Default(0).Annotations(expose.CountOf("books", "NEW.lent")),
			field.Int64("pages").Default(0).Annotations(expose.SumOf("books", "pages", "")),
			field.Float("mean").Optional().Nillable().Annotations(expose.MeanOf("pages", "books_count")),
		),
		edges:    []ent.Edge{edge.To("books", Book.Type).Annotations(expose.Nested(expose.List), expose.DeletedWith())},
		indexes:  []ent.Index{index.Fields("name").Unique()},
		resource: expose.Resource{Path: "shelves", Key: "name", Operations: expose.CRUD()},
	}
	book = definition{
		fields: base(
			field.Int("pages").Annotations(expose.By(expose.Filter), expose.Bounds("short", "long")),
			field.Bool("lent").Default(false),
			field.Int64("price").Annotations(expose.Money("currency")),
			field.String("currency").Default("USD"),
			field.Strings("tags").Optional().Annotations(expose.By(expose.Filter)),
			field.String("note").Optional().Annotations(expose.ForgetWith("shelf_id", "")),
			field.Int64("shelf_id").Optional().Nillable(),
			field.Int64("author_id").Annotations(expose.Caller()),
		),
		edges: []ent.Edge{
			edge.From("shelf", Shelf.Type).Ref("books").Field("shelf_id").Unique().Annotations(expose.Through()),
			edge.To("author", User.Type).Field("author_id").Unique().Required(),
		},
		resource: expose.Resource{Path: "books", Operations: expose.CRUD(), Events: []expose.Topic{
			{Name: "book.lent", On: "update", When: "NEW.lent AND NOT OLD.lent", Key: "shelf_id", Payload: []string{"pages"}},
		}},
	}
	user = definition{fields: base()}
	verbs := policy.Verbs{policy.Create: policy.Anyone(), policy.Update: policy.Nobody(), policy.Delete: policy.Nobody()}
	shelf.rules = policy.Rules{SoftDelete: true, Verbs: verbs}
	book.rules = policy.Rules{SoftDelete: true, Verbs: verbs, Read: policy.Any(
		policy.Owner("author_id"), policy.Is("lent", true), policy.Is("currency", "USD"), policy.Is("pages", 3), policy.Null("shelf_id"),
		policy.Related("shelf_id", "shelves", policy.Null("deleted_at")), policy.Having("author_id", "users", "id", policy.Owner("id")),
	)}
}

// judge returns what the generator says to the three schemas.
func judge(t *testing.T) error {
	t.Helper()
	_, err := judged(t)
	return err
}

// judged is the model of the three schemas.
func judged(t *testing.T) (*model.Model, error) {
	t.Helper()
	var schemas []*load.Schema
	for _, s := range []ent.Interface{Shelf{}, Book{}, User{}} {
		text, err := load.MarshalSchema(s)
		if err != nil {
			t.Fatal(err)
		}
		loaded, err := load.UnmarshalSchema(text)
		if err != nil {
			t.Fatal(err)
		}
		if loaded.Name == "User" && user.resource.Path == "" {
			delete(loaded.Annotations, "EntwineResource")
		}
		schemas = append(schemas, loaded)
	}
	storage, err := gen.NewStorage("sql")
	if err != nil {
		t.Fatal(err)
	}
	graph, err := gen.NewGraph(&gen.Config{Package: "example.com/library/ent", Storage: storage, Features: []gen.Feature{gen.FeaturePrivacy}}, schemas...)
	if err != nil {
		return nil, err
	}
	var told bytes.Buffer
	if err := facts.Write(&told, nil, Shelf{}, Book{}, User{}); err != nil {
		t.Fatal(err)
	}
	all, err := facts.Read(told.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return model.New(graph, all.Entities...)
}

// with replaces the field of the same name, or adds one.
func with(fields []ent.Field, f ent.Field) []ent.Field {
	changed := append([]ent.Field{}, fields...)
	for i, old := range changed {
		if old.Descriptor().Name == f.Descriptor().Name {
			changed[i] = f
			return changed
		}
	}
	return append(changed, f)
}

func TestMistakesNameTheFileTheFieldAndWhatIsAllowed(t *testing.T) {
	library()
	if err := judge(t); err != nil {
		t.Fatalf("the library has no mistake: %v", err)
	}
	shelfField := func(f ent.Field) func() { return func() { shelf.fields = with(shelf.fields, f) } }
	bookField := func(f ent.Field) func() { return func() { book.fields = with(book.fields, f) } }
	reads := func(rule policy.Rule) func() { return func() { book.rules.Read = rule } }
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
	owned := func(key ent.Field, of expose.Belonging) func() {
		return func() {
			book.fields, book.tenant = with(book.fields, key), &of
			book.rules.Read = policy.Anyone()
		}
	}
	org := func() *expose.Belonging { of := expose.Tenant("org_id"); return &of }
	topic := func(e expose.Topic) func() { return func() { book.resource.Events = []expose.Topic{e} } }
	asks := func(q expose.Query) func() {
		q.Comment = "Books."
		return func() { book.resource.Queries = []expose.Query{q} }
	}
	feeds := func(t expose.Topic, s expose.Subscription) func() {
		s.Comment = "One is lent."
		t.Name, t.On, t.Feeds = "book.lent", "insert", &s
		return topic(t)
	}
	for _, c := range []struct {
		name    string
		mistake func()
		want    string
	}{
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
		{"a day that is none", shelfField(field.String("note").Optional().Nillable().Annotations(expose.Deprecated("soon", "", "use name"))), `note: expose.Deprecated("soon"): a day such as 2027-01-31`},
		{"a sunset before the deprecation", shelfField(field.String("note").Optional().Nillable().Annotations(expose.Deprecated("2027-01-31", "2027-01-01", "use name"))), `note: expose.Deprecated("2027-01-31", "2027-01-01"): a day after the first`},
		{"nothing to use instead", shelfField(field.String("note").Optional().Nillable().Annotations(expose.Deprecated("2027-01-31", "", ""))), `note: expose.Deprecated: what to use instead is needed`},
		{"a required field that ends", shelfField(field.String("note").Annotations(expose.Deprecated("2027-01-31", "", "use name"))), `note: expose.Deprecated: clients have to send the field`},
		{"an operation that ends and is not there", func() {
			shelf.resource.Deprecated = map[expose.Operation]expose.Ending{"audit": expose.Deprecated("2027-01-31", "", "look")}
		}, `Shelf: deprecated: there is no operation "audit"`},
		{"a public field that there is not", func() { shelf.resource.Public = []string{"title"} }, `Shelf: public "title": the fields`},
		{"a parent that there is not", func() { book.resource.Under = "room" }, `Book: under "room": a required edge to one`},
		{"a parent that can be absent", func() { book.resource.Under = "shelf" }, `Book: under "shelf": a required edge to one`},
		{"a listing of one", func() { book.resource.Under = "author" }, `Book: operation "list": of an entity under another`},
		{"a use that there is not", bookField(field.String("note").Annotations(expose.By("group"))), `schema/book.go: Book.note: expose.By("group"): filter, sort and search are allowed`},
		{"a search of numbers", bookField(field.Int("pages").Annotations(expose.By(expose.Search))), `Book.pages: expose.Search: only text can be searched, not int`},
		{"a sort by a list", bookField(field.Strings("tags").Optional().Annotations(expose.By(expose.Sort))), `Book.tags: expose.Sort: a list of texts can be filtered, but not sorted`},
		{"a filter by JSON", bookField(field.JSON("extra", map[string]int{}).Optional().Annotations(expose.By(expose.Filter))), `Book.extra: expose.By: a JSON field`},
		{"a filter by a secret", bookField(field.String("note").Optional().Annotations(expose.Secret(), expose.By(expose.Filter))), `Book.note: expose.By: a secret field is never shown`},
		{"a type that can't be shown", bookField(field.Other("scan", sql.NullInt64{}).SchemaType(map[string]string{"postgres": "bigint"}).Optional()), `Book.scan: a field of type sql.NullInt64 cannot be shown: string, text,`},
		{"a filter by bytes", bookField(field.Bytes("scan").Optional().Nillable().Annotations(expose.By(expose.Filter))), `Book.scan: expose.By: a field of bytes`},
		{"a size of what is counted in characters", bookField(field.String("note").Optional().Annotations(expose.Size(7))), `Book.note: expose.Size: bytes or JSON are allowed, not string`},
		{"a time since a number", bookField(field.Time("out_at").Optional().Nillable().Annotations(expose.Since("pages"))), `Book.out_at: expose.Since("pages"): a bool field of the same entity is allowed`},
		{"a time that is always", bookField(field.Time("out_at").Annotations(expose.Since("lent"))), `Book.out_at: expose.Since: a nullable time is allowed, not time.Time`},
		{"a flag of what there is not", bookField(field.Bool("thick").Default(false).Annotations(expose.Positive("width"))), `Book.thick: expose.Positive("width"): a number field of the same entity is allowed`},
		{"a number that is a flag", bookField(field.Int("pages").Annotations(expose.Positive("price"))), `Book.pages: expose.Positive: a bool is allowed, not int`},
		{"uniqueness of numbers", bookField(field.Int("pages").Annotations(expose.UniqueFold())), `Book.pages: expose.UniqueFold: text is allowed, not int`},
		{"money without a currency", bookField(field.Int64("price").Annotations(expose.Money("coin"))), `Book.price: expose.Money("coin"): a text field of the same entity`},
		{"money that is not counted in minor units", bookField(field.Float("price").Annotations(expose.Money("currency"))), `Book.price: expose.Money: an integer of minor units is allowed, not float64`},
		{"callers who are rows of two entities", bookField(field.Int64("shelf_id").Optional().Nillable().Annotations(expose.Caller())), `Book.author_id: expose.Caller: a foreign key to Shelf is allowed`},
		{"a caller who is no row", bookField(field.Int("pages").Annotations(expose.Caller())), `Book.pages: expose.Caller: a foreign key to User is allowed`},
		{"a role that there is not", bookField(field.String("note").Optional().Annotations(expose.VisibleTo("king"))), `Book.note: role "king": user, admin`},
		{"what is computed and set", bookField(field.String("note").Optional().Annotations(expose.Computed(), expose.Initial())), `Book.note: expose.Computed: only the service sets the field`},
		{"what is internal and shown", bookField(field.String("note").Optional().Annotations(expose.Internal(), expose.By(expose.Sort))), `Book.note: expose.Internal: the field is not shown`},
		{"what nobody can set", bookField(field.String("code").Annotations(expose.Computed())), `Book.code: no client can set the field, and it is required`},
		{"bounds upside down", bookField(expose.Length(field.String("note").Optional(), 9, 3)), `Book.note: bounds: the lowest is above the highest`},
		{"a name that is taken", bookField(field.String("note").Optional().Annotations(expose.Named("pages"))), `Book.note: the REST name "pages" is pages's already`},
		{"range names of what has no order", bookField(field.Bool("lent").Default(false).Annotations(expose.By(expose.Filter), expose.Bounds("a", "b"))), `Book.lent: expose.Bounds: a number, an amount`},
		{"range names that are taken", bookField(field.Int("pages").Annotations(expose.By(expose.Filter), expose.Bounds("id", "long"))), `Book.pages: expose.Bounds: the REST name "id" is id's already`},
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
		{"a tenant that no field says", owned(field.Int64("org_id").Immutable(), expose.Tenant("org")), `Book: expose.Tenant: "org": a field of the entity is allowed, or "id"`},
		{"a tenant that may change", owned(field.Int64("org_id"), *org()), `Book.org_id: expose.Tenant: a field that is Immutable is allowed`},
		{"a tenant that may be none", owned(field.Int64("org_id").Optional().Immutable(), *org()), `Book.org_id: expose.Tenant: a field that is Immutable is allowed, neither Optional`},
		{"a tenant by name", owned(field.String("org_id").Immutable(), *org()), `Book.org_id: expose.Tenant: a field.Int64 is allowed, not string`},
		{"a tenant that clients choose", owned(field.Int64("org_id").Immutable().Annotations(expose.WritableBy("admin")), *org()), `Book.org_id: expose.Tenant: the service sets it`},
		{"a role that there is not", owned(field.Int64("org_id").Immutable(), org().Across("king")), `Book: expose.Tenant: Across: role "king"`},
		{"users that are books", owned(field.Int64("org_id").Immutable(), org().OfUsers()), `Book: expose.Tenant: OfUsers: the entity of users is allowed`},
		{"users who choose their tenant", func() {
			of := org().OfUsers()
			user.fields, user.tenant = with(user.fields, field.Int64("org_id").Optional().Nillable()), &of
		}, `User.org_id: expose.Tenant: users could choose a tenant`},
		{"what proxies keep of a tenant", func() {
			owned(field.Int64("org_id").Immutable(), *org())()
			book.resource.Cache = "public, max-age=60"
		}, `Book: expose.Tenant: Cache "public, max-age=60": what a tenant reads is no other's`},
		{"a condition on rows of all tenants", func() {
			owned(field.Int64("org_id").Immutable(), *org())()
			book.resource.Links = []expose.Link{{Name: "others", When: policy.Another("books", policy.Is("lent", true))}}
		}, `Book: link "others": policy.Another looks in books of all tenants`},
		{"a rule of all over rows of tenants", func() {
			owned(field.Int64("org_id").Immutable(), *org())()
			shelf.rules.Read = policy.Having("id", "books", "shelf_id", policy.Anyone())
		}, `Shelf: policy.Having looks in books, whose rows belong to tenants`},
		{"a count of nothing", shelfField(field.Int64("books_count").Default(0).Annotations(expose.CountOf("papers", ""))), `Shelf.books_count: expose.CountOf("papers"): an edge to many is allowed`},
		{"a count in text", shelfField(field.String("books_count").Default("").Annotations(expose.CountOf("books", ""))), `Shelf.books_count: expose.CountOf: an integer with the default 0 is allowed`},
		{"a sum of texts", shelfField(field.Int64("pages").Default(0).Annotations(expose.SumOf("books", "currency", ""))), `Shelf.pages: expose.SumOf("books", "currency"): an integer of Book is allowed: deleted_with, pages, price`},
		{"a count by a column that there is not", shelfField(field.Int64("books_count").Default(0).Annotations(expose.CountOf("books", "NEW.sold"))), `expose.CountOf: condition "NEW.sold": Book has no column "sold"`},
		{"a count by what was", shelfField(field.Int64("books_count").Default(0).Annotations(expose.CountOf("books", "OLD.lent"))), `condition "OLD.lent": NEW is allowed, and no OLD`},
		{"a mean of nothing", shelfField(field.Float("mean").Optional().Nillable().Annotations(expose.MeanOf("pages", "name"))), `Shelf.mean: expose.MeanOf("pages", "name"): a field by expose.SumOf and one by expose.CountOf`},
		{"a mean that can't be absent", shelfField(field.Float("mean").Default(0).Annotations(expose.MeanOf("pages", "books_count"))), `Shelf.mean: expose.MeanOf: a nillable float is allowed`},
		{"a text that is forgotten with no one", bookField(field.String("note").Optional().Annotations(expose.ForgetWith("author_id", ""))), `Book.note: expose.ForgetWith("author_id"): an optional foreign key`},
		{"a topic in capitals", topic(expose.Topic{Name: "BookLent", On: "insert"}), `Book: event "BookLent": lower-case words joined by dots`},
		{"a topic on a statement that there is not", topic(expose.Topic{Name: "book.lent", On: "upsert"}), `Book: event "book.lent" on "upsert": insert, update and delete are allowed`},
		{"a topic on what was before it was", topic(expose.Topic{Name: "book.lent", On: "insert", When: "OLD.lent"}), `Book: event book.lent: condition "OLD.lent": NEW is allowed`},
		{"a topic on what is after it is gone", topic(expose.Topic{Name: "book.lent", On: "delete", When: "NEW.lent"}), `a row that is deleted has no NEW, but OLD`},
		{"a topic by a text", topic(expose.Topic{Name: "book.lent", On: "insert", Key: "note"}), `Book: event "book.lent": key "note": an integer column is allowed: deleted_with, pages, price, shelf_id, author_id`},
		{"a topic with a flag", topic(expose.Topic{Name: "book.lent", On: "insert", Payload: []string{"lent"}}), `Book: event "book.lent": payload "lent": columns of text or integers`},
		{"a topic with a job in capitals", topic(expose.Topic{Name: "book.lent", On: "insert", Job: "BookLent"}), `Book: event "book.lent": job "BookLent": lower-case words joined by underscores`},
		{"a topic with a job where there are none", topic(expose.Topic{Name: "book.lent", On: "insert", Job: "book_lent"}), `Book: event "book.lent": job "book_lent": there is no table of jobs`},
		{"a condition that is more than one", topic(expose.Topic{Name: "book.lent", On: "insert", When: "NEW.lent; DROP TABLE books"}), `one expression is allowed`},
		{"a topic twice", func() { book.resource.Events = append(book.resource.Events, book.resource.Events...) }, `Book: event "book.lent" on update is there twice`},
		{"a query in capitals", asks(expose.Query{Name: "Books"}), `schema/book.go: Book: query "Books": a camelCase name is allowed`},
		{"a query that says nothing", func() { book.resource.Queries = []expose.Query{{Name: "books"}} }, `Book: query "books": a Comment is needed`},
		{"a query of the name of another", asks(expose.Query{Name: "shelf"}), `Book: query "shelf": the name is taken by a query of Shelf`},
		{"a query by what is no key", asks(expose.Query{Name: "books", By: "pages"}), `Book: query "books": by "pages": a foreign key is allowed: shelf_id, author_id`},
		{"a query for what is not searched", asks(expose.Query{Name: "books", Search: "text"}), `Book: query "books": search: a field with expose.By(expose.Search) is needed`},
		{"a query for a text without a name", asks(expose.Query{Name: "books", Search: "a text"}), `Book: query "books": search "a text": a camelCase name`},
		{"a query for the caller of what is none", asks(expose.Query{Name: "mine", Caller: true}), `Book: query "mine": Caller: callers are rows of User`},
		{"a query for pages of the caller", asks(expose.Query{Name: "mine", Caller: true, Pages: true}), `Book: query "mine": Caller answers with one row`},
		{"a subscription in capitals", feeds(expose.Topic{}, expose.Subscription{Name: "BookLent"}), `schema/book.go: Book: subscription "BookLent": a camelCase name is allowed`},
		{"a subscription that says nothing", topic(expose.Topic{Name: "book.lent", On: "insert", Feeds: &expose.Subscription{Name: "bookLent"}}), `Book: subscription "bookLent": a Comment is needed`},
		{"two subscriptions of one name", func() {
			feeds(expose.Topic{}, expose.Subscription{Name: "bookLent"})()
			shelf.resource.Events = []expose.Topic{{Name: "shelf.lent", On: "insert", Feeds: book.resource.Events[0].Feeds}}
		}, `subscription "bookLent": the name is taken by a subscription of Shelf`},
		{"two subscriptions of one topic", func() {
			feeds(expose.Topic{}, expose.Subscription{Name: "bookLent"})()
			book.resource.Events = append(book.resource.Events, expose.Topic{Name: "book.lent", On: "update", Feeds: &expose.Subscription{Name: "bookLentOut", Comment: "Again."}})
		}, `subscription "bookLentOut": event "book.lent" feeds a subscription already`},
		{"a subscription to an argument in capitals", feeds(expose.Topic{}, expose.Subscription{Name: "bookLent", Argument: "ID"}), `argument "ID": a camelCase name`},
		{"a subscription to what no key leads to", feeds(expose.Topic{Key: "pages"}, expose.Subscription{Name: "bookLent", Argument: "pages"}), `argument "pages": the topic's key is to be a foreign key to an entity that is exposed, not "pages"`},
		{"a subscription to what is not exposed", feeds(expose.Topic{Key: "author_id"}, expose.Subscription{Name: "bookLent", Argument: "userId"}), `argument "userId": the topic's key is to be a foreign key to an entity that is exposed`},
		{"a subscription to two keys", func() {
			feeds(expose.Topic{Key: "shelf_id"}, expose.Subscription{Name: "bookLent", Argument: "shelfId"})()
			book.resource.Events = append(book.resource.Events, expose.Topic{Name: "book.lent", On: "update"})
		}, `argument "shelfId": all statements of "book.lent" must have one key, not "shelf_id" and ""`},
		{"a present of no row", feeds(expose.Topic{}, expose.Subscription{Name: "bookLent", Present: true}), `subscription "bookLent": Present, Final, Gone and ArgumentComment are about the row of an Argument`},
		{"a present of another row", feeds(expose.Topic{Key: "shelf_id"}, expose.Subscription{Name: "bookLent", Argument: "shelfId", Present: true}), `Present is for the row that the events are about`},
		{"an end without a beginning", feeds(expose.Topic{}, expose.Subscription{Name: "bookLent", Argument: "id", Final: expose.At("state", "gone")}), `Final needs Present`},
		{"an end that is no state", feeds(expose.Topic{}, expose.Subscription{Name: "bookLent", Argument: "id", Present: true, Final: expose.At("pages", "0")}), `final "pages": an enum that is shown is allowed`},
		{"an end at a state that there is not", func() {
			book.fields = with(book.fields, field.Enum("state").Values("there", "gone"))
			feeds(expose.Topic{}, expose.Subscription{Name: "bookLent", Argument: "id", Present: true, Final: expose.At("state", "gone", "lost")})()
		}, `final "lost": there, gone are allowed`},
		{"an end at no state", func() {
			book.fields = with(book.fields, field.Enum("state").Values("there", "gone"))
			feeds(expose.Topic{}, expose.Subscription{Name: "bookLent", Argument: "id", Present: true, Final: expose.At("state")})()
		}, `final: values of state are needed`},
		{"an end by a topic of another", feeds(expose.Topic{Key: "shelf_id"}, expose.Subscription{Name: "bookLent", Argument: "shelfId", Gone: "book.lent"}), `gone "book.lent": a topic of Shelf without a key is allowed`},
		{"many in a list of one", func() {
			book.edges[0] = edge.From("shelf", Shelf.Type).Ref("books").Field("shelf_id").Unique().Annotations(expose.Nested(expose.List))
		}, `Book.shelf: expose.Nested: an edge to many is allowed`},
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
		}, `Book.readers: expose.Attached: User is not exposed, so nobody can name its rows`},
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
		{"an owner in a column that there is not", reads(policy.All(policy.Anyone(), policy.Owner("auhtor_id"))), `schema/book.go: Book: policy.Owner("auhtor_id"): books has no column "auhtor_id": created_at, deleted_at`},
		{"an owner who is a text", reads(policy.Owner("currency")), `Book: policy.Owner("currency"): the id of a user is compared, but books.currency is string`},
		{"an owner who is no user", reads(policy.Owner("shelf_id")), `policy.Owner("shelf_id"): the id of a user is compared, but books.shelf_id leads to Shelf`},
		{"a flag that is a text", reads(policy.Is("lent", "yes")), `policy.Is("lent", "yes"): books.lent is bool`},
		{"a text that is a number", reads(policy.Is("currency", 7)), `policy.Is("currency", 7): books.currency is string`},
		{"the absence of what is always there", reads(policy.Null("pages")), `policy.Null("pages"): books.pages is never null`},
		{"a table that there is not", reads(policy.Related("shelf_id", "shelf", policy.Anyone())), `policy.Related("shelf_id", "shelf"): there is no table "shelf"`},
		{"a rule of another table", reads(policy.Related("shelf_id", "shelves", policy.Is("lent", true))), `policy.Is("lent"): shelves has no column "lent"`},
		{"a relation of unlike columns", reads(policy.Having("currency", "shelves", "id", policy.Anyone())), `policy.Related("currency"): books.currency is string, and shelves.id is int64`},
		{"soft deletes without the mixin", func() {
			book.fields = append(book.fields[:2], field.Int64("author_id"), field.Int64("shelf_id").Optional())
		}, `Book: policy.Rules: SoftDelete is set, but there is no mixin SoftDelete`},
		{"the mixin without soft deletes", func() { book.rules.SoftDelete = false }, `Book: policy.Rules: with the mixin SoftDelete`},
		{"an operation that is nobody's by mistake", func() { book.rules.Verbs = policy.Verbs{policy.Create: policy.Anyone()} }, `Book: policy.Rules: operation "replace" is generated, but the verb "update" has no rule`},
		{"a default that is refused", bookField(expose.Length(field.String("currency"), 3, 3).Default("dollars")), `Book.currency: default: the field refuses it: must be 3 to 3 characters, not 7`},
		{"a default list that is refused", bookField(expose.Items(field.Strings("tags"), 1, 5).Default([]string{"a", "a"})), `Book.tags: default: the field refuses it: must be at most 1 items`},
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
	} {
		t.Run(c.name, func(t *testing.T) {
			library()
			c.mistake()
			switch err := judge(t); {
			case err == nil:
				t.Error("generated all the same")
			case !strings.Contains(err.Error(), c.want):
				t.Errorf("got %v\nwant it to say %s", err, c.want)
			}
		})
	}
}

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

func TestMistakesAreToldAllAtOnce(t *testing.T) {
	library()
	shelf.resource.Path, book.resource.Limit = "Shelves", -1
	err := judge(t)
	if err == nil || strings.Count(err.Error(), "schema/") != 2 {
		t.Errorf("got %v, want two mistakes", err)
	}
}
