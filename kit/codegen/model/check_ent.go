package model

import (
	"fmt"
	"strings"

	"entgo.io/ent/entc/gen"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
)

// unnamed refuses entities whose rows have no id of their own, and views, of which
// nothing could be generated. The others go on.
func unnamed(t *gen.Type) error {
	var a field.Annotation
	if _, err := Annotation(t.Annotations, &a); err != nil {
		return ProblemAt(t, "", err)
	}
	switch {
	case t.IsView():
		return ProblemAt(t, "", fmt.Errorf("ent.View: no client is generated for a view: a table is allowed, or expose.Derived for what follows from a row; a view that a migration makes by hand is read in SQL"))
	case t.ID == nil || len(a.ID) > 0:
		return ProblemAt(t, "", fmt.Errorf("field.ID(%s): a row has one id: leave it out, and have index.Fields(…).Unique() over the fields keep them distinct", `"`+strings.Join(a.ID, `", "`)+`"`))
	}
	return nil
}

// demanded refuses edges that a row must have and clients could not name.
func (c checker) demanded(edge *gen.Edge) {
	switch {
	case edge.Optional || !c.Has(expose.Create):
	case !edge.OwnFK():
		c.wrong(edge.Name, "edge.Required: %s is made alone, and the edge is kept in %s: an edge that is not required is allowed", c.Name, edge.Type.Name)
	case edge.Field() == nil:
		c.wrong(edge.Name, "edge.Required: no client could name the row, so every create would fail: field.Int64(%q), and the edge with Field(%q), are allowed", edge.Name+"_id", edge.Name+"_id")
	}
}
