package model_test

import (
	"bytes"
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

// definition has the declarations of a schema of these tests; each test changes one thing.
type definition struct {
	fields   []ent.Field
	edges    []ent.Edge
	indexes  []ent.Index
	resource expose.Resource
	rules    policy.Rules
	tenant   *expose.Belonging
	hooks    []ent.Hook
	// says are annotations beside those.
	says []schema.Annotation
}

// annotations are all that is said of the entity.
func (d definition) annotations() []schema.Annotation {
	all := append([]schema.Annotation{d.resource}, d.says...)
	if d.tenant != nil {
		all = append(all, *d.tenant)
	}
	return all
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
func (Book) Indexes() []ent.Index              { return book.indexes }
func (Book) Policy() ent.Policy                { return book.rules }
func (Book) Hooks() []ent.Hook                 { return book.hooks }
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
	user = definition{fields: base(field.Enum("role").Values("user", "admin").Default("user"))}
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
		if err := model.HonourGraphQL(loaded); err != nil {
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

func shelfField(f ent.Field) func() { return func() { shelf.fields = with(shelf.fields, f) } }
func bookField(f ent.Field) func()  { return func() { book.fields = with(book.fields, f) } }

// mistake is made in schemas that have none; want is what the generator says.
type mistake struct {
	name string
	make func()
	want string
}

// wrong makes each of the mistakes in what begin declares.
func wrong(t *testing.T, begin func(), mistakes []mistake) {
	t.Helper()
	for _, c := range mistakes {
		t.Run(c.name, func(t *testing.T) {
			begin()
			c.make()
			switch err := judge(t); {
			case err == nil:
				t.Error("generated all the same")
			case !strings.Contains(err.Error(), c.want):
				t.Errorf("got %v\nwant it to say %s", err, c.want)
			}
		})
	}
}
