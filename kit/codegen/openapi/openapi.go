// Package openapi makes the REST API's contract: the OpenAPI document, from the
// model and the operations by hand in rest/*.yaml, the table of operations, and
// what ogen makes of the document: a client, and the server's interface.
//
// It is one package because it writes one document: operations, components, errors and
// examples refer to each other by name, and the server and the client are made of the
// same document.
package openapi

import (
	"fmt"
	"slices"
	"text/template"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/gen/openapi"
)

var documentFile = template.Must(template.New("document").Parse(`{{ .Header }}

// Package spec holds the OpenAPI document of REST, and the table of operations
// that the server looks into with every request. The typed client (package
// oas) and the server (package server) are made from the same document.
package spec

import (
	_ "embed"

	"{{ .Kit }}/gen/openapi"
)

// compressed is openapi.json, which is one and a half to two megabytes of a large service.
//
//go:embed openapi.json.gz
var compressed []byte

// Document returns the published OpenAPI 3.1 document, as JSON.
func Document() []byte { return openapi.Decompressed(compressed) }

// Marks are facts that the document does not contain, as JSON: the entities of its
// ids and fields (package openapi).
//
//go:embed marks.json
var Marks []byte
`))

var clientFile = template.Must(template.New("client").Parse(`{{ .Header }}

// Package oas is the typed client of REST, made from the OpenAPI document of
// package spec. It is for programs that call the service: the service itself
// does without.
package oas
`))

// Write writes the document, the client and the server's interface.
func Write(tree *source.Tree, m *model.Model) error {
	r, err := newContract(tree, m)
	if err != nil {
		return err
	}
	if err := r.writeSpec(tree.Folder("rest/oas/spec")); err != nil {
		return err
	}
	if err := r.writeClient(tree.Folder("rest/oas"), m.Service.NoClient); err != nil {
		return err
	}
	server, err := r.newServer()
	if err != nil {
		return fmt.Errorf("generate the REST server: %w", err)
	}
	return writeServer(tree.Folder("rest/oas/server"), server)
}

// writeClient writes the client into the folder, or leaves none there.
func (r *contract) writeClient(folder *source.Folder, none bool) error {
	if none {
		return folder.RemoveOthers("*")
	}
	client, err := r.newClient()
	if err != nil {
		return fmt.Errorf("generate the REST client: %w", err)
	}
	if err := folder.WriteGo("doc.go", clientFile, nil); err != nil {
		return err
	}
	return writeOgen(folder, "oas", client)
}

// Document is the OpenAPI document as clients read it, with the operations that
// the tree has by hand.
func Document(tree *source.Tree, m *model.Model) ([]byte, error) {
	r, err := newContract(tree, m)
	if err != nil {
		return nil, err
	}
	document, _ := r.published()
	return encode(document)
}

// writeSpec writes the published document and the table of operations.
func (r *contract) writeSpec(folder *source.Folder) error {
	document, marks := r.published()
	for _, file := range []struct {
		name  string
		value *node
	}{{"openapi.json", document}, {"marks.json", marks}} {
		data, err := encode(file.value)
		if err != nil {
			return err
		}
		if err := folder.WriteFile(file.name, data); err != nil {
			return err
		}
		if file.value != document {
			continue
		}
		if err := folder.WriteFile(file.name+".gz", openapi.Compressed(data)); err != nil {
			return err
		}
	}
	if err := folder.WriteGo("document.go", documentFile, nil); err != nil {
		return err
	}
	rows := r.table()
	return folder.WriteGo("operations.go", operationsFile, source.Data{
		"Operations": rows, "Ends": ends(rows), "Handled": r.handledRows(),
		"Live": slices.ContainsFunc(rows, func(r tableRow) bool { return r.Produces == "followed" }),
	})
}
