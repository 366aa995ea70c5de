package codegen_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/codegen"
)

// A module of one's own has this one's schemas and operations by hand, under another
// path, and its users have the columns of accounts by the mixin: it is generated as
// this one, which declares them, and imports none of this service. A missing table
// is reported with its line.
func TestAModuleEmbedsTheTablesOfAccounts(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles and runs the schemas")
	}
	root := ownModule(t)
	change := func(file string, edit func(text string) string) {
		t.Helper()
		path := filepath.Join(root, "schema", file)
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		after := edit(string(before))
		if after == string(before) {
			t.Fatalf("nothing of %s was changed", file)
		}
		if err := os.WriteFile(path, []byte(after), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	without := func(text, from, to string) string {
		before, rest, found := strings.Cut(text, from)
		_, after, ends := strings.Cut(rest, to)
		if !found || !ends {
			t.Fatalf("%q up to %q is not there", from, to)
		}
		return before + to + after
	}
	change("user.go", func(text string) string {
		text = without(text, `expose.Line(expose.Length(field.String("name")`, `expose.Range(field.Int("age")`)
		text = without(text, `field.Bool("is_active")`, `expose.AtLeast(field.Float("salary")`)
		text = without(text, "// Hooks of the User.", "// Policy of the User:")
		return strings.Replace(text, "SoftDelete{}}", "SoftDelete{}, tables.User{Roles: roles()}}", 1)
	})
	if err := codegen.Generate(t.Context(), root, os.Stderr); err != nil {
		t.Fatal(err)
	}
	importsNoneOfTheService(t, root)
	change("kit.go", func(text string) string { return strings.Replace(text, "Handoff struct{ tables.Handoff }", "", 1) })
	const want = "accounts need the entity Handoff: type Handoff struct{ tables.Handoff }"
	if err := codegen.Generate(t.Context(), root, os.Stderr); err == nil || !strings.Contains(err.Error(), "schema/kit.go:") || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
}
