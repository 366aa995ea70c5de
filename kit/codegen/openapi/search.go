package openapi

import (
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
	schemas.set("SearchType", obj("type", "string", "enum", values(kinds), "default", "all", "description", "What is searched: everything that the caller can read, or one type."))
	schemas.set("SearchCounts", obj("type", "object", "description", "How many items of each type were found, of those that were searched.", "properties", counts))
}
