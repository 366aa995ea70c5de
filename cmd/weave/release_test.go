package main_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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
	proxy   string
	cache   string // of modules
}

// publish packs the tree. The version names its contents: the build cache is good
// for a tree that was packed before. What go unpacks of it goes with the test.
func publish(t *testing.T) *release {
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
	// The version is part of the names in the archive: it is made of their contents.
	version, err := digest(all)
	if err != nil {
		t.Fatal(err)
	}
	var archive bytes.Buffer
	if err := modzip.Create(&archive, modules.Version{Path: entwine, Version: version}, all); err != nil {
		t.Fatal(err)
	}
	cache := strings.TrimSpace(goEnv(t, "GOMODCACHE"))
	proxy := t.TempDir()
	put(t, proxy, root, version, archive.Bytes())
	forget(t, cache, version)
	flags := strings.TrimSpace(goEnv(t, "GOFLAGS") + " -modcacherw")
	// A project's graph has modules that entwine's own lacks: what the cache has not
	// comes from where this machine gets modules.
	from := "file://" + proxy + ",file://" + filepath.Join(cache, "cache/download") + "," + goEnv(t, "GOPROXY")
	return &release{version: version, proxy: proxy, cache: cache, env: []string{
		"GOPROXY=" + from, "GONOPROXY=", "GOPRIVATE=", "GOSUMDB=off", "GOWORK=off", "GOFLAGS=" + flags,
	}}
}

// forget removes in the end what go keeps of the version: it is none that others have.
func forget(t *testing.T, cache, version string) {
	t.Helper()
	t.Cleanup(func() {
		for _, kept := range []string{entwine + "@" + version, filepath.Join("cache/download", entwine, "@v", version+".*"), filepath.Join("cache/download", entwine, "@v", "list")} {
			found, _ := filepath.Glob(filepath.Join(cache, kept))
			for _, name := range found {
				_ = os.RemoveAll(name)
			}
		}
	})
}

// also has the proxy know of an earlier version, as go asks about one that it
// takes another one for.
func (r *release) also(t *testing.T, version string) {
	t.Helper()
	forget(t, r.cache, version)
	folder := filepath.Join(r.proxy, entwine, "@v")
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
func put(t *testing.T, proxy, root, version string, archive []byte) {
	t.Helper()
	folder := filepath.Join(proxy, entwine, "@v")
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

func digest(all []modzip.File) (version string, err error) {
	h := sha256.New()
	for _, f := range all {
		fmt.Fprintln(h, f.Path())
		content, err := f.Open()
		if err != nil {
			return "", err
		}
		_, err = io.Copy(h, content)
		content.Close()
		if err != nil {
			return "", err
		}
	}
	return "v0.9.0-t" + hex.EncodeToString(h.Sum(nil))[:12], nil
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
