// Package project writes the files of a new project: a module with two
// entities, its program, and what one does with it; and where that is asked for,
// parts of entwine's own service to begin with, copied from its source. It leans on
// the standard library alone. What is written is the project's own from then on,
// and never overwritten.
package project

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"
)

//go:embed files with
var files embed.FS

// Project is what is to be written.
type Project struct {
	// Module is its path: "example.com/acme/notes". The last element is the name
	// of the program.
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

// Name is that of the program.
func (p Project) Name() string { return path.Base(p.Module) }

// modulePath is a path that Go and the names of programs both take.
var modulePath = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]*(/[a-zA-Z0-9._~-]+)*/[a-z][a-z0-9-]*$`)

// target says where files are written whose names are others here.
func (p Project) target(name string) string {
	name = strings.TrimSuffix(name, ".tmpl")
	switch {
	case name == "gitignore" || name == "gitattributes":
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
	if !modulePath.MatchString(p.Module) {
		return nil, fmt.Errorf("%q is not the path of a module such as example.com/acme/notes, whose last element names the program", p.Module)
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
		contents[p.target(strings.TrimPrefix(name, folder+"/"))] = text.Bytes()
		return nil
	})
}
