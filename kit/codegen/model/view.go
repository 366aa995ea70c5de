package model

import (
	"slices"

	"github.com/entwine-go/entwine/kit/expose"
)

// viewed refuses what needs a table with a column id of an entity that is read from a view,
// since its key is of several columns.
func (c checker) viewed() {
	k := RowKeyOf(c.Type)
	if k == nil {
		return
	}
	for _, f := range c.Fields {
		switch part := slices.Contains(k.Columns, f.Type.StorageKey()); {
		case !part:
		case c.Has(expose.Create) && !f.OnCreate():
			c.wrong(f.Name, "field.ID: operation %q: clients give the key of a new row: a field without expose.Computed is allowed", expose.Create)
		case !f.Type.Immutable && (c.Has(expose.Patch) || c.Has(expose.Replace) || len(c.Actions) > 0):
			c.wrong(f.Name, "field.ID: the key of a row never changes: a field with Immutable() is allowed")
		}
	}
	kept := func(member, what string) {
		c.wrong(member, "field.ID: %s: the database keeps this by a column id: an entity with a field id is allowed", what)
	}
	c.keptByID(kept)
	if c.Upsert != nil {
		kept("", "expose.Upsert")
	}
	for _, f := range c.Type.Fields {
		a, err := FieldAnnotation(f.Annotations)
		switch {
		case err != nil: // the check of all fields reports it
		case f.Name == "deleted_at":
			kept(f.Name, f.Name)
		case a.Tally != nil:
			kept(f.Name, "a count, a sum or a mean")
		case a.File != nil:
			kept(f.Name, "a text that names a file")
		}
	}
	for _, edge := range c.Type.Edges {
		if !edge.OwnFK() {
			kept(edge.Name, "a foreign key to its rows")
		}
	}
}
