package openapi

import (
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
)

// addSearch adds what REST's search says of the entities.
func addSearch(m *model.Model, schemas *node) {
	kinds, counts := []string{"all"}, obj()
	for _, e := range m.Searchable() {
		kinds = append(kinds, e.Path)
		counts.set(e.Path, obj("type", "integer", "description", "The "+naming.Words(e.Path)+"."))
	}
	schemas.set("SearchType", obj("type", "string", "enum", values(kinds), "default", "all", "description", "The type to search; by default all that the caller can read."))
	schemas.set("SearchCounts", obj("type", "object", "description", "How many items of each type were found, of those that were searched.", "properties", counts))
}

// describeSearch shows an example of a search: it finds the example of the first
// entity that is searched by the last word of its title.
func (r *contract) describeSearch(m *model.Model) {
	e := m.Searchable()[0]
	title := fmt.Sprint(fieldExample(e.Field(e.SearchFields[0].Name)))
	before, word := "", title
	if i := strings.LastIndexByte(title, ' '); i >= 0 {
		before, word = title[:i+1], title[i+1:]
	}
	query := strings.ToLower(word)
	op := r.document.at("paths", "/search", "get")
	for _, p := range op.get("parameters").([]any) {
		switch parameter := asNode(p); parameter.text("name") {
		case "q":
			parameter.set("example", query)
		case "type":
			parameter.set("example", e.Path)
		}
	}
	base := m.Service.Base()
	page := func(number string) string { return base + "/search?" + number + "q=" + query + "&type=" + e.Path }
	op.at("responses", "200", "content", "application/json").set("example", obj(
		"status", "success",
		"data", arr(obj(
			"type", e.Path, "id", 1, "title", title, "snippet", before+"<mark>"+word+"</mark>", "score", 0.54, "url", base+"/"+e.Path+"/1",
		)),
		"pagination", obj("page", 1, "limit", 20, "total", 1, "total_pages", 1, "has_next", false, "has_prev", false),
		"links", obj("self", page(""), "first", page("page=1&"), "last", page("page=1&")),
		"counts", obj(e.Path, 1),
		"total_exact", true,
	))
}
