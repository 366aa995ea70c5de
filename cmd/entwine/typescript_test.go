package main_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/codegen/typescript"
	"github.com/entwine-go/entwine/kit/kittest/nodetest"
	"github.com/entwine-go/entwine/kit/manifest"
)

// typed writes the client of a version into a folder of the test's and builds its package.
func typed(t *testing.T, dir, name, version string) {
	t.Helper()
	m, err := manifest.Decode([]byte(mustEntwine(t, dir, "schema", "manifest", "--version", version)))
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, name)
	if err := typescript.Write(folder, m); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "node_modules"), filepath.Join(folder, "node_modules")); err != nil {
		t.Fatal(err)
	}
	nodetest.Run(t, dir, "tsc", "-p", name)
}

// The client for TypeScript lists, writes, refuses what another has changed, repeats what
// was lost without doing it twice and refreshes its token once for all tabs, as the
// program in testdata checks; mistakes in its use are the compiler's.
func TestTheClientForTypeScript(t *testing.T) {
	t.Parallel()
	dir := nodetest.Folder(t, "testdata/typescript")
	typed(t, dir, "client", "v1")
	typed(t, dir, "named", "v2")
	nodetest.Run(t, dir, "tsc")

	s := start(t)
	if out := nodetest.Run(t, dir, "node", "story.mjs", s.url); !strings.HasPrefix(out, "checks: ") {
		t.Errorf("the program says %s", out)
	}
	if out := nodetest.Run(t, dir, "node", "live.mjs", start(t).url); !strings.HasPrefix(out, "followed ") {
		t.Errorf("the program that follows lists says %s", out)
	}
	if out := nodetest.Run(t, dir, "node", "presence.mjs", start(t).url); out != "looked\n" {
		t.Errorf("the program that looks at a post says %s", out)
	}
	key := strings.TrimSpace(mustEntwine(t, s.dir, "apikey", "create", "--permissions", "read,write", "Stock keeping"))
	if out := nodetest.Run(t, dir, "node", "named.mjs", s.url, key); out != `["string",7,2,true,["Slide rule"],0]`+"\n" {
		t.Errorf("version 2: %s", out)
	}
}

// A page with a list loads little, and the package is one of npm's.
func TestTheClientForTypeScriptIsSmall(t *testing.T) {
	t.Parallel()
	dir := nodetest.Folder(t, "testdata/typescript")
	typed(t, dir, "client", "v1")
	nodetest.Run(t, dir, "esbuild", "page.mts", "--bundle", "--minify", "--format=esm", "--outfile=page.js")
	page, err := os.ReadFile(filepath.Join(dir, "page.js"))
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(page); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if packed.Len() > 12<<10 {
		t.Errorf("a page with a list loads %d bytes, compressed", packed.Len())
	}
	t.Logf("a page with a list loads %d bytes, compressed", packed.Len())
	nodetest.Run(t, filepath.Join(dir, "client"), "npm", "pack", "--silent")
	if _, err := os.Stat(filepath.Join(dir, "client/entwine-client-1.0.0.tgz")); err != nil {
		t.Error(err)
	}
}
