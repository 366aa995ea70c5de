package position_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/codegen/position"
)

const mixins = `package schema

type Record struct{ mixin.Schema }

func (Record) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("id"),
		field.Time("created_at"). // created
			Default(now),
	}
}

type Base struct{ Record }

func (Record) Interceptors() []ent.Interceptor { return quiet } // quiet

func (b Base) Fields() []ent.Field { return append(b.Record.Fields(), field.Time("updated_at")) } // updated

var alive = policy.Null("gone_at") // shared
`

const book = `package schema

type Book struct{ ent.Schema } // type

func (Book) Fields() []ent.Field {
	return []ent.Field{
		field.String("name"),
		expose.Length(field.String("title"), 1, 2). // title
			Comment("The name of it.").
			Annotations(
				expose.By(expose.Sort),
				expose.Named("titel"), // named
			),
	}
}

func (Book) Mixin() []ent.Mixin { // mixins
	return []ent.Mixin{
		Base{},
		audit.Mixin{}, // foreign
		mixed(),
	}
}

func (Book) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("pages", Page.Type).
			Annotations(expose.Hidden()), // hidden
	}
}

func (Book) Policy() ent.Policy { // policy
	return policy.Rules{
		Read: policy.Any(
			policy.Owner("owner_id"), // owner
			policy.Owner("reader_id"), // reader
			alive,
		),
	}
}

func (Book) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Checks(map[string]string{
			"long":  "pages > 3",
			"short": "pages < 9", // short
		}),
		expose.Resource{
			Path: "books", // path
		},
	}
}
`

// Find returns the line whose comment the test names.
func TestFind(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "schema")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"mixin.go": mixins, "book.go": book, "broken.go": "package", "book_test.go": book}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	index, err := position.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ member, message, want string }{
		{"title", "bounds: the least length, 9, is above the greatest, 3", "book.go // title"},
		{"title", `expose.Named("titel"): taken`, "book.go // named"},
		{"title", `the REST name "titel" is taken`, "book.go // named"},
		{"pages", "expose.Hidden: nothing else", "book.go // hidden"},
		{"created_at", "no", "mixin.go // created"},
		{"updated_at", "no", "mixin.go // updated"},
		{"", `policy.Owner("reader_id"): no column`, "book.go // reader"},
		{"", `policy.Null("gone_at"): no column`, "mixin.go // shared"},
		{"", "policy.Rules: no verb", ""},
		{"", `entsql.Checks "short": "pages < 9": no`, "book.go // short"},
		{"", `path "books" is taken`, "book.go // path"},
		{"none", "there is no such field", "book.go // type"},
	} {
		got := index.Find("Book", c.member, c.message)
		file, comment, _ := strings.Cut(c.want, " ")
		if c.want == "" {
			file, comment = "book.go", "return policy.Rules{"
		}
		above, _, _ := strings.Cut(files[file], comment)
		line := 1 + strings.Count(above, "\n")
		if want := "schema/" + file + ":" + strconv.Itoa(line); got != want {
			t.Errorf("%s, %s: %s, want %s", c.member, c.message, got, want)
		}
	}
	for _, c := range []struct{ mixin, method, want string }{
		{"", "Policy", "book.go // policy"},
		{"Base", "Interceptors", "mixin.go // quiet"},
		{"audit.Mixin", "Policy", "book.go // foreign"},
		{"other.Mixed", "Policy", "book.go // mixins"},
		{"", "Hooks", "book.go // type"},
	} {
		file, comment, _ := strings.Cut(c.want, " ")
		above, _, _ := strings.Cut(files[file], comment)
		if got, want := index.Method("Book", c.mixin, c.method), "schema/"+file+":"+strconv.Itoa(1+strings.Count(above, "\n")); got != want {
			t.Errorf("%s of %q: %s, want %s", c.method, c.mixin, got, want)
		}
	}
	if got := index.Find("Shelf", "", "no"); got != "" {
		t.Errorf("an entity that there is not is at %s", got)
	}
}
