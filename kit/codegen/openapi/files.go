package openapi

import (
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gen/openapi"
)

// addFiles adds which fields have files.
func addFiles(m *model.Model, schemas *node) {
	var names []string
	for _, f := range m.FileFields() {
		names = append(names, f.FileTarget())
	}
	if len(names) > 0 {
		schemas.set("FileField", obj("type", "string", "enum", values(names), "description", "A field that has files.", openapi.Named, "field"))
	}
}

// describeFiles shows an example: a file for the first field that has any.
func (r *contract) describeFiles(m *model.Model) {
	for _, path := range []string{"/files", "/files/uploads"} {
		r.fileParameter(path, "post", "for").set("example", m.FileFields()[0].FileTarget())
	}
	for _, path := range []string{"/files/{id}", "/files/{id}/link"} {
		p := r.fileParameter(path, "get", "variant")
		p.set("description", p.text("description")+variants(m))
	}
}

// variants lists the smaller pictures that the fields declare.
func variants(m *model.Model) string {
	var b strings.Builder
	for _, f := range m.FileFields() {
		for i, v := range f.File.Variants {
			if i == 0 {
				fmt.Fprintf(&b, "\n\nOf `%s`:\n", f.FileTarget())
			}
			fmt.Fprintf(&b, "\n- `%s`: %s", v.Name, measure(v))
		}
	}
	if b.Len() == 0 {
		return " No field declares any."
	}
	return b.String()
}

// measure says how large a variant is, and its format where that is not the original's.
func measure(v expose.Variant) string {
	if v.Format == expose.WebP {
		v.Format = ""
		return measure(v) + ", as WebP"
	}
	switch {
	case v.Fit == expose.Cover:
		return fmt.Sprintf("%d × %d pixels, cut to fill them", v.Width, v.Height)
	case v.Width == 0:
		return fmt.Sprintf("at most %d pixels high", v.Height)
	case v.Height == 0:
		return fmt.Sprintf("at most %d pixels wide", v.Width)
	}
	return fmt.Sprintf("at most %d × %d pixels", v.Width, v.Height)
}

func (r *contract) fileParameter(path, method, name string) *node {
	for _, p := range r.document.at("paths", path, method).get("parameters").([]any) {
		if parameter := asNode(p); parameter.text("name") == name {
			return parameter
		}
	}
	panic("openapi: " + path + " has no parameter " + name)
}
