package codegen_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/codegen"
)

// brokenSchema has a mistake of each kind that another step finds: the line of
// each ends in what is said of it.
const brokenSchema = `package schema

import (
	"context"

	"entgo.io/contrib/entgql"
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/privacy"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/mixin"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

type Crate struct{ ent.Schema }

type Code string

func (Crate) Fields() []ent.Field {
	return []ent.Field{
		expose.Length(field.String("name"), 3, 9).Default("x"), // Crate.name: default: the field refuses it
		field.String("id").GoType(Code("")), // Crate.id: an id of type schema.Code cannot be shown
		field.Int64("weight").Optional(), // Crate.weight: an optional field is shown as null where it is absent
		field.String("kind").Default("").
			Annotations(entgql.Type("Kind")), // Crate.kind: entgql.Type("Kind"): the type in GraphQL follows
		field.String("note").Default("").
			Annotations(expose.By(expose.Sort), expose.Named("name")), // Crate.note: the REST name "name" is name's already
	}
}

func (Crate) Mixin() []ent.Mixin { // Crate: Interceptors of the mixin mixin.fieldAnnotator: the APIs read without
	return []ent.Mixin{
		Base{}, Listed{},
		Ofone{}, mixin.AnnotateFields(Quiet{}),
	}
}

// Guarded keeps rows to one tenant, as Ent's documents do it, and Ofone embeds it.
type Guarded struct{ mixin.Schema }

func (Guarded) Policy() ent.Policy { // Crate: Policy of the mixin Ofone returns privacy.Policy with rules for queries: the APIs would not hold it
	return privacy.Policy{Query: privacy.QueryPolicy{privacy.AlwaysAllowRule()}}
}

type Ofone struct{ Guarded }

func (Ofone) Interceptors() []ent.Interceptor { return hiding } // Crate: Interceptors of the mixin Ofone: the APIs read without interceptors

type Quiet struct{ mixin.Schema }

func (Quiet) Interceptors() []ent.Interceptor { return hiding }

var hiding = []ent.Interceptor{ent.TraverseFunc(func(context.Context, ent.Query) error { return nil })}

// Ruled is embedded by Lid.
type Ruled struct{ ent.Schema }

func (Ruled) Policy() ent.Policy { return privacy.Policy{} } // Lid: Policy returns privacy.Policy: no policy.Rules say which rows the APIs may show

type Lid struct{ Ruled }

func (Lid) Mixin() []ent.Mixin { return []ent.Mixin{Base{}, Listed{}} }

func (Lid) Interceptors() []ent.Interceptor { return hiding } // Lid: Interceptors: the APIs read without interceptors

func (Lid) Annotations() []schema.Annotation {
	return []schema.Annotation{expose.Resource{Path: "lids"}, schema.Comment("A lid.")}
}

func (Crate) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("owner", User.Type).Unique().Required(), // Crate.owner: edge.Required: no client could name the row
	}
}

// Seen is a view, which nothing is generated of.
type Seen struct{ ent.View } // Seen: ent.View: no client is generated for a view

func (Seen) Fields() []ent.Field { return []ent.Field{field.String("name")} }

type Pair struct{ ent.Schema }

func (Pair) Fields() []ent.Field { return []ent.Field{field.Int64("left"), field.Int64("right").Optional()} } // Pair.right: field.ID("left", "right"): a column of a key is never null

func (Pair) Annotations() []schema.Annotation {
	return []schema.Annotation{field.ID("left", "right")}
}

func (Crate) Policy() ent.Policy {
	return policy.Rules{
		Read: policy.Owner("contcat_id"), // Crate: policy.Owner("contcat_id"): crates has no column
		Verbs: policy.Verbs{policy.Create: admin},
	}
}

func (Crate) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Checks(map[string]string{
			"crates_weight": "wieght > 0", // Crate: entsql.Checks "crates_weight": "wieght > 0": SQLite says
		}),
		expose.Resource{
			Path:       "crates",
			Operations: []expose.Operation{expose.List, expose.Create},
			Derived:    []expose.Derived{{Name: "half", Comment: "Half.", Example: 1, Shape: expose.Count, SQL: "{row}.weight /"}}, // Crate: derived "half": "{row}.weight /": SQLite says
			Calcs: []expose.Calc{
				{Name: "twice", Comment: "Twice.", Example: 1, Shape: expose.Count, SQL: "{row}.id * weight"}, // Crate: calc "twice": "{row}.id * weight": SQLite says
				{Name: "times", Comment: "Times.", Example: 1, Shape: expose.Count, SQL: "{row}.weight * :facotr"}, // Crate: calc "times": :facotr is none of its Input
				{Name: "share", Comment: "Share.", Example: 1, Shape: expose.Decimal, SQL: "{row}.weight + (SELECT 1)"}, // Crate: calc "share": SELECT: it is computed of columns of the row
			},
			Events:     []expose.Topic{{Name: "crate.heavy", On: "update", When: "NEW.weight > (SELECT avg(weight) FROM crates)"}},
		},
		expose.Resource{Path: "boxes"}, // Crate: expose.Resource with the path "boxes": the entity has 2 of them, of which the first would count
	}
}
`

// ownGenerator is a program of Ent's generator beside weave generate.
const ownGenerator = `//go:build ignore

package main

import (
	"entgo.io/ent/entc" // Ent's generator: weave generate is run in its place
	"entgo.io/ent/entc/gen"
	"example.com/crates/audit"
)

func main() {
	_ = entc.Generate("./schema", &gen.Config{
		Features: []gen.Feature{gen.FeatureUpsert}, // gen.Config.Features: expose.Client of an entity has sql/upsert
	},
		entc.Extensions(audit.Extension{}), // entc.Extensions: an extension of one's own can't run
		entc.TemplateDir("./template"), // entc.TemplateDir: the templates go to schema/template/*.tmpl
		entc.FeatureNames("intercept"), // entc.FeatureNames: expose.Client of an entity has
		entc.Dependency(entc.DependencyName("Writer")), // entc.Dependency: what hooks and methods need
	)
}
`

// A generation that fails reports every mistake with its line, and leaves the
// tree unchanged.
func TestAFailedGenerationChangesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles and runs the schemas")
	}
	root := ownModule(t)
	file := filepath.Join(root, "schema/crate.go")
	if err := os.WriteFile(file, []byte(brokenSchema), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(root, "ent"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "ent/ent.go"), []byte("package ent // of before\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "ent/entc.go"), []byte(ownGenerator), 0o600); err != nil {
		t.Fatal(err)
	}
	before := content(t, root)
	var notes bytes.Buffer
	err := codegen.Generate(t.Context(), root, &notes)
	if err == nil {
		t.Fatal("generated all the same")
	}
	told, wanted := err.Error(), 0
	for i, line := range strings.Split(brokenSchema, "\n") {
		if _, want, ok := strings.Cut(line, " // "); ok {
			wanted++
			if want = fmt.Sprintf("schema/crate.go:%d: %s", i+1, want); !strings.Contains(told, want) {
				t.Errorf("%s\nis not told in\n%s", want, told)
			}
		}
	}
	for i, line := range strings.Split(ownGenerator, "\n") {
		if _, want, ok := strings.Cut(line, " // "); ok {
			if want = fmt.Sprintf("ent/entc.go:%d: %s", i+1, want); !strings.Contains(told, want) {
				t.Errorf("%s\nis not told in\n%s", want, told)
			}
		}
	}
	if n := strings.Count(told, "schema/crate.go:"); n != wanted {
		t.Errorf("%d mistakes are told, want %d:\n%s", n, wanted, told)
	}
	if after := content(t, root); after != before {
		t.Errorf("the tree is\n%s\nand was\n%s", after, before)
	}

	if err := os.Remove(filepath.Join(root, "ent/entc.go")); err != nil {
		t.Fatal(err)
	}
	// Conditions that one database takes and the other refuses: PostgreSQL has no queries
	// in the conditions of triggers.
	mended := strings.NewReplacer(`"x"`, `"xyz"`, `field.String("id").GoType(Code(""))`, `field.Int64("id")`, ".Optional()", ".Default(1)", `Named("name")`, `Named("remark")`, "contcat_id", "id",
		"wieght", "weight", "weight /", "weight / 2", ".id * weight", ".id * 2", ":facotr", "2", "(SELECT 1)", "1",
		`expose.Resource{Path: "boxes"},`, "", "Ofone{}, mixin.AnnotateFields(Quiet{}),", "", `expose.Resource{Path: "lids"}, `, "",
		`Annotations(entgql.Type("Kind"))`, "Annotations(entgql.Skip())", ".Unique().Required(), //", ".Unique(), //", "ent.View }", "ent.Schema }", `field.ID("left", "right")`, "").Replace(brokenSchema)
	mended = strings.Replace(mended, `Read: policy.Owner("id"), //`, "Read: known, //", 1)
	if err := os.WriteFile(file, []byte(mended), 0o600); err != nil {
		t.Fatal(err)
	}
	err = codegen.Generate(t.Context(), root, &notes)
	if strings.Contains(notes.String(), "PostgreSQL did not read") {
		t.Skipf("NOT TESTED on PostgreSQL: %s", notes.String())
	}
	above, _, _ := strings.Cut(mended, `Name: "crate.heavy"`)
	want := fmt.Sprintf(`schema/crate.go:%d: Crate: event "crate.heavy"`, 1+strings.Count(above, "\n"))
	if err == nil || !strings.Contains(err.Error(), "PostgreSQL says") || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want what PostgreSQL says of the event", err)
	}
}

// content is the tree's files with what is in them.
func content(t *testing.T, root string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %d %.40q\n", strings.TrimPrefix(path, root), len(text), text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
