package openapi

import (
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/source"
)

var documentFile = template.Must(template.New("document").Parse(`{{ .Header }}

// Package spec holds the OpenAPI document of REST, and the table of operations
// that the server looks into with every request. The typed client (package
// oas) and the server (package server) are made from the same document.
package spec

import _ "embed"

// Document is the published OpenAPI 3.1 document, as JSON.
//
//go:embed openapi.json
var Document []byte
`))

var clientFile = template.Must(template.New("client").Parse(`{{ .Header }}

// Package oas is the typed client of REST, made from the OpenAPI document of
// package spec. It is for programs that call the service: the service itself
// does without.
package oas
`))

var operationsFile = template.Must(template.New("operations").Parse(`{{ .Header }}

package spec

import "github.com/entwine-go/entwine/kit/runtime/resource/openapi"

// What JSON can be represented as, and lists beside it.
var (
	items = []string{"application/json", "application/xml"}
	lists = []string{"application/json", "application/xml", "text/csv"}
)

// Operations are those of the document, by operationId. HEAD is as GET.
var Operations = map[string]*openapi.Operation{
	{{- range .Operations }}
	"{{ .ID }}": {Method: "{{ .Method }}", Path: "{{ .Path }}"
		{{- if .Body }}, Body: true{{ end }}
		{{- if .Parsed }}, Parsed: true{{ end }}
		{{- with .Query }}, Query: {{ printf "%#v" . }}{{ end }}
		{{- with .Media }}, Media: {{ printf "%#v" . }}{{ end }}
		{{- with .IDs }}, IDs: {{ printf "%#v" . }}{{ end }}
		{{- with .Produces }}, Produces: {{ . }}{{ end }}},
	{{- end }}
}
`))

// tableRow is an operation in the generated table.
type tableRow struct {
	ID, Method, Path string
	Body, Parsed     bool
	Query, Media     []string
	IDs              []string
	Produces         string
}

// anyQuery marks a hand-written operation that takes parameters which nobody
// here decides on.
const anyQuery = "x-any-query"

// table lists the operations of the document.
func (r *contract) table() []tableRow {
	var rows []tableRow
	eachOperation(r.document.at("paths"), func(path, method string, op *node) {
		if method == "head" {
			return
		}
		row := tableRow{ID: op.text("operationId"), Method: method, Path: path, Body: op.get("requestBody") != nil, Parsed: op.get(generated) != nil || answersEntity(op) || op.get(anyQuery) == true}
		if media := rawMedia(op); !slices.Equal(media, []string{"application/json"}) {
			row.Media = media
		}
		row.IDs = r.parameterNames(op, func(p *node) bool { return p.text("in") == "path" && p.at("schema").text("type") == "integer" })
		row.Produces = r.produces(op)
		if !row.Parsed {
			row.Query = r.parameterNames(op, func(p *node) bool { return p.text("in") == "query" })
		}
		rows = append(rows, row)
	})
	return rows
}

// parameterNames lists the parameters of an operation that are of a kind.
func (r *contract) parameterNames(op *node, is func(*node) bool) []string {
	var names []string
	list, _ := op.get("parameters").([]any)
	for _, p := range list {
		n := asNode(p)
		if reference := n.text("$ref"); reference != "" {
			n = asNode(lookup(r.document, reference))
		}
		if is(n) {
			names = append(names, n.text("name"))
		}
	}
	return names
}

// Write writes the document, the client and the server's interface.
func Write(tree *source.Tree, m *model.Model) error {
	r, err := newContract(tree, m)
	if err != nil {
		return err
	}
	if err := r.writeSpec(tree.Folder("rest/oas/spec")); err != nil {
		return err
	}
	client, err := r.newClient()
	if err != nil {
		return fmt.Errorf("generate the REST client: %w", err)
	}
	folder := tree.Folder("rest/oas")
	if err := folder.WriteGo("doc.go", clientFile, nil); err != nil {
		return err
	}
	if err := writeOgen(folder, "oas", client); err != nil {
		return err
	}
	server, err := r.newServer()
	if err != nil {
		return fmt.Errorf("generate the REST server: %w", err)
	}
	return writeOgen(tree.Folder("rest/oas/server"), "server", server)
}

// writeSpec writes the published document and the table of operations.
func (r *contract) writeSpec(folder *source.Folder) error {
	data, err := encode(r.published())
	if err != nil {
		return err
	}
	if err := folder.WriteFile("openapi.json", data); err != nil {
		return err
	}
	if err := folder.WriteGo("document.go", documentFile, nil); err != nil {
		return err
	}
	return folder.WriteGo("operations.go", operationsFile, source.Data{"Operations": r.table()})
}

// published is the document as clients read it: with what JSON can be
// represented as, and without what is said to the generators.
func (r *contract) published() *node {
	published := clone(r.document)
	prune(published)
	r.represent(published)
	addKeys(published)
	walk(published, func(o *node) {
		for _, m := range o.members {
			if strings.HasPrefix(m.name, "x-") {
				o.drop(m.name)
			}
		}
	})
	return published
}
