package openapi

import "github.com/entwine-go/entwine/kit/codegen/model"

// addPresence adds whose rows show who looks at them.
func addPresence(m *model.Model, schemas *node) {
	var paths []string
	for _, e := range m.Attended() {
		paths = append(paths, e.Path)
	}
	if len(paths) > 0 {
		schemas.set("PresenceEntity", obj("type", "string", "enum", values(paths), "description", "Whose rows show who looks at them."))
	}
}

// describePresence shows an example.
func (r *contract) describePresence(m *model.Model) {
	for _, p := range r.document.at("paths", "/presence", "get").get("parameters").([]any) {
		if parameter := asNode(p); parameter.text("name") == "entity" {
			parameter.set("example", m.Attended()[0].Path)
		}
	}
}
