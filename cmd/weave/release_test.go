package main_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	modules "golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"
)

// entwine is the path of this module.
const entwine = "github.com/entwine-go/entwine"

// release is a version of this tree that a proxy of modules serves, as others
// get it: what a replace would hide (imports of internal packages, files that are
// embedded and missing) is found.
type release struct {
	version string
	env     []string // of go
	dir     string   // what go has of it
}

var releases struct {
	sync.Mutex
	one *release
}

// publish packs the tree, once for all tests. Its version is the one that a project has
// which replaces it by a folder: with -trimpath the packages of both are compiled once.
func publish(t *testing.T) *release {
	t.Helper()
	releases.Lock()
	defer releases.Unlock()
	if releases.one == nil {
		releases.one = pack(t)
	}
	return releases.one
}

// unpublish removes what go has unpacked, once no test needs it.
func unpublish() {
	if r := releases.one; r != nil {
		_ = os.RemoveAll(r.dir)
	}
}

func pack(t *testing.T) *release {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	listed := exec.CommandContext(t.Context(), "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	listed.Dir = root
	out, err := listed.Output()
	if err != nil {
		t.Skipf("git does not list the tree: %v", err)
	}
	var all []modzip.File
	for name := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
		if _, err := os.Lstat(filepath.Join(root, name)); err == nil { // else it is removed
			all = append(all, file{root, name})
		}
	}
	const version = "v0.0.0"
	var archive bytes.Buffer
	if err := modzip.Create(&archive, modules.Version{Path: entwine, Version: version}, all); err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "weave-release-")
	if err != nil {
		t.Fatal(err)
	}
	r := &release{version: version, dir: dir}
	r.put(t, root, archive.Bytes())
	cache := goEnv(t, "GOMODCACHE")
	if err := linkModules(cache, r.modules()); err != nil {
		t.Fatal(err)
	}
	flags := strings.TrimSpace(goEnv(t, "GOFLAGS") + " -modcacherw")
	// A project's graph has modules that entwine's own lacks: what the cache has not
	// comes from where this machine gets modules.
	from := "file://" + r.proxy() + ",file://" + filepath.Join(cache, "cache/download") + "," + goEnv(t, "GOPROXY")
	r.env = []string{
		"GOMODCACHE=" + r.modules(), "GOPROXY=" + from, "GONOPROXY=", "GOPRIVATE=", "GOSUMDB=off", "GOWORK=off", "GOFLAGS=" + flags,
	}
	return r
}

func (r *release) proxy() string   { return filepath.Join(r.dir, "proxy") }
func (r *release) modules() string { return filepath.Join(r.dir, "modules") }

// linkModules makes a cache of modules by links to another one, of which it has all but
// this module: the version of the tree is one that other trees have, too.
func linkModules(from, to string) error {
	for _, folder := range []string{"", "github.com", "cache/download", "cache/download/github.com"} {
		if err := os.MkdirAll(filepath.Join(to, folder), 0o755); err != nil {
			return err
		}
		entries, err := os.ReadDir(filepath.Join(from, folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // it is empty at first
			return err
		}
		for _, e := range entries {
			if slices.Contains([]string{"cache", "github.com", "entwine-go"}, e.Name()) {
				continue
			}
			if err := os.Symlink(filepath.Join(from, folder, e.Name()), filepath.Join(to, folder, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// also has the proxy know of an earlier version, as go asks about one that it
// takes another one for.
func (r *release) also(t *testing.T, version string) {
	t.Helper()
	folder := filepath.Join(r.proxy(), entwine, "@v")
	mod, err := os.ReadFile(filepath.Join(folder, r.version+".mod"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"list": []byte(version + "\n" + r.version + "\n"), version + ".info": fmt.Appendf(nil, `{"Version":%q}`, version), version + ".mod": mod} {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// put writes what a proxy answers with.
func (r *release) put(t *testing.T, root string, archive []byte) {
	t.Helper()
	version, folder := r.version, filepath.Join(r.proxy(), entwine, "@v")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"list": []byte(version + "\n"), version + ".info": fmt.Appendf(nil, `{"Version":%q}`, version), version + ".mod": mod, version + ".zip": archive,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive))); err != nil {
		t.Fatal(err)
	}
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// file is one of the tree.
type file struct{ root, name string }

func (f file) Path() string                 { return f.name }
func (f file) Lstat() (os.FileInfo, error)  { return os.Lstat(filepath.Join(f.root, f.name)) }
func (f file) Open() (io.ReadCloser, error) { return os.Open(filepath.Join(f.root, f.name)) }
