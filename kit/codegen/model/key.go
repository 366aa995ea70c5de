package model

import (
	"entgo.io/ent/entc/gen"

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

// keyed refuses declarations that the database maintains by a column id, for an entity
// whose id is in another column, and declarations that it maintains by integers, for an
// entity whose id is a text or a UUID.
func (c checker) keyed() {
	if column := KeyColumn(c.Type); column != "" {
		c.keptByID(func(member, what string) {
			c.wrong(member, "%s: the id is in the column %s, and the database keeps this by a column id: an entity without StorageKey of its id is allowed", what, column)
		})
	}
	if IDsOf(c.Type.ID) == gid.Numbers {
		return
	}
	if t := c.Type.ID; !(t.IsUUID() && t.Type.String() == "uuid.UUID") && (!t.IsString() || t.HasGoType() || t.HasValueScanner()) {
		c.wrong("id", "an id of type %s cannot be shown: field.Int64(%q), field.UUID(%[2]q, uuid.UUID{}) of github.com/google/uuid, and field.String(%[2]q) without a GoType and a ValueScanner are allowed", t.Type, "id")
		return
	}
	if c.Name == c.caller {
		c.wrong("id", "the users of expose.Caller: "+integers, "sessions, tokens and keys name users")
	}
	if tenant := TenantOf(c.Type); tenant != nil && tenant.Root() {
		c.wrong("id", "expose.Tenant: "+integers, "sessions and jobs name their tenant")
	}
}

// integers is why something is refused that goes with integers alone: the arguments say
// what is kept.
const integers = "an id is no integer, and %s by integers: field.Int64(\"id\"), or no field \"id\", is allowed, and the text or UUID in a unique field beside it"

// keptByID refuses what the database keeps by the column id.
func (c checker) keptByID(wrong func(member, what string)) {
	if TenantOf(c.Type) != nil {
		wrong("", "expose.Tenant")
	}
	for _, f := range c.Fields {
		if f.Stamp != nil || f.Forget != nil {
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
