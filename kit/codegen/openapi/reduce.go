package openapi

import (
	"slices"
	"strings"
)

// The parts that are left out of the document before code is made of it.

// answersEntity reports whether the operation answers with an entity or a
// page of them: the handler then writes the answer with package handler.
func answersEntity(op *node) bool {
	for _, response := range op.at("responses").members {
		schema := asNode(response.value).at("content", "application/json", "schema")
		if schema != nil && strings.HasSuffix(schema.text("$ref"), "Response") {
			return true
		}
	}
	return false
}

// rawResponse marks the content of a response that its handler writes: a response
// that is not JSON, is streamed, or has validators of caches.
const rawResponse = "x-ogen-raw-response"

// answersRaw reports whether a hand-written operation has a raw response.
func answersRaw(op *node) bool { return len(rawMedia(op)) > 0 }

// rawMedia lists the media types of the operation's raw response.
func rawMedia(op *node) (types []string) {
	for _, response := range op.at("responses").members {
		content := asNode(response.value).at("content")
		if content == nil {
			continue
		}
		for _, m := range content.members {
			if asNode(m.value).get(rawResponse) == true && !slices.Contains(types, m.name) {
				types = append(types, m.name)
			}
		}
	}
	return types
}

// onlySuccess keeps the responses that are no errors, without their headers
// where these are the shared ones. Parts of files are for clients that ask for
// them, as the generated one does not.
func onlySuccess(responses *node) *node {
	kept := obj()
	for _, m := range responses.members {
		if m.name >= "400" || m.name == "304" || m.name == "206" || m.name == "default" {
			continue
		}
		response := asNode(m.value)
		dropShared(response)
		kept.set(m.name, response)
	}
	return kept
}

// dropShared removes the headers that any operation can have.
func dropShared(response *node) {
	headers := response.at("headers")
	if headers == nil {
		return
	}
	for _, h := range headers.members {
		if asNode(h.value).text("$ref") != "" {
			headers.drop(h.name)
		}
	}
	if len(headers.members) == 0 {
		response.drop("headers")
	}
}

// plainRequest leaves application/json where a body has more forms: the
// server takes the others for it.
func plainRequest(op *node) {
	content := op.at("requestBody", "content")
	if content != nil && content.get("application/json") != nil {
		content.drop("application/merge-patch+json")
	}
}

// own leaves the parameters that an operation does not share with others: the
// shared ones are parsed by package read.
func own(parameters any) []any {
	list, _ := parameters.([]any)
	kept := []any{}
	for _, p := range list {
		if asNode(p).text("$ref") == "" {
			kept = append(kept, p)
		}
	}
	return kept
}

// dropHeads leaves HEAD to the server, which answers it as GET.
func dropHeads(d *node) {
	for _, path := range d.at("paths").members {
		path.value.(*node).drop("head")
	}
}

// dropItemEnum removes the values that the elements of a parameter can have:
// "name" and "-name" would be one name in Go.
func dropItemEnum(o *node) {
	if o.text("in") == "query" {
		if items := o.at("schema", "items"); items != nil {
			items.drop("enum")
			if items.get("anyOf") != nil {
				items.drop("anyOf")
				items.set("type", "string")
			}
		}
	}
	o.drop(generated)
	o.drop(liveList)
}

// keepSecurity keeps some of the ways to authenticate, and being anonymous.
func keepSecurity(d *node, names ...string) {
	schemes := d.at("components", "securitySchemes")
	alternatives := arr(obj())
	for _, m := range asNode(schemes).members {
		if slices.Contains(names, m.name) {
			alternatives = append(alternatives, obj(m.name, arr()))
			continue
		}
		schemes.drop(m.name)
	}
	d.drop("security")
	if len(names) > 0 {
		d.set("security", alternatives)
	}
	eachOperation(d.at("paths"), func(_, _ string, op *node) { op.drop("security") })
}
