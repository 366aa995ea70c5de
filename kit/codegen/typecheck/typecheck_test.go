package typecheck_test

import (
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/codegen/codegentest"
	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/codegen/typecheck"
)

func module(t *testing.T, files map[string]string) *source.Tree {
	t.Helper()
	files["schema/schema.go"] = "package schema\n\nconst Most = 3\n"
	return codegentest.Module(t, "example.com/acme", files)
}

const (
	bottom = "package ent\n\nimport (\n\t\"strings\"\n\n\t\"example.com/acme/schema\"\n)\n\nvar Name = strings.Repeat(\"a\", schema.Most)\n"
	top    = "package crud\n\nimport \"example.com/acme/ent\"\n\nvar Length = len(ent.Name)\n"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		bottom, top string
		want        []string
	}{
		"what compiles":          {bottom, top, nil},
		"a wrong type":           {bottom, strings.Replace(top, "len(", "1 + (", 1), []string{"rest/crud/crud.go:5: "}},
		"a name that is missing": {strings.Replace(bottom, "Name", "Title", 1), top, []string{"rest/crud/crud.go:5: undefined: ent.Name"}},
		"several mistakes": {
			strings.Replace(bottom, "schema.Most", "schema.Least", 1), top + "\nvar x int = \"\"\n",
			[]string{"ent/ent.go:9: undefined: schema.Least", "rest/crud/crud.go:7: "},
		},
		"an import without a use": {strings.Replace(bottom, "strings.Repeat(\"a\", schema.Most)", "string(rune(schema.Most))", 1), top, []string{`ent/ent.go:4: "strings" imported and not used`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree := module(t, map[string]string{"ent/ent.go": c.bottom, "ent/ent_test.go": "package ent\n\nvar _ = missing\n", "rest/crud/crud.go": c.top})
			err := typecheck.Check(t.Context(), tree, "ent", "rest/crud", "gql/crud")
			if len(c.want) == 0 && err != nil {
				t.Fatal(err)
			}
			for _, want := range c.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("got %v, want %s", err, want)
				}
			}
		})
	}
}
