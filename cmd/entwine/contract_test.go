package main_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/nodetest"
	"github.com/entwine-go/entwine/rest/oas/spec"
)

func TestATypeScriptClientDrivesTheService(t *testing.T) {
	t.Parallel()
	dir := nodetest.Folder(t, "testdata/contract")
	s := start(t)
	nodetest.Run(t, dir, "openapi-typescript", s.url+"/api/v1/openapi", "--default-non-nullable", "false", "-o", "api.d.ts")
	nodetest.Run(t, dir, "tsc", "--project", ".")
	nodetest.Run(t, dir, "node", "out/client.mjs", s.url)
}

// TestTheDocumentIsLinted: what is not asked of it says why in the
// configuration of each linter.
func TestTheDocumentIsLinted(t *testing.T) {
	t.Parallel()
	dir := nodetest.Folder(t, "testdata/contract")
	if err := os.WriteFile(filepath.Join(dir, "openapi.json"), spec.Document, 0o600); err != nil {
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
			nodetest.Run(t, dir, command...)
		})
	}
}
