// Package typescript writes the client of a service for TypeScript from its manifest: a
// package of npm with the types of all that can be asked for (index.ts), on a run-time
// that is the same for every service (runtime.ts).
package typescript

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/manifest"
)

var (
	//go:embed runtime.ts
	runtime []byte
	//go:embed live.ts
	live []byte
	// frameworks are the entries of the package for React, Svelte, Vue and TanStack DB. They are no
	// TypeScript: to compile them would need what a project without them has not.
	//go:embed react.js react.d.ts svelte.js svelte.d.ts tanstack.js tanstack.d.ts vue.js vue.d.ts
	frameworks embed.FS
	//go:embed index.ts.tmpl
	indexText string
	//go:embed files.ts
	uploads []byte
	//go:embed presence.ts
	presence []byte
	//go:embed package.json.tmpl
	packageText string
	//go:embed tsconfig.json
	config []byte

	files = template.Must(template.Must(template.New("index").Funcs(functions).Parse(indexText)).New("package").Parse(packageText))
)

// Write writes the package into the folder: the generated files, below src, anew, and the
// project's own files where they do not exist. The package has the version of the
// service.
func Write(folder string, m *manifest.Manifest) error {
	d := newDocument(m)
	if err := os.MkdirAll(filepath.Join(folder, "src"), 0o755); err != nil {
		return err
	}
	var index, about bytes.Buffer
	if err := errors.Join(files.ExecuteTemplate(&index, "index", d), files.ExecuteTemplate(&about, "package", d)); err != nil {
		return err
	}
	write := func(name string, text []byte) error { return os.WriteFile(filepath.Join(folder, name), text, 0o644) }
	if err := errors.Join(write("src/index.ts", index.Bytes()), write("src/runtime.ts", runtime)); err != nil {
		return err
	}
	if d.HasLive() {
		if err := errors.Join(write("src/live.ts", live), entries(write)); err != nil {
			return err
		}
	}
	if d.HasPresence() {
		if err := write("src/presence.ts", presence); err != nil {
			return err
		}
	}
	if len(d.FileFields()) > 0 {
		if err := write("src/files.ts", uploads); err != nil {
			return err
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "tsconfig.json")); errors.Is(err, fs.ErrNotExist) {
		if err := write("tsconfig.json", config); err != nil {
			return err
		}
	}
	own, err := os.ReadFile(filepath.Join(folder, "package.json"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return write("package.json", about.Bytes())
	case err != nil:
		return err
	}
	return write("package.json", version.ReplaceAll(own, []byte(`"version": "`+m.Service.Version+`"`)))
}

// entries writes the entries for frameworks.
func entries(write func(name string, text []byte) error) error {
	return fs.WalkDir(frameworks, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := frameworks.ReadFile(name)
		return errors.Join(err, write(name, text))
	})
}

// version is the member of package.json.
var version = regexp.MustCompile(`"version": *"[^"]*"`)

// document is the data of the templates.
type document struct {
	*manifest.Manifest
	Entities []*entity
	Codes    []string
}

func newDocument(m *manifest.Manifest) *document {
	if m.Base == "" { // as the generator wrote it: all there is, in the names of the first version
		major, _, _ := strings.Cut(m.Service.Version, ".")
		m.Base = "/api/v" + major
		m.Conventions = manifest.Conventions{Names: "snake", IDs: "integer", Item: "bare", List: "bare", Page: map[string]string{"next_cursor": "next_cursor"}}
	}
	d := &document{Manifest: m, Codes: codes(m.Conventions.Errors)}
	for _, e := range m.Entities {
		d.Entities = append(d.Entities, newEntity(m, e))
	}
	return d
}

// Auth are the paths of the operations that the run-time signs in by.
func (d *document) Auth() map[string]string {
	s := d.SignIn
	if s == nil {
		return nil
	}
	return map[string]string{"login": s.Login, "refresh": s.Refresh, "logout": s.Logout, "me": s.Me, "register": s.Register}
}

// HasLive reports whether there are lists that clients follow.
func (d *document) HasLive() bool {
	return slices.ContainsFunc(d.Entities, func(e *entity) bool { return e.Live })
}

// HasPresence reports whether rows show who looks at them.
func (d *document) HasPresence() bool {
	return slices.ContainsFunc(d.Entities, func(e *entity) bool { return e.Presence != nil })
}

// FileFields are the names in uploads of the fields with files. There are none where
// an entity is called as the client's own member.
func (d *document) FileFields() (all []string) {
	for _, e := range d.Entities {
		if e.Property() == "files" && e.Asked() {
			return nil
		}
		for _, f := range e.Fields {
			if f.File != nil && !f.File.Issued {
				all = append(all, f.File.For)
			}
		}
	}
	return all
}

// ID is the type of ids.
func (d *document) ID() string { return idOf(d.Manifest) }

func idOf(m *manifest.Manifest) string {
	if m.Conventions.IDs == "global" {
		return "string"
	}
	return "ID"
}

// Package is the name of the package.
func (d *document) Package() string {
	return strings.ReplaceAll(strings.ToLower(cmp.Or(d.Service.Name, "service")), " ", "-") + "-client"
}

var functions = template.FuncMap{"doc": doc, "key": key, "camel": naming.Camel}

// doc is a comment above a declaration, empty where there is nothing to say.
func doc(indent, text string) string {
	text = strings.TrimSpace(strings.ReplaceAll(text, "*/", "* /"))
	if text == "" {
		return ""
	}
	return indent + "/** " + strings.ReplaceAll(text, "\n", "\n"+indent+" * ") + " */\n"
}

var identifier = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// key is a name as the key of an object.
func key(name string) string {
	if identifier.MatchString(name) {
		return name
	}
	return quoted(name)
}
