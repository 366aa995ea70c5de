package orm

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/entwine-go/entwine/kit/codegen/source"
)

// Schemas that Ent leaves out, and code that only compiles while there is generated
// code, are reported with file and line before the schemas are compiled.
func TestWhatTheSourceOfSchemasCannotSay(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]struct{ text, want string }{
		"an entity":         {"type Note struct{ ent.Schema }", ""},
		"a small entity":    {"type note struct{ ent.Schema }\n\nfunc (note) Fields() []ent.Field { return nil }", `schema/note.go:3: note: the name of an entity begins with a capital letter: Note`},
		"a small table":     {"type job struct{ tables.Job }", `schema/note.go:3: job: the name of an entity begins with a capital letter: Job`},
		"a base":            {"type base struct{ ent.Schema }\n\ntype Note struct{ base }", ""},
		"a mixin":           {"type listed struct{ tables.Listed }\n\nvar all = []ent.Mixin{listed{}}", ""},
		"another struct":    {"type place struct{ City string }", ""},
		"generated code":    {`import "example.com/acme/ent"`, `schema/note.go:3: "example.com/acme/ent" is generated from the schemas, which can't import it: without ent nothing could be generated: a hook that sees what a mutation is about by an interface, such as interface{ Title() (string, bool) }, is allowed`},
		"Ent's policies":    {`import "example.com/acme/ent/privacy"`, `schema/note.go:3: "example.com/acme/ent/privacy" is generated from the schemas, which can't import it: without ent/privacy nothing could be generated: "entgo.io/ent/privacy" is allowed, whose rules see what a mutation is about by an interface, such as interface{ Title() (string, bool) }`},
		"code below it":     {`import _ "example.com/acme/ent/typedid"`, `schema/note.go:3: "example.com/acme/ent/typedid" is generated from the schemas, which can't import it: without ent/typedid nothing could be generated`},
		"code of one's own": {`import _ "example.com/acme/entries"`, ""},
		"what is no Go":     {"type note struct{ ent.Schema", ""},
		"both at once": {
			"import \"example.com/acme/internal/rows\"\n\ntype note struct{ ent.Schema }",
			"schema/note.go:3: \"example.com/acme/internal/rows\" is generated from the schemas, which can't import it: without internal/rows nothing could be generated\n" +
				"schema/note.go:5: note: the name of an entity begins with a capital letter: Note",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree := &source.Tree{Root: t.TempDir(), Module: "example.com/acme"}
			if err := os.Mkdir(tree.Path("schema"), 0o755); err != nil {
				t.Fatal(err)
			}
			for file, text := range map[string]string{"note.go": one.text, "note_test.go": `import "example.com/acme/ent"`} {
				if err := os.WriteFile(filepath.Join(tree.Root, "schema", file), []byte("package schema\n\n"+text+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			said := ""
			if err := checkFiles(tree, []string{"ent", "internal/rows"}); err != nil {
				said = err.Error()
			}
			if said != one.want {
				t.Errorf("said %q, want %q", said, one.want)
			}
		})
	}
}
