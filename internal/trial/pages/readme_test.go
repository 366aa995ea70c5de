package pages_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

// TestTheREADMEsRequestsWork copies them into a shell, in order. The first
// block, which starts the service and the tests, is what this test does itself.
func TestTheREADMEsRequestsWork(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skipf("NOT TESTED in a shell: %v", err)
	}
	s := trial.Start(t)
	script := "set -euo pipefail\n" + strings.Join(trial.Blocks(t, "README.md", "sh")[1:], "\n")
	script = strings.ReplaceAll(script, "localhost:8080", strings.TrimPrefix(s.URL, "http://"))
	script = strings.ReplaceAll(script, "curl -s ", "curl -sS --fail-with-body -w '\\n' ")
	var out, errs bytes.Buffer
	shell := exec.CommandContext(t.Context(), "bash", "-c", script)
	shell.Stdout, shell.Stderr = &out, &errs
	if err := shell.Run(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, &out, &errs)
	}
	for _, want := range []string{`"email":"ada@example.com"`, `"title":"Hello"`, `"pagination":`, `"name":"Ada Lovelace"`, `{"data":{"posts":[{"id":`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the answers lack %s:\n%s", want, &out)
		}
	}
}

// TestTheREADMEsEntityCompiles compiles it as a file of schema/, and so that of AGENTS.md in new
// projects.
func TestTheREADMEsEntityCompiles(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir, replaced := t.TempDir(), map[string]string{}
	for name, page := range map[string]string{"supplier.go": "README.md", "ticket.go": "kit/codegen/project/files/AGENTS.md.tmpl"} {
		source := filepath.Join(dir, name)
		replaced[filepath.Join(root, "schema", name)] = source
		if err := os.WriteFile(source, []byte(trial.Blocks(t, page, "go")[0]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	content, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, content, 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-overlay", overlay, "./schema")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
