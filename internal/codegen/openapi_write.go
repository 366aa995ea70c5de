package main

import (
	"path/filepath"
	"strings"
	"text/template"
)

var documentFile = template.Must(template.New("document").Parse(`{{ .Header }}

// Package oas holds the OpenAPI document of REST and its typed client. The
// server is made from the same document: see package server.
package oas

import _ "embed"

// Document is the published OpenAPI 3.1 document, as JSON.
//
//go:embed openapi.json
var Document []byte
`))

// writeREST writes the document, the client and the server's interface.
func writeREST(root string, r *rest) error {
	dir := filepath.Join(root, "rest/oas")
	published := clone(r.document)
	walk(published, func(o *node) {
		for _, m := range o.members {
			if strings.HasPrefix(m.name, "x-") {
				o.drop(m.name)
			}
		}
	})
	data, err := encode(published)
	if err != nil {
		return err
	}
	if err := writeFile(filepath.Join(dir, "openapi.json"), data); err != nil {
		return err
	}
	if err := writeGo(filepath.Join(dir, "document.go"), documentFile, map[string]any{"Header": header}); err != nil {
		return err
	}
	keep := map[string]bool{"openapi.json": true, "document.go": true}
	if err := runOgen(dir, "oas", r.clientDocument(), "paths/client", 1, keep); err != nil {
		return err
	}
	return runOgen(filepath.Join(dir, "server"), "server", r.serverDocument(), "paths/server", -1, map[string]bool{})
}
