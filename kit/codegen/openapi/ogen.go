package openapi

import (
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/schema/field"
	"github.com/ogen-go/ogen"
	"github.com/ogen-go/ogen/gen"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/source"
)

// ogen makes Go code from two documents that are derived from the published
// one, because a document that is good to read is not good to generate from.

// clientDocument is what the typed client is made from: errors are one type,
// whatever the status, and every operation has one media type.
func (r *rest) clientDocument() *node {
	d := clone(r.document)
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
	walk(d, func(o *node) { o.drop(rawResponse) })
	keepSecurity(d, "bearerAuth", "apiKey")
	prune(d)
	return d
}

// serverDocument is what the server is made from. Of operations with a
// generated handler it holds the path and the types of the body: their query
// parameters are parsed, and their answers written, by package door; the
// bounds of values are the schema's validators, which say more. All errors
// take one way, so none are mentioned. An operation by hand with a raw
// response has typed parameters, and writes its answer itself.
func (r *rest) serverDocument() *node {
	d := clone(r.document)
	schemas := d.at("components", "schemas")
	d.at("components", "responses").set("Answer", obj("description", "Written by the handler.",
		"content", obj("application/json", obj("schema", obj(), rawResponse, true))))
	eachOperation(d.at("paths"), func(_, _ string, op *node) {
		plainRequest(op)
		if answersEntity(op) {
			op.set("responses", obj("200", ref("responses", "Answer")))
			op.set("parameters", own(op.get("parameters")))
			return
		}
		if answersRaw(op) {
			op.set("responses", obj("200", ref("responses", "Answer")))
			return
		}
		op.set("responses", onlySuccess(op.at("responses")))
	})
	for _, c := range r.calls {
		op := d.at("paths", c.Path, c.Method)
		op.set("parameters", inPath(op.get("parameters")))
		op.set("responses", obj("200", ref("responses", "Answer")))
		if name := bodyName(c); name != "" {
			schemas.set(c.InputType(), serverInput(c, schemas.at(name)))
			op.set("requestBody", obj("required", true, "content",
				obj("application/json", obj("schema", ref("schemas", c.InputType())))))
		}
	}
	dropHeads(d)
	walk(d, dropItemEnum)
	keepSecurity(d)
	prune(d)
	return d
}

// serverInput is the schema of the call's body for the server: every member may be
// absent, and values have types only. What is missing and which rule a value
// breaks is said by package writing, for all fields at once.
func serverInput(c *model.Call, schema *node) *node {
	properties := obj()
	for _, f := range c.Entity.Fields {
		if schema.at("properties").get(f.REST) != nil {
			properties.set(f.REST, described(inputSchema(f), f.Type.Comment()))
		}
	}
	for _, m := range schema.at("properties").members {
		if asNode(m.value).get(added) == true {
			properties.set(m.name, m.value)
		}
	}
	return obj("type", "object", "description", schema.text("description"), "additionalProperties", false, "properties", properties)
}

func inputSchema(f *model.Field) *node {
	var o *node
	switch f.Kind {
	case "ID", "Ref":
		o = obj("type", "integer", "format", "int64")
	case "Int":
		o = obj("type", "integer")
		if f.Type.Type.Type == field.TypeInt64 {
			o.set("format", "int64")
		}
	case "Float":
		o = obj("type", "number", "format", "double")
	case "Bool":
		o = obj("type", "boolean")
	case "Time":
		o = obj("type", "string", "format", "date-time")
	case "Enum", "String":
		o = obj("type", "string")
	default:
		if !f.Strings() {
			return obj() // raw JSON: amounts of money, and what has no schema
		}
		o = obj("type", "array", "items", obj("type", "string"))
	}
	return nullable(o, f.Type.Nillable)
}

// answersEntity reports whether the operation answers with an entity or a
// page of them: the handler then writes the answer with package door.
func answersEntity(op *node) bool {
	for _, response := range op.at("responses").members {
		schema := asNode(response.value).at("content", "application/json", "schema")
		if schema != nil && strings.HasSuffix(schema.text("$ref"), "Response") {
			return true
		}
	}
	return false
}

// rawResponse marks the content of a response that its handler writes: what
// is not JSON, is streamed, or has validators of caches.
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
			if asNode(m.value).get(rawResponse) == true {
				types = append(types, m.name)
			}
		}
	}
	return types
}

// onlySuccess keeps the responses that are no errors, without their headers
// where these are the shared ones.
func onlySuccess(responses *node) *node {
	kept := obj()
	for _, m := range responses.members {
		if m.name >= "400" || m.name == "304" || m.name == "default" {
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

func inPath(parameters any) []any {
	list, _ := parameters.([]any)
	kept := []any{}
	for _, p := range list {
		if n := asNode(p); n.text("in") == "path" {
			if n.at("schema").text("type") == "string" {
				n.set("schema", obj("type", "string")) // a name that breaks the rules is one that is not there
			}
			kept = append(kept, n)
		}
	}
	return kept
}

// own leaves the parameters that an operation does not share with others: the
// shared ones are parsed by package reading.
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
		}
	}
	o.drop(generated)
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

// prune removes the components that nothing refers to.
func prune(d *node) {
	components := d.at("components")
	used := map[string]bool{}
	var mark func(value any)
	mark = func(value any) {
		walk(value, func(o *node) {
			name := o.text("$ref")
			if name == "" || used[name] {
				return
			}
			used[name] = true
			mark(lookup(d, name))
		})
	}
	mark(d.get("paths"))
	for _, kind := range components.members {
		if kind.name == "securitySchemes" {
			continue
		}
		for _, m := range kind.value.(*node).members {
			if !used["#/components/"+kind.name+"/"+m.name] {
				kind.value.(*node).drop(m.name)
			}
		}
	}
}

// lookup returns what a reference names.
func lookup(d *node, reference string) any {
	kind, name, _ := strings.Cut(strings.TrimPrefix(reference, "#/components/"), "/")
	return d.at("components", kind).get(name)
}

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
func (r *rest) newClient() (*gen.Generator, error) {
	return newOgen(r.clientDocument(), "paths/client", 1)
}

func (r *rest) newServer() (*gen.Generator, error) {
	return newOgen(r.serverDocument(), "paths/server", -1)
}

// writeOgen writes a package, and removes what is no longer part of it.
func writeOgen(folder *source.Folder, pkg string, g *gen.Generator) error {
	if err := g.WriteSource(folder, pkg); err != nil {
		return fmt.Errorf("write package %s: %w", pkg, err)
	}
	return folder.RemoveOthers("*")
}
