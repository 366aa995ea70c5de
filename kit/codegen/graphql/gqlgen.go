package graphql

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/99designs/gqlgen/api"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/vektah/gqlparser/v2/parser"
	"gopkg.in/yaml.v3"

	"github.com/entwine-go/entwine/kit/codegen/source"
)

//go:embed gqlgen.yml
var gqlgenConfig []byte

// runGqlgen makes the executor and the models in gql/generated. It is called
// as a library, which also keeps its version in go.mod.
func (g *Schema) runGqlgen(tree *source.Tree, folder *source.Folder) error {
	back, err := os.Getwd()
	if err != nil {
		return err
	}
	if err := os.Chdir(tree.Path("gql")); err != nil { // the paths in its configuration are relative
		return err
	}
	defer func() { _ = os.Chdir(back) }()
	cfg, err := config.ReadConfig(bytes.NewReader(gqlgenConfig))
	if err != nil {
		return fmt.Errorf("gqlgen.yml: %w", err)
	}
	if err := bindModels(cfg, "gqlgen.yml"); err != nil {
		return err
	}
	cfg.Sources = g.executable()
	folder.Keep("root_.generated.go", "prelude.generated.go")
	for _, s := range cfg.Sources {
		if document, err := parser.ParseSchema(s); err == nil && len(document.Definitions) > 0 { // else there is nothing in it
			folder.Keep(s.Name[:len(s.Name)-len(".graphql")] + ".generated.go")
		}
	}
	if err := folder.RemoveOthers("*.generated.go"); err != nil {
		return err
	}
	if err := api.Generate(cfg); err != nil {
		return fmt.Errorf("generate gql: %w", err)
	}
	return nil
}

// bindModels binds the types of a service's own, such as scalars, to those of Go that
// its file of gqlgen's configuration names. There need not be one.
func bindModels(cfg *config.Config, file string) error {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var own struct{ Models config.TypeMap }
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&own); err != nil {
		return fmt.Errorf("gql/%s: models is allowed: %w", file, err)
	}
	for name, model := range own.Models {
		if cfg.Models.Exists(name) {
			return fmt.Errorf("gql/%s: models.%s: is generated already", file, name)
		}
		cfg.Models[name] = model
	}
	return nil
}
