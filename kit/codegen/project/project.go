// Package project writes the files of a new project: a module with two entities, its program, and
// what one does with it; and where that is asked for, parts of entwine's own service to begin
// with, copied from its source. It leans on the standard library and golang.org/x/mod alone. The
// written files are the project's own from then on, and never overwritten.
package project

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

//go:embed files with
var files embed.FS

// Project describes the project to write.
type Project struct {
	// Module is its path: "example.com/acme/notes".
	Module string
	// Version is that of the kit and its tool: "v0.2.0". Go is that of the
	// language, as go.mod has it.
	Version, Go string
	// Replace is a folder that the kit is in, in the place of a version. Empty: none.
	Replace string
	// With are the parts that it begins with, which are copied from Source, the
	// folder of entwine's source. Without parts that is not read.
	With   []string
	Source string
	// UserEdges are those of users to entities of the parts. They are read from
	// Source.
	UserEdges string
}

// Name is that of the program: the last element of the path but for a major
// version, "notes" of example.com/acme/notes/v2.
func (p Project) Name() string {
	if prefix, major, ok := module.SplitPathVersion(p.Module); ok && major != "" {
		return path.Base(prefix)
	}
	return path.Base(p.Module)
}

// programName matches names of a program, of its folder and of a user of a database.
var programName = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// check refuses a path that Go or the program can't have.
func (p Project) check() error {
	if err := module.CheckPath(p.Module); err != nil {
		return fmt.Errorf("%q is not the path of a module: %w; a domain and names after it are allowed, such as example.com/acme/notes or github.com/Acme/notes", p.Module, errors.Unwrap(err))
	}
	switch name := p.Name(); {
	case p.Module == kit:
		return fmt.Errorf("%q is not the path of a module of yours, it is entwine's", p.Module)
	case name == "weave":
		return errors.New("the program would be called weave, as the one that generates it is: any other name is allowed")
	case name == p.Module || !programName.MatchString(name):
		return fmt.Errorf("the program would be called %q: a name after the domain is needed, whose last part is of lower-case ASCII letters, digits and hyphens, such as example.com/acme/notes", name)
	}
	return nil
}

// replaced refuses a folder that is not entwine's source.
func (p Project) replaced() error {
	text, err := os.ReadFile(filepath.Join(p.Replace, "go.mod"))
	if err == nil && modfile.ModulePath(text) != kit {
		err = fmt.Errorf("it is the module %q", modfile.ModulePath(text))
	}
	if err != nil {
		return fmt.Errorf("%s is not a folder with the source of %s: %w", p.Replace, kit, err)
	}
	return nil
}

// target says where files are written whose names are others here.
func (p Project) target(name string) string {
	name = strings.TrimSuffix(name, ".tmpl")
	switch {
	case name == "gitignore" || name == "dockerignore":
		return "." + name
	case strings.HasPrefix(name, "ci/"):
		return "." + name
	case strings.HasPrefix(name, "cmd/"):
		return "cmd/" + p.Name() + strings.TrimPrefix(name, "cmd")
	}
	return name
}

// Write writes the project into the folder, which is made, and returns the
// files. It writes none where one of them is there already.
func (p Project) Write(folder string) (written []string, err error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if p.Replace != "" {
		if err := p.replaced(); err != nil {
			return nil, err
		}
	}
	contents, err := p.contents()
	if err != nil {
		return nil, err
	}
	written = slices.Sorted(maps.Keys(contents))
	for _, name := range written {
		if _, err := os.Stat(filepath.Join(folder, name)); !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s is there already: a project begins in an empty folder", filepath.Join(folder, name))
		}
	}
	for _, name := range written {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return nil, err
		}
		mode := fs.FileMode(0o644)
		if strings.HasPrefix(name, ".ci/") {
			mode = 0o755
		}
		if err := os.WriteFile(file, contents[name], mode); err != nil {
			return nil, err
		}
	}
	return written, nil
}

// contents are those of the project's files, by their names.
func (p Project) contents() (map[string][]byte, error) {
	contents := map[string][]byte{}
	if len(p.With) > 0 {
		if err := p.begin(contents); err != nil {
			return nil, err
		}
	}
	for _, part := range p.With {
		if err := p.fill(contents, parts+"/"+part); err != nil {
			return nil, err
		}
	}
	return contents, p.fill(contents, "files")
}

// fill adds the templates of a folder, as they are in this project.
func (p *Project) fill(contents map[string][]byte, folder string) error {
	return fs.WalkDir(files, folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		t, err := template.New("").Delims("[[", "]]").ParseFS(files, name)
		if err != nil {
			return err
		}
		var text bytes.Buffer
		if err := t.ExecuteTemplate(&text, path.Base(name), *p); err != nil {
			return err
		}
		file, code := p.target(strings.TrimPrefix(name, folder+"/")), text.Bytes()
		if path.Ext(file) == ".go" { // the order of imports follows from the module's path
			if code, err = format.Source(code); err != nil {
				return fmt.Errorf("format %s: %w", file, err)
			}
		}
		contents[file] = code
		return nil
	})
}
