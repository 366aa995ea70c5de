// Package typecheck reports whether generated packages are valid Go, without
// compiling them: it type-checks their source, and takes what they
// import from elsewhere as the compiler left it.
package typecheck

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/entwine-go/entwine/kit/codegen/source"
)

// atMost is how many errors are reported: one mistake often causes hundreds.
const atMost = 10

// Check type-checks the packages in the folders of the tree and below.
func Check(ctx context.Context, tree *source.Tree, folders ...string) error {
	c := &checker{tree: tree, fset: token.NewFileSet(), packages: map[string]*unit{}}
	for _, folder := range folders {
		if err := c.read(folder); err != nil {
			return err
		}
	}
	exports, err := c.exports(ctx)
	if err != nil {
		return err
	}
	c.others = importer.ForCompiler(c.fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("go.mod and go.sum have no package %s, or not all that it imports: GOFLAGS=-mod=mod before the command adds what is missing, as make generate does", path)
		}
		return os.Open(exports[path])
	})
	turns := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wait sync.WaitGroup
	for _, u := range c.packages {
		wait.Go(func() { c.check(u, turns) })
	}
	wait.Wait()
	return c.told()
}

// unit is a package.
type unit struct {
	path    string
	files   []*ast.File
	imports []string
	checked *types.Package
	errs    []error
	done    chan struct{}
}

type checker struct {
	tree     *source.Tree
	fset     *token.FileSet
	packages map[string]*unit

	mu     sync.Mutex // the importer of export data is not safe for concurrent use
	others types.Importer
}

// read parses the packages in the folder and below.
func (c *checker) read(folder string) error {
	root := c.tree.Path(folder)
	err := filepath.WalkDir(root, func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		relative, err := filepath.Rel(c.tree.Root, dir)
		if err != nil {
			return err
		}
		return c.readPackage(dir, path.Join(c.tree.Module, filepath.ToSlash(relative)))
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (c *checker) readPackage(dir, importPath string) error {
	found, err := build.Default.ImportDir(dir, 0)
	if _, none := errors.AsType[*build.NoGoError](err); none {
		return nil
	}
	if err != nil {
		return err
	}
	u := &unit{path: importPath, imports: found.Imports, done: make(chan struct{})}
	for _, name := range found.GoFiles {
		file, err := parser.ParseFile(c.fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		u.files = append(u.files, file)
	}
	c.packages[importPath] = u
	return nil
}

// exports are the files with the compiler's export data of the packages that
// are imported and not among those that are checked.
func (c *checker) exports(ctx context.Context) (map[string]string, error) {
	var wanted []string
	for _, u := range c.packages {
		for _, p := range u.imports {
			if c.packages[p] == nil && p != "unsafe" && p != "C" {
				wanted = append(wanted, p)
			}
		}
	}
	slices.Sort(wanted)
	wanted = slices.Compact(wanted)
	if len(wanted) == 0 {
		return nil, nil
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-e", "-export", "-deps", "-json=ImportPath,Export"}, wanted...)...)
	cmd.Dir = c.tree.Root
	var failure bytes.Buffer
	cmd.Stderr = &failure
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, failure.Bytes())
	}
	files := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p struct{ ImportPath, Export string }
		if err := d.Decode(&p); err != nil {
			return nil, err
		}
		files[p.ImportPath] = p.Export
	}
	return files, nil
}

// check checks the package once those that it imports are.
func (c *checker) check(u *unit, turns chan struct{}) {
	defer close(u.done)
	for _, p := range u.imports {
		if other := c.packages[p]; other != nil {
			<-other.done
		}
	}
	turns <- struct{}{}
	defer func() { <-turns }()
	config := types.Config{
		Importer: c,
		Sizes:    types.SizesFor("gc", runtime.GOARCH),
		Error:    func(err error) { u.errs = append(u.errs, err) },
	}
	u.checked, _ = config.Check(u.path, c.fset, u.files, nil) // Error gets them
	u.files = nil
}

// Import implements types.Importer.
func (c *checker) Import(path string) (*types.Package, error) {
	if u := c.packages[path]; u != nil {
		return u.checked, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.others.Import(path)
}

// told joins the errors, by the files' names in the tree.
func (c *checker) told() error {
	var all []error
	for _, u := range c.packages {
		for _, err := range u.errs {
			wrong, ok := errors.AsType[types.Error](err)
			if !ok {
				all = append(all, err)
				continue
			}
			if strings.HasPrefix(wrong.Msg, "\t") {
				continue // it goes on about the one before
			}
			p := c.fset.Position(wrong.Pos)
			name, relErr := filepath.Rel(c.tree.Root, p.Filename)
			if relErr != nil {
				name = p.Filename
			}
			all = append(all, errors.New(name+":"+strconv.Itoa(p.Line)+": "+wrong.Msg))
		}
	}
	slices.SortFunc(all, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	if more := len(all) - atMost; more > 0 {
		all = append(all[:atMost], fmt.Errorf("and %d more", more))
	}
	return errors.Join(all...)
}
