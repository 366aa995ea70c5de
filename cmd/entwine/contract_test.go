package main_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/entwine-go/entwine/rest/oas"
)

// tools is a directory with the programs of npm that testdata/contract names,
// and the files beside it.
var tools = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(filepath.Dir(binary), "contract") // removed with the program
	if err := os.CopyFS(dir, os.DirFS("testdata/contract")); err != nil {
		return dir, err
	}
	install := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
	install.Dir = dir
	return dir, install.Run()
})

// npm returns the directory of the tools.
func npm(t *testing.T) string {
	t.Helper()
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("NOT TESTED with the tools of npm: %v", err)
		}
	}
	dir, err := tools()
	if err != nil {
		t.Skipf("NOT TESTED with the tools of npm: npm ci: %v", err)
	}
	return dir
}

// execute runs a program of npm in a directory of its own and fails the test
// unless it succeeds.
func execute(t *testing.T, dir string, command ...string) string {
	t.Helper()
	var out bytes.Buffer
	program := command[0]
	if program != "node" {
		program = filepath.Join(dir, "node_modules/.bin", program)
	}
	run := exec.CommandContext(t.Context(), program, command[1:]...)
	run.Dir, run.Stdout, run.Stderr = dir, &out, &out
	run.Env = append(os.Environ(), "NO_COLOR=1", "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true")
	run.WaitDelay = time.Second
	if err := run.Run(); err != nil {
		t.Fatalf("%v: %v\n%s", command, err, &out)
	}
	return out.String()
}

func TestATypeScriptClientDrivesTheService(t *testing.T) {
	t.Parallel()
	dir := npm(t)
	s := start(t)
	execute(t, dir, "openapi-typescript", s.url+"/api/v1/openapi", "--default-non-nullable", "false", "-o", "api.d.ts")
	execute(t, dir, "tsc", "--project", ".")
	execute(t, dir, "node", "out/client.mjs", s.url)
}

// TestTheDocumentIsLinted: what is not asked of it says why in the
// configuration of each linter.
func TestTheDocumentIsLinted(t *testing.T) {
	t.Parallel()
	dir := npm(t)
	if err := os.WriteFile(filepath.Join(dir, "openapi.json"), oas.Document, 0o600); err != nil {
		t.Fatal(err)
	}
	for linter, command := range map[string][]string{
		".redocly.yaml":  {"redocly", "lint", "--config", ".redocly.yaml", "openapi.json"},
		".spectral.yaml": {"spectral", "lint", "--fail-severity", "hint", "--ruleset", ".spectral.yaml", "openapi.json"},
	} {
		config, err := os.ReadFile(filepath.Join("../..", linter))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, linter), config, 0o600); err != nil {
			t.Fatal(err)
		}
		t.Run(linter, func(t *testing.T) {
			t.Parallel()
			execute(t, dir, command...)
		})
	}
}
