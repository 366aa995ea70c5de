package openapi

import (
	"github.com/entwine-go/entwine/kit/codegen/model"
)

// addChanges adds whose changes programs follow.
func addChanges(m *model.Model, schemas *node) {
	var paths []string
	for _, e := range m.Followed() {
		paths = append(paths, e.Path)
	}
	if len(paths) > 0 {
		schemas.set("ChangesEntity", obj("type", "string", "enum", values(paths), "description", "Whose changes."))
	}
}

// describeChanges shows an example: the example of the first entity was changed.
func (r *contract) describeChanges(m *model.Model) {
	e := m.Followed()[0]
	op := r.document.at("paths", "/changes", "get")
	for _, p := range op.get("parameters").([]any) {
		if parameter := asNode(p); parameter.text("name") == "entity" {
			parameter.set("example", e.Path)
		}
	}
	schemas := r.document.at("components", "schemas")
	op.at("responses", "200", "content", "application/json").set("example", obj(
		"status", "success",
		"data", arr(obj("entity", e.Path, "type", "changed", "id", 1, "at", "2026-01-02T03:04:05.678901Z", "row", entityExample(e, schemas))),
		"token", "AUqJ3mTn0wV3Yt-F2Ag",
		"has_more", false,
	))
}
