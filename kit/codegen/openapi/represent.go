package openapi

import (
	"fmt"
	"slices"

	"github.com/entwine-go/entwine/kit/rest/negotiate"
)

// The representations beside JSON: XML of everything, CSV of lists. The document
// that ogen reads is without them, for the server turns finished JSON into them;
// the examples are made by the code that does so.

// represent adds the representations to the published document.
func (r *contract) represent(published *node) {
	responses := published.at("components", "responses")
	for _, m := range responses.members {
		addXML(asNode(m.value).at("content"))
	}
	eachOperation(published.at("paths"), func(_, _ string, op *node) {
		for _, m := range op.at("responses").members {
			content := asNode(m.value).at("content")
			addXML(content)
			if m.name < "300" && r.lists(content) {
				content.set(negotiate.CSV, obj("schema", obj("type", "string", "description", "A header row, then a row for each item."),
					"example", converted(negotiate.CSV, content.at(negotiate.JSON))))
				content.set(negotiate.NDJSON, obj("schema", obj("type", "string", "description", "The items, each as JSON in a line of its own."),
					"example", converted(negotiate.NDJSON, content.at(negotiate.JSON))))
				if op.get(liveList) == true {
					content.set(negotiate.Events, liveEvents())
				}
			}
		}
		nameElements(op.at("responses"))
	})
	nameElements(published.at("components", "schemas"))
}

// addXML adds the XML of what is there as JSON: a text, to a reader of JSON
// Schema, with the same members in it.
func addXML(content *node) {
	body := content.at(negotiate.JSON)
	if body == nil || body.get(rawResponse) == true && files(content) || content.get(negotiate.XML) != nil {
		return
	}
	schema := clone(asNode(body.get("schema")))
	schema.set("xml", obj("name", "response"))
	xml := obj("schema", obj("type", "string", "contentMediaType", negotiate.XML, "contentSchema", schema))
	if example := converted(negotiate.XML, body); example != "" {
		xml.set("example", example)
	}
	content.set(negotiate.XML, xml)
}

// files reports whether the content is a file in several media types, which
// its handler makes.
func files(content *node) bool {
	n := 0
	for _, m := range content.members {
		if asNode(m.value).get(rawResponse) == true {
			n++
		}
	}
	return n > 1
}

// converted is the example of a JSON body in another representation.
func converted(media string, body *node) string {
	example := body.get("example")
	if example == nil {
		return ""
	}
	text, err := encode(example)
	if err != nil {
		panic(err) // it was read from JSON
	}
	return string(negotiate.Append(nil, media, text, nil))
}

// nameElements says how arrays are written in XML: in an element of the
// member's name, each value in an item.
func nameElements(schemas *node) {
	walk(schemas, func(o *node) {
		if !slices.Contains(types(o), "array") {
			return
		}
		if items, ok := o.get("items").(*node); ok && items.get("xml") == nil {
			o.set("xml", obj("wrapped", true))
			items.set("xml", obj("name", "item"))
		}
	})
}

// types are those that a schema names.
func types(o *node) []string {
	switch t := o.get("type").(type) {
	case string:
		return []string{t}
	case []any:
		var list []string
		for _, one := range t {
			list = append(list, fmt.Sprint(one))
		}
		return list
	}
	return nil
}

// lists reports whether the content is a list in an envelope.
func (r *contract) lists(content *node) bool {
	schema := content.at(negotiate.JSON, "schema")
	for schema.text("$ref") != "" {
		schema = asNode(lookup(r.document, schema.text("$ref")))
	}
	return schema.at("properties", "data").text("type") == "array"
}

// produces is the Go expression of what the operation's successes can be.
func (r *contract) produces(op *node) string {
	media, list := []string{}, false
	for _, m := range op.at("responses").members {
		response := asNode(m.value)
		if reference := response.text("$ref"); reference != "" {
			response = asNode(lookup(r.document, reference))
		}
		if content := response.at("content"); content != nil && m.name < "300" {
			list = list || r.lists(content)
			for _, c := range content.members {
				if !slices.Contains(media, c.name) {
					media = append(media, c.name)
				}
			}
		}
	}
	switch {
	case len(rawMedia(op)) > 1: // files
		return ""
	case op.get(liveList) == true:
		return "followed"
	case list && len(media) == 1:
		return "lists"
	case len(media) == 0 || len(media) == 1 && media[0] == negotiate.JSON:
		return "items"
	}
	for _, more := range []struct {
		media string
		is    bool
	}{{negotiate.XML, slices.Contains(media, negotiate.JSON)}, {negotiate.CSV, list}, {negotiate.NDJSON, list}} {
		if more.is && !slices.Contains(media, more.media) {
			media = append(media, more.media)
		}
	}
	return fmt.Sprintf("%#v", media)
}
