package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/99designs/gqlgen/api"
	"github.com/99designs/gqlgen/codegen/config"
)

// runGqlgen makes the executor and the models in gql/generated. It is called
// as a library, which also keeps its version in go.mod.
func runGqlgen(dir string, g *graphqlSchema) error {
	back, err := os.Getwd()
	if err != nil {
		return err
	}
	if err := os.Chdir(dir); err != nil { // its paths are relative to its configuration
		return err
	}
	defer func() { _ = os.Chdir(back) }()
	cfg, err := config.LoadConfig("gqlgen.yml")
	if err != nil {
		return fmt.Errorf("gql/gqlgen.yml: %w", err)
	}
	cfg.Sources = g.executable()
	kept := map[string]bool{"root_.generated.go": true, "prelude.generated.go": true, "models.go": true}
	for _, s := range cfg.Sources {
		kept[s.Name[:len(s.Name)-len(".graphql")]+".generated.go"] = true
	}
	if err := removeFiles(filepath.Join(dir, "generated"), "*.generated.go", kept); err != nil {
		return err
	}
	if err := api.Generate(cfg); err != nil {
		return fmt.Errorf("generate gql: %w", err)
	}
	return nil
}
