package moved_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/entwine-go/entwine/kit/codegen/moved"
)

func TestRewrite(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ was, is string }{
		"a package keeps its name": {
			"package p\n\nimport \"github.com/entwine-go/entwine/kit/runtime/store\"\n\nvar _ store.DB\n",
			"package p\n\nimport \"github.com/entwine-go/entwine/kit/store\"\n\nvar _ store.DB\n",
		},
		"a package has another name": {
			"package p\n\nimport \"github.com/entwine-go/entwine/kit/runtime/writing\"\n\n// F writes.\nfunc F(v writing.Values) *writing.Around { return nil }\n",
			"package p\n\nimport \"github.com/entwine-go/entwine/kit/write\"\n\n// F writes.\nfunc F(v write.Values) *write.Around { return nil }\n",
		},
		"the new name is something else": {
			"package p\n\nimport \"github.com/entwine-go/entwine/kit/runtime/writing\"\n\nfunc F(write func(writing.Values)) { write(nil) }\n",
			"package p\n\nimport writing \"github.com/entwine-go/entwine/kit/write\"\n\nfunc F(write func(writing.Values)) { write(nil) }\n",
		},
		"a variable has the former name": {
			"package p\n\nimport \"github.com/entwine-go/entwine/kit/runtime/writing\"\n\nvar v writing.Values\n\nfunc F() { writing := struct{ A int }{}; _ = writing.A }\n",
			"package p\n\nimport \"github.com/entwine-go/entwine/kit/write\"\n\nvar v write.Values\n\nfunc F() { writing := struct{ A int }{}; _ = writing.A }\n",
		},
		"the import has a name of its own": {
			"package p\n\nimport w \"github.com/entwine-go/entwine/kit/runtime/writing\"\n\nvar _ w.Values\n",
			"package p\n\nimport w \"github.com/entwine-go/entwine/kit/write\"\n\nvar _ w.Values\n",
		},
		"imports are in order": {
			"package p\n\nimport (\n\t\"github.com/entwine-go/entwine/kit/runtime/writing\"\n\t\"github.com/entwine-go/entwine/kit/viewer\"\n)\n\nvar _ writing.Values\nvar _ viewer.Viewer\n",
			"package p\n\nimport (\n\t\"github.com/entwine-go/entwine/kit/viewer\"\n\t\"github.com/entwine-go/entwine/kit/write\"\n)\n\nvar _ write.Values\nvar _ viewer.Viewer\n",
		},
		"some names have moved": {
			"package p\n\nimport (\n\t\"github.com/entwine-go/entwine/kit/read\"\n\t\"github.com/entwine-go/entwine/kit/viewer\"\n)\n\nfunc F(e *read.Entity, v *viewer.Viewer) *read.Selection { return read.Whole(e, v) }\n",
			"package p\n\nimport (\n\t\"github.com/entwine-go/entwine/kit/entity\"\n\t\"github.com/entwine-go/entwine/kit/read\"\n\t\"github.com/entwine-go/entwine/kit/viewer\"\n)\n\nfunc F(e *entity.Entity, v *viewer.Viewer) *read.Selection { return read.Whole(e, v) }\n",
		},
		"all names of an import have moved": {
			"package p\n\nimport \"github.com/entwine-go/entwine/kit/runtime/reading\"\n\nvar _ = reading.ParamOptions{Sort: []reading.Term{}}\n",
			"package p\n\nimport (\n\t\"github.com/entwine-go/entwine/kit/entity\"\n\t\"github.com/entwine-go/entwine/kit/rest/params\"\n)\n\nvar _ = params.Options{Sort: []entity.Term{}}\n",
		},
		"names have moved to a package whose name is taken": {
			"package p\n\nimport (\n\t\"example.org/bar/internal/entity\"\n\n\t\"github.com/entwine-go/entwine/kit/read\"\n)\n\nvar _ []*read.Field = entity.Post.Fields\n",
			"package p\n\nimport (\n\t\"example.org/bar/internal/entity\"\n\n\tkitentity \"github.com/entwine-go/entwine/kit/entity\"\n)\n\nvar _ []*kitentity.Field = entity.Post.Fields\n",
		},
		"nothing has moved": {
			"package p\n\nimport \"github.com/entwine-go/entwine/kit/viewer\"\n\nvar  _ viewer.Viewer\n",
			"package p\n\nimport \"github.com/entwine-go/entwine/kit/viewer\"\n\nvar  _ viewer.Viewer\n",
		},
		"it does not parse": {
			"package p\n\nimport \"github.com/entwine-go/entwine/kit/runtime/store\"\n\nfunc {\n",
			"package p\n\nimport \"github.com/entwine-go/entwine/kit/runtime/store\"\n\nfunc {\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(c.was), 0o600); err != nil {
				t.Fatal(err)
			}
			changed, err := moved.Rewrite(dir)
			if err != nil {
				t.Fatal(err)
			}
			is, err := os.ReadFile(filepath.Join(dir, "a.go"))
			if err != nil || string(is) != c.is {
				t.Errorf("it is %q, %v; want %q", is, err, c.is)
			}
			if named := slices.Contains(changed, "a.go"); named != (c.was != c.is) {
				t.Errorf("changed: %v", changed)
			}
		})
	}
}

// Where a package was, none is: the table leads to packages that exist.
func TestMovedPackagesAreThere(t *testing.T) {
	t.Parallel()
	for was, is := range moved.Paths() {
		if found, _ := filepath.Glob(filepath.Join("../..", is, "*.go")); len(found) == 0 {
			t.Errorf("kit/%s has moved to kit/%s, where no package is", was, is)
		}
		if found, _ := filepath.Glob(filepath.Join("../..", was, "*.go")); len(found) > 0 {
			t.Errorf("kit/%s has moved, and a package is there", was)
		}
	}
}
