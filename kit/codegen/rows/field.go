package rows

import (
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
)

// field is a field as the description of its entity speaks of it in Go.
type field struct{ *model.Field }

// Set reports whether a client can set the field at all.
func (f field) Set() bool { return f.OnCreate() || f.OnUpdate() }

// Demanded reports whether a new row, or a replacement, must name the field.
func (f field) Demanded() bool {
	if f.Entity.Under != "" && f.Type == f.Entity.Edge(f.Entity.Under).Type.Field() {
		return false // the path names it
	}
	return f.RequiredOnCreate() || f.RequiredOnReplace()
}

// Writers are the roles that set the field.
func (f field) Writers() string {
	roles := f.Writable
	if f.Caller {
		roles = f.OnBehalf
	}
	if len(roles) == 0 {
		return ""
	}
	quoted := make([]string, len(roles))
	for i, r := range roles {
		quoted[i] = fmt.Sprintf("%q", r)
	}
	return "[]viewer.Role{" + strings.Join(quoted, ", ") + "}"
}

// Decode reads the JSON of the field, empty where it is no JSON.
func (f field) Decode() string {
	if f.Kind != "JSON" {
		return ""
	}
	return fmt.Sprintf("write.JSON[%s]", f.Type.Type)
}

// Refers is the edge to the row that the field names, nil where it names none.
func (f field) Refers() *model.Edge {
	for _, edge := range f.Entity.Edges {
		if edge.Type.Field() == f.Type {
			return edge
		}
	}
	return nil
}
