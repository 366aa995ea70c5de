package model

import (
	"slices"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
)

// KeyColumn is the column of the entity's id where that is called otherwise, as tables
// have it that another program has made: field.Int64("id").StorageKey("film_id").
func KeyColumn(t *gen.Type) string {
	if t.ID == nil || t.ID.StorageKey() == "id" {
		return ""
	}
	return t.ID.StorageKey()
}

// keyed refuses what the database keeps by a column with integers that is called id, of an
// entity whose id is in another column, or is a text or a UUID.
func (c checker) keyed() {
	if column := KeyColumn(c.Type); column != "" {
		c.keptByID(func(member, what string) {
			c.wrong(member, "%s: the id is in the column %s, and the database keeps this by a column id: an entity without StorageKey of its id is allowed", what, column)
		})
	}
	leads := slices.ContainsFunc(c.Type.Edges, func(e *gen.Edge) bool { return e.OwnFK() && IDsOf(e.Type.ID) != gid.Numbers })
	if c.Changes && leads && IDsOf(c.Type.ID) == gid.Numbers {
		c.wrong("", "changes: a foreign key leads to rows whose ids are no integers, which changes do not keep: foreign keys to integers are allowed")
	}
	if IDsOf(c.Type.ID) == gid.Numbers {
		return
	}
	if t := c.Type.ID; !(t.IsUUID() && t.Type.String() == "uuid.UUID") && (!t.IsString() || t.HasGoType() || t.HasValueScanner()) {
		c.wrong("id", "an id of type %s cannot be shown: field.Int64(%q), field.UUID(%[2]q, uuid.UUID{}) of github.com/google/uuid, and field.String(%[2]q) without a GoType and a ValueScanner are allowed", t.Type, "id")
		return
	}
	wrong := func(member, what string) { c.wrong(member, "%s: "+integers, what) }
	c.keptByID(wrong)
	if len(c.Events) > 0 {
		wrong("", "events")
	}
	if c.Name == c.caller {
		wrong("id", "the users of expose.Caller")
	}
	for _, f := range c.Fields {
		if f.Fold != "" {
			wrong(f.Name, "expose.Search and expose.UniqueFold")
		}
	}
}

// integers is why something is refused that goes with integers alone.
const integers = "an id is no integer, and the database keeps this by integers: field.Int64(\"id\"), or no field \"id\", is allowed"

// keptByID refuses what the database keeps by the entity's id.
func (c checker) keptByID(wrong func(member, what string)) {
	if len(c.Search) > 0 {
		wrong("", "search")
	}
	if c.Changes {
		wrong("", "changes")
	}
	if c.Live {
		wrong("", "live")
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

// led refuses what an edge to rows cannot have whose ids are no integers.
func (c checker) led(edge *gen.Edge, a expose.Edge) {
	if a.Deleted && IDsOf(c.Type.ID) == gid.Numbers && IDsOf(edge.Type.ID) != gid.Numbers {
		c.wrong(edge.Name, "expose.DeletedWith: "+integers)
	}
}
