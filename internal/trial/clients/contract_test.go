package clients_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	generated "github.com/entwine-go/entwine/internal/service"
	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/kittest/nodetest"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
)

// A client in TypeScript whose types a generator of others makes of the document compiles
// and drives the service.
func TestATypeScriptClientDrivesTheService(t *testing.T) {
	t.Parallel()
	dir := nodetest.Folder(t, "testdata/contract")
	s := trial.Start(t)
	for version, types := range map[string]string{"v1": "api.d.ts", "v2": "api-v2.d.ts"} {
		nodetest.Run(t, dir, "openapi-typescript", s.URL+"/api/"+version+"/openapi", "--default-non-nullable", "false", "-o", types)
	}
	nodetest.Run(t, dir, "tsc", "--project", ".")
	nodetest.Run(t, dir, "node", "out/client.mjs", s.URL)
	nodetest.Run(t, dir, "node", "out/client-v2.mjs", s.URL)
}

// The client that ogen makes of the document of version 2 is compiled, which takes
// a while, and drives the service.
func TestAGoClientDrivesAnotherVersion(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a client of all operations")
	}
	t.Parallel()
	dir := t.TempDir()
	mod, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	mod = bytes.Replace(mod, []byte("module github.com/entwine-go/entwine"), []byte("module example.com/client"), 1)
	sum, err := os.ReadFile("../../../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	main, err := os.ReadFile("testdata/goclient/main.go")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"go.mod": mod, "go.sum": sum, "main.go": main, "v2.json": []byte(trial.MustRun(t, dir, "schema", "openapi", "--version", "v2")),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	client := filepath.Join(dir, "client")
	for _, step := range []struct{ in, command string }{
		{"../../..", "go run ./cmd/weave client " + dir + "/v2.json " + dir + "/api"},
		{dir, "go build -mod=mod -o " + client + " ."},
	} {
		words := strings.Fields(step.command)
		cmd := exec.CommandContext(t.Context(), words[0], words[1:]...)
		cmd.Dir = step.in
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", step.command, err, out)
		}
	}
	s := trial.Start(t, "ENTWINE_ADMIN_EMAIL=admin@example.com", "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword)
	if out, err := exec.CommandContext(t.Context(), client, s.URL, s.SignIn(t)).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// TestTheDocumentIsLinted: what is not asked of it says why in the
// configuration of each linter.
func TestTheDocumentIsLinted(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"v1", "v2", "v3"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			g := generated.Generated(nil)
			about := apiversion.About{Name: g.Schema.Name, Prefix: expose.Prefix, Entities: g.Entities, Also: g.Tables.AlsoSent}
			versions, err := apiversion.Parse(about, g.Schema.Version, []string{"v1=main", "v2=jsend", "v3=flag"}, "v1")
			if err != nil {
				t.Fatal(err)
			}
			served, err := versions.Named(version)
			if err != nil {
				t.Fatal(err)
			}
			lint(t, versions.Document(served, apiversion.Published{Number: g.Schema.Version, Document: g.Document(), Marks: g.Marks}))
		})
	}
}

func lint(t *testing.T, document []byte) {
	dir := nodetest.Folder(t, "testdata/contract")
	if err := os.WriteFile(filepath.Join(dir, "openapi.json"), document, 0o600); err != nil {
		t.Fatal(err)
	}
	for linter, command := range map[string][]string{
		".redocly.yaml":  {"redocly", "lint", "--config", ".redocly.yaml", "openapi.json"},
		".spectral.yaml": {"spectral", "lint", "--fail-severity", "hint", "--ruleset", ".spectral.yaml", "openapi.json"},
	} {
		config, err := os.ReadFile(filepath.Join("../../..", linter))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, linter), config, 0o600); err != nil {
			t.Fatal(err)
		}
		t.Run(linter, func(t *testing.T) {
			t.Parallel()
			nodetest.Run(t, dir, command...)
		})
	}
}
