package openapi

import (
	"fmt"

	"github.com/ogen-go/ogen"
	"github.com/ogen-go/ogen/gen"

	"github.com/entwine-go/entwine/kit/codegen/source"
)

// newOgen has ogen read the document.
func newOgen(document *node, feature string, errors gen.ConvenientErrors) (*gen.Generator, error) {
	data, err := encode(document)
	if err != nil {
		return nil, err
	}
	spec, err := ogen.Parse(data)
	if err != nil {
		return nil, err
	}
	features := &gen.FeatureOptions{DisableAll: true, Enable: gen.FeatureSet{}}
	if err := features.Enable.Enable(feature); err != nil {
		return nil, err
	}
	return gen.NewGenerator(spec, gen.Options{Generator: gen.GenerateOptions{Features: features, ConvenientErrors: errors}})
}

// newClient and newServer have ogen read the two documents.
func (r *contract) newClient() (*gen.Generator, error) {
	return newOgen(r.clientDocument(), "paths/client", 1)
}

func (r *contract) newServer() (*gen.Generator, error) {
	return newOgen(r.serverDocument(), "paths/server", -1)
}

// writeOgen writes a package, and removes what is no longer part of it.
func writeOgen(folder *source.Folder, pkg string, g *gen.Generator) error {
	if err := g.WriteSource(folder, pkg); err != nil {
		return fmt.Errorf("write package %s: %w", pkg, err)
	}
	return folder.RemoveOthers("*")
}
