package port

import (
	"fmt"

	"github.com/entwine-go/entwine/kit/codegen/naming"
)

// edge is one that an entity declares.
type edge struct {
	*chain
	name, to, ref    string
	unique, required bool
}

// edgesOf are those of the entity, its mixins' left out.
func (p *porter) edgesOf(e *entity) (all []edge) {
	m := e.methods["Edges"]
	if m == nil {
		return nil
	}
	for _, c := range listed(m, "Edge", "edge") {
		all = append(all, edge{
			chain: c, name: text(c.root), to: typeOf(c.root, 1), ref: text(c.method("Ref")),
			unique: c.method("Unique") != nil, required: c.method("Required") != nil,
		})
	}
	return all
}

// edges names the foreign keys of the entity's edges, in the columns that Ent has them in.
func (p *porter) edges(e *entity) {
	for _, g := range p.edgesOf(e) {
		if g.method("Through") != nil {
			p.decide(g.root.Pos(), "%s.%s: Through: an edge to the entity between the two is allowed", e.name, g.name)
		}
		if g.name == "" || g.to == "" || g.method("Field") != nil || !g.unique {
			continue
		}
		if g.method("From") != nil || g.to == e.name {
			p.decide(g.root.Pos(), "%s.%s: clients name the row once the edge has a Field, beside a field of that name", e.name, g.name)
			continue
		}
		column, held := p.column(e, g)
		if !held {
			continue
		}
		to := p.types[g.to]
		if to != nil {
			if id := p.id(to); id != nil && (id.fn.Sel.Name == "String" || id.fn.Sel.Name == "UUID" || id.method("GoType") != nil) {
				p.decide(g.root.Pos(), "%s.%s: clients name the row once the edge has a Field, beside a field of that name, with the type of the ids of %s and StorageKey(%q)", e.name, g.name, g.to, column)
				continue
			}
		}
		if g.method("StorageKey") != nil {
			p.decide(g.root.Pos(), "%s.%s: clients name the row once the edge has a Field, beside a field of that name with the StorageKey that the edge has", e.name, g.name)
			continue
		}
		key := fmt.Sprintf("field.Int64(%q)", g.name+"_id")
		if !g.required {
			key += ".Optional().Nillable()"
		}
		if g.method("Immutable") != nil {
			key += ".Immutable()"
		}
		e.keys = append(e.keys, fmt.Sprintf("%s.StorageKey(%q)", key, column))
		p.edit(e.file, g.of.End(), g.of.End(), fmt.Sprintf(".Field(%q)", g.name+"_id"), "%s.%s: clients name the row by %s_id, which is in the column %s", e.name, g.name, g.name, column)
	}
}

// column is the one that Ent keeps the edge in, where that is one of the entity's table.
func (p *porter) column(e *entity, g edge) (name string, held bool) {
	if g.fn.Sel.Name == "From" {
		return naming.Snake(g.to) + "_" + g.ref, g.ref != "" // one to many, or one to one
	}
	to := p.types[g.to]
	if to == nil {
		return "", false
	}
	for _, back := range p.edgesOf(to) {
		if back.fn.Sel.Name == "From" && back.to == e.name && back.ref == g.name && back.unique {
			return "", false // one to one: the other table has it
		}
	}
	return naming.Snake(e.name) + "_" + g.name, p.inverse(to, e, g.name)
}

// inverse reports whether Ent keeps a unique edge in the table of the entity that declares
// it: where rows at the other end may have many. Without an edge back they are one each.
func (p *porter) inverse(to, e *entity, name string) bool {
	for _, back := range p.edgesOf(to) {
		if back.fn.Sel.Name == "From" && back.to == e.name && back.ref == name {
			return !back.unique
		}
	}
	return true
}
