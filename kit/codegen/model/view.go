package model

import "github.com/entwine-go/entwine/kit/expose"

// viewed refuses what needs a table with a column id of an entity that is read from a view,
// since its key is of several columns.
func (c checker) viewed() {
	if RowKeyOf(c.Type) == nil {
		return
	}
	for _, o := range c.Operations {
		if o != expose.List && o != expose.Read {
			c.wrong("", "field.ID: operation %q: rows whose key is of several columns are read from a view, and written in SQL and by other programs: expose.List and expose.Read are allowed", o)
		}
	}
	kept := func(member, what string) {
		c.wrong(member, "field.ID: %s: the database keeps this by a column id: an entity with a field id is allowed", what)
	}
	c.keptByID(kept)
	if len(c.Events) > 0 {
		kept("", "events")
	}
	for _, f := range c.Type.Fields {
		a, err := FieldAnnotation(f.Annotations)
		switch {
		case err != nil: // the check of all fields reports it
		case f.Name == "version" || f.Name == "deleted_at":
			kept(f.Name, f.Name)
		case a.Tally != nil:
			kept(f.Name, "a count, a sum or a mean")
		case a.Folded() || a.File != nil:
			kept(f.Name, "a text that is searched, or names a file")
		}
	}
	for _, edge := range c.Type.Edges {
		if !edge.OwnFK() {
			kept(edge.Name, "a foreign key to its rows")
		}
	}
}
