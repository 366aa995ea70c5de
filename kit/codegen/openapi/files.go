package openapi

import (
	"github.com/entwine-go/entwine/kit/codegen/model"
)

// addFiles adds which fields have files.
func addFiles(m *model.Model, schemas *node) {
	var names []string
	for _, f := range m.FileFields() {
		names = append(names, f.FileTarget())
	}
	if len(names) > 0 {
		schemas.set("FileField", obj("type", "string", "enum", values(names), "description", "A field that has files."))
	}
}

// describeFiles shows an example: a file for the first field that has any.
func (r *contract) describeFiles(m *model.Model) {
	for _, p := range r.document.at("paths", "/files", "post").get("parameters").([]any) {
		if parameter := asNode(p); parameter.text("name") == "for" {
			parameter.set("example", m.FileFields()[0].FileTarget())
		}
	}
}
