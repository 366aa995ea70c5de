package clients_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/codegen/typescript"
	"github.com/entwine-go/entwine/kit/kittest/nodetest"
	"github.com/entwine-go/entwine/kit/manifest"
)

// typed writes the client of a version into a folder of the test's and builds its package.
func typed(t *testing.T, dir, name, version string) {
	t.Helper()
	m, err := manifest.Decode([]byte(trial.MustRun(t, dir, "schema", "manifest", "--version", version)))
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

	s := trial.Start(t)
	if out := nodetest.Run(t, dir, "node", "story.mjs", s.URL); !strings.HasPrefix(out, "checks: ") {
		t.Errorf("the program says %s", out)
	}
	if out := nodetest.Run(t, dir, "node", "live.mjs", trial.Start(t).URL); !strings.HasPrefix(out, "followed ") {
		t.Errorf("the program that follows lists says %s", out)
	}
	if out := nodetest.Run(t, dir, "node", "presence.mjs", trial.Start(t).URL); out != "looked\n" {
		t.Errorf("the program that looks at a post says %s", out)
	}
	key := strings.TrimSpace(trial.MustRun(t, s.Dir, "apikey", "create", "--permissions", "read,write", "Stock keeping"))
	if out := nodetest.Run(t, dir, "node", "named.mjs", s.URL, key); out != `["string",7,2,true,["Slide rule"],0]`+"\n" {
		t.Errorf("version 2: %s", out)
	}
}

// checked are the compiler's own count of the types that it has instantiated.
var checked = regexp.MustCompile(`Instantiations:\s+(\d+)`)

// The compiler checks 1,000 different calls of the client within 5 s: what it does for that
// is counted, because its time depends on the machine.
func TestAThousandCallsAreCheckedFast(t *testing.T) {
	t.Parallel()
	dir := nodetest.Folder(t, "testdata/typescript")
	typed(t, dir, "client", "v1")
	m, err := manifest.Decode([]byte(trial.MustRun(t, dir, "schema", "manifest", "--version", "v1")))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "calls.mts"), []byte(thousandCalls(t, m)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "calls.json"), []byte(`{"extends":"./tsconfig.json","compilerOptions":{"noEmit":true},"files":["calls.mts"]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	out := nodetest.Run(t, dir, "tsc", "-p", "calls.json", "--extendedDiagnostics")
	t.Log(out)
	found := checked.FindStringSubmatch(out)
	if found == nil {
		t.Fatal("the compiler does not say what it did")
	}
	if n, _ := strconv.Atoi(found[1]); n > 100_000 {
		t.Errorf("%d types are instantiated for 1,000 calls, want 100,000 at most", n)
	}
}

// thousandCalls is a program of 1,000 lists, no two of which ask for the same.
func thousandCalls(t *testing.T, m *manifest.Manifest) string {
	t.Helper()
	var text strings.Builder
	text.WriteString("import { connect } from \"./client/dist/index.js\";\nexport async function calls() {\n  const db = connect();\n")
	for n := 0; n < 1000; {
		for _, e := range m.Entities {
			if e.Under != "" || strings.Count(e.Path, "/") > 1 || n == 1000 || !slices.ContainsFunc(e.Verbs, func(c *manifest.Call) bool { return c.Name == "list" && c.Of == "" }) {
				continue
			}
			shown := slices.DeleteFunc(slices.Clone(e.Fields), func(f *manifest.Field) bool { return f.Secret || f.OnRequest || f.Single || f.Restricted })
			sorts := slices.DeleteFunc(slices.Clone(e.Fields), func(f *manifest.Field) bool { return !f.Sort })
			field, other, sort := shown[n%len(shown)].Name, shown[(n/7)%len(shown)].Name, sorts[n%len(sorts)].Name
			fmt.Fprintf(&text, "  const rows%[1]d = await db.%[2]s.list({ fields: [%[3]q, %[4]q], sort: %[5]q, where: { id: %[1]d } });\n  rows%[1]d.rows[0]?.%[3]s;\n",
				n, naming.Camel(strings.ReplaceAll(e.Path[1:], "-", "_")), field, other, sort)
			n++
		}
	}
	text.WriteString("}\n")
	return text.String()
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
