package orm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/codegen/source"
)

// A project's templates add to Ent's client, and take the place of nothing.
func TestTemplatesOfOnesOwnAdd(t *testing.T) {
	t.Parallel()
	kits, err := templatesOf(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, refused string }{
		{`{{ define "own_names" }}package ent{{ end }}`, ""},
		{`{{/* gotype: entgo.io/ent/entc/gen.Graph */}}{{ define "model/additional/kind" }}// {{ template "helper/said" }}{{ end }}{{ define "helper/said" }}a{{ end }}`, ""},
		{`{{ define "client/additional/ping" }}{{ end }}`, ""},
		{`{{ define "client" }}package ent{{ end }}`, `the template "client" takes the place`},
		{`{{ define "names" }}package ent{{ end }}`, `the template "names" takes the place`},
		{`{{ define "helper/fold" }}a{{ end }}`, `the template "helper/fold" takes the place`},
		{`{{ define "dialect/sql/query/additional/wherep" }}a{{ end }}`, `additional/wherep" takes the place`},
		{`package ent`, `the template "one.tmpl" takes the place`},
		{`{{ define "own_a" }}`, "unexpected EOF"},
	} {
		tree := &source.Tree{Root: t.TempDir()}
		if own, err := ownTemplatesOf(tree, kits); own != nil || err != nil {
			t.Fatalf("no template: %v, %v", own, err)
		}
		if err := os.MkdirAll(tree.Path(ownTemplates), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(tree.Path(ownTemplates), "one.tmpl"), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		own, err := ownTemplatesOf(tree, kits)
		if c.refused == "" && (err != nil || own == nil) || c.refused != "" && (err == nil || !strings.Contains(err.Error(), c.refused)) {
			t.Errorf("%s: %v, want %q", c.text, err, c.refused)
		}
	}
}
