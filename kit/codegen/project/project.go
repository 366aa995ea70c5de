// Package project writes the files of a new project: a module with two
// entities, its program, and what one does with it. It leans on the standard
// library alone. What is written is the project's own from then on, and never
// overwritten.
package project

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"
)

//go:embed files
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
	contents := map[string][]byte{}
	err = fs.WalkDir(files, "files", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		t, err := template.New("").Delims("[[", "]]").ParseFS(files, name)
		if err != nil {
			return err
		}
		var text bytes.Buffer
		if err := t.ExecuteTemplate(&text, path.Base(name), p); err != nil {
			return err
		}
		target := p.target(strings.TrimPrefix(name, "files/"))
		if _, err := os.Stat(filepath.Join(folder, target)); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is there already: a project begins in an empty folder", filepath.Join(folder, target))
		}
		contents[target] = text.Bytes()
		written = append(written, target)
		return nil
	})
	if err != nil {
		return nil, err
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
