package openapi

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/entwine-go/entwine/kit/rest/negotiate"
)

// ogen makes Go code from two documents that are derived from the published
// one, because a document that is good to read is not good to generate from.

// clientDocument returns the document that the typed client is made from: errors
// are one type, whatever the status, and every operation has one media type.
func (r *contract) clientDocument() *node {
	d := clone(r.document)
	walk(d, func(o *node) { o.drop(rawResponse) })
	return forClient(d)
}

// WriteClient writes the typed client of a published document: of any version of
// the API.
func WriteClient(folder, pkg string, document []byte) error {
	d, err := parseYAML(document) // which JSON is
	if err != nil {
		return fmt.Errorf("read the document: %w", err)
	}
	if d.at("paths") == nil || d.at("components", "schemas", "Error") == nil {
		return fmt.Errorf("read the document: it is none of this API")
	}
	dropHandled(d)
	dropConsistency(d)
	walk(d, onlyJSON)
	g, err := newOgen(forClient(d), "paths/client", 1)
	if err != nil {
		return fmt.Errorf("generate the client: %w", err)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return g.WriteSource(directory(folder), pkg)
}

// dropConsistency leaves the header to the transport (outbound.Consistent), which sees all
// answers.
func dropConsistency(d *node) {
	eachOperation(d.at("paths"), func(_, _ string, op *node) {
		list, _ := op.get("parameters").([]any)
		kept := slices.DeleteFunc(slices.Clone(list), func(p any) bool { return asNode(p).text("$ref") == "#/components/parameters/ConsistencyToken" })
		if len(kept) == 0 {
			op.drop("parameters")
			return
		}
		op.set("parameters", kept)
	})
}

// onlyJSON leaves JSON of what can be had in several media types.
func onlyJSON(o *node) {
	content := o.at("content")
	body := content.at(negotiate.JSON)
	if body != nil && body.at("schema") != nil {
		o.set("content", obj(negotiate.JSON, body))
	}
}

// forClient is the document as the client is made from it.
func forClient(d *node) *node {
	d.at("components", "responses").set("Failure", obj(
		"description", "An error.",
		"content", obj("application/json", obj("schema", ref("schemas", "Error"))),
	))
	eachOperation(d.at("paths"), func(_, _ string, op *node) {
		op.set("responses", onlySuccess(op.at("responses")).set("default", ref("responses", "Failure")))
		plainRequest(op)
	})
	dropHeads(d)
	walk(d, dropItemEnum)
	keepSecurity(d, "bearerAuth", "apiKey")
	prune(d)
	return d
}

// directory is where the files of a package are written.
type directory string

// WriteFile implements gen.FileSystem.
func (d directory) WriteFile(name string, content []byte) error {
	return os.WriteFile(filepath.Join(string(d), name), content, 0o644)
}
