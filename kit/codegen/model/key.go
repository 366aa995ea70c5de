package model

import "entgo.io/ent/entc/gen"

// KeyColumn is the column of the entity's id where that is called otherwise, as tables
// have it that another program has made: field.Int64("id").StorageKey("film_id").
func KeyColumn(t *gen.Type) string {
	if t.ID == nil || t.ID.StorageKey() == "id" {
		return ""
	}
	return t.ID.StorageKey()
}

// keyed refuses what the database keeps by a column that is called id, of an entity whose
// id is in another.
func (c checker) keyed() {
	column := KeyColumn(c.Type)
	if column == "" {
		return
	}
	wrong := func(member, what string) {
		c.wrong(member, "%s: the id is in the column %s, and the database keeps this by a column id: an entity without StorageKey of its id is allowed", what, column)
	}
	if len(c.Search) > 0 {
		wrong("", "search")
	}
	if c.Changes {
		wrong("", "changes")
	}
	if TenantOf(c.Type) != nil {
		wrong("", "expose.Tenant")
	}
	for _, f := range c.Fields {
		if f.Tally != nil || f.Stamp != nil || f.Forget != nil {
			wrong(f.Name, "a field that the database keeps")
		}
	}
	for _, g := range c.Edges {
		switch {
		case g.Levels != 0:
			wrong(g.Name, "expose.Tree")
		case g.Deleted:
			wrong(g.Name, "expose.DeletedWith")
		case g.Within != "":
			wrong(g.Name, "expose.Within")
		}
	}
}
