package develop

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/codegen"
)

// watch looks at the files that a program is built of. It compares what the
// file system says every so often, which costs a few milliseconds for
// thousands of files and works where events of the system do not arrive: on
// folders that are shared with a container or a virtual machine.
type watch struct {
	root string
	// leave is a folder that is not looked into.
	leave string
}

// stamp changes with a file.
type stamp struct {
	at   time.Time
	size int64
}

// sight is the last seen state of the files.
type sight map[string]stamp

// changes has the differences.
type changes struct {
	// schema is set where something did that is generated from.
	schema bool
	// at is when it was saved.
	at time.Time
	// gone is set where nothing did, but the program has ended.
	gone bool
}

// built are the endings of files that a program may be built of.
var built = []string{".go", ".mod", ".sum", ".graphql", ".yaml", ".yml", ".sql", ".html", ".tmpl", ".css", ".js", ".txt", ".json"}

// look returns the state of the files.
func (w *watch) look() (sight, error) {
	leave := []string{w.leave, filepath.Join(w.root, "bin")}
	for _, folder := range codegen.Folders() {
		leave = append(leave, filepath.Join(w.root, folder))
	}
	seen := sight{}
	err := filepath.WalkDir(w.root, func(name string, d fs.DirEntry, err error) error {
		if os.IsNotExist(err) { // it has gone meanwhile
			return nil
		}
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() {
			if name != w.root && (strings.HasPrefix(base, ".") || base == "node_modules" || base == "testdata" || slices.Contains(leave, name)) {
				return fs.SkipDir
			}
			return nil
		}
		if strings.HasPrefix(base, ".") || strings.HasSuffix(base, "_test.go") || !slices.Contains(built, filepath.Ext(base)) {
			return nil
		}
		if info, err := d.Info(); err == nil {
			seen[name] = stamp{info.ModTime(), info.Size()}
		}
		return nil
	})
	return seen, err
}

// since are the files that are not as they were, and what that means.
func (w *watch) since(was, now sight, sources []string) (changes, bool) {
	c := changes{}
	different := false
	note := func(name string, at time.Time) {
		different = true
		folder := filepath.Dir(name)
		c.schema = c.schema || slices.Contains(sources, folder) || strings.HasPrefix(folder, filepath.Join(w.root, "migrate")) ||
			folder == filepath.Join(w.root, "schema", "template") || // of Ent's client
			slices.Contains([]string{".graphql", ".yaml", ".mod"}, filepath.Ext(name))
		if at.After(c.at) {
			c.at = at
		}
	}
	for name, s := range now {
		if was[name] != s {
			note(name, s.at)
		}
	}
	for name := range maps.Keys(was) {
		if _, still := now[name]; !still {
			note(name, time.Time{})
		}
	}
	if age := time.Since(c.at); age > 5*time.Second || age < 0 { // moved here, or another clock
		c.at = time.Now()
	}
	return c, different
}

// wait returns when the files are not as they were seen, and have been at rest
// since they were looked at before. Folders of sources are generated from. It
// returns, too, when the program has ended by itself.
func (w *watch) wait(ctx context.Context, seen sight, sources []string, every time.Duration, gone <-chan struct{}) (sight, changes, error) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	last := seen
	for {
		select {
		case <-ctx.Done():
			return seen, changes{}, nil
		case <-gone:
			return seen, changes{at: time.Now(), gone: true}, nil
		case <-ticker.C:
		}
		now, err := w.look()
		if err != nil {
			return seen, changes{}, err
		}
		c, different := w.since(seen, now, sources)
		if different && maps.Equal(now, last) {
			return now, c, nil
		}
		last = now
	}
}

// acquit takes the files for seen as they are now: the build writes them.
func (w *watch) acquit(seen sight, names ...string) error {
	now, err := w.look()
	if err != nil {
		return err
	}
	for _, name := range names {
		name = filepath.Join(w.root, name)
		seen[name] = now[name]
	}
	return nil
}

// sources are the folders of the module's packages that schema/ is made of.
func (l *Loop) sources(ctx context.Context) ([]string, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-e", "-deps", "-f", "{{with .Module}}{{if .Main}}{{$.Dir}}{{end}}{{end}}", "./schema")
	cmd.Dir, cmd.Env, cmd.Stderr = l.Root, l.Environ, l.Stderr
	out, err := cmd.Output()
	return strings.Fields(string(out)), err
}
