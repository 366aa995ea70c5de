// Package codegentest gives the tests of emitters the model of this module's
// own schemas, which are compiled and run once for all tests of a package, and
// source trees of the files that a test names.
package codegentest

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"entgo.io/ent/entc"
	"entgo.io/ent/entc/load"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/orm"
	"github.com/entwine-go/entwine/kit/codegen/source"
)

// root is the module's folder, seen from an emitter's.
const root = "../../.."

// Tree returns the source tree of this module.
func Tree(t testing.TB) *source.Tree {
	t.Helper()
	tree, err := source.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// Module returns a source tree of nothing but the files, by their paths. path is
// that of the module.
func Module(t testing.TB, path string, files map[string]string) *source.Tree {
	t.Helper()
	root := t.TempDir()
	all := map[string]string{"go.mod": "module " + path + "\n\ngo 1.26\n"}
	maps.Copy(all, files)
	for name, text := range all {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := source.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// schemas are those of this module, as Ent's loader encodes them.
var schemas = sync.OnceValues(func() ([]byte, error) {
	tree, err := source.Open(root)
	if err != nil {
		return nil, err
	}
	spec, err := orm.Load(tree)
	if err != nil {
		return nil, err
	}
	return json.Marshal(spec)
})

// Model returns the model of this module's schemas, which the test may change.
func Model(t testing.TB, options ...entc.Option) *model.Model {
	t.Helper()
	encoded, err := schemas()
	if err != nil {
		t.Fatal(err)
	}
	spec := &load.SchemaSpec{}
	if err := json.Unmarshal(encoded, spec); err != nil {
		t.Fatal(err)
	}
	graph, err := orm.NewGraph(Tree(t), spec, options...)
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.New(graph)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Entity returns the entity of the model with the name.
func Entity(t testing.TB, m *model.Model, name string) *model.Entity {
	t.Helper()
	for _, e := range m.Entities {
		if e.Name == name {
			return e
		}
	}
	t.Fatalf("there is no entity %s", name)
	return nil
}
