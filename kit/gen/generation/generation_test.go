package generation_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/gen/generation"
)

// Code of another generation says at the line that names it that it does not fit.
func TestCodeOfAnotherGenerationDoesNotCompile(t *testing.T) {
	t.Parallel()
	const code = `package a
type Enforce uint
const (
	Oldest, Newest = 2, 3
	_ = Enforce(N - Oldest)
	_ = Enforce(Newest - N)
)
`
	for n, fits := range map[string]bool{"1": false, "2": true, "3": true, "4": false} {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, "a.go", strings.NewReplacer("(N ", "("+n+" ", " N)", " "+n+")").Replace(code), 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = new(types.Config).Check("a", files, []*ast.File{file}, nil)
		if (err == nil) != fits {
			t.Errorf("generation %s of 2 to 3: %v", n, err)
		}
	}
	if generation.Oldest > generation.Newest {
		t.Error("the generator writes what its run-time does not run")
	}
}
