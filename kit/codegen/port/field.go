package port

import "slices"

// lists are the kinds of fields of which Ent knows no pointer.
var lists = []string{"JSON", "Strings", "Ints", "Floats", "Any"}

// numbers are the integers that keys may be declared as.
var numbers = []string{"Int", "Int32", "Uint", "Uint32", "Uint64"}

// fields edits the fields of a file, those of mixins too.
func (p *porter) fields(f *file) {
	keys := p.keys()
	for _, c := range listed(f.parsed, "Field", "field") {
		name, kind := text(c.root), c.fn.Sel.Name
		if o := c.method("Optional"); o != nil && c.method("Nillable") == nil && !slices.Contains(lists, kind) {
			p.edit(f, o.End(), o.End(), ".Nillable()", "%s: an optional field is null where it is absent", name)
		}
		if (name == "id" || slices.Contains(keys, name)) && slices.Contains(numbers, kind) && c.method("GoType") == nil {
			p.edit(f, c.fn.Sel.Pos(), c.fn.Sel.End(), "Int64", "%s: ids and foreign keys are 64-bit integers", name)
		}
		if name == "id" && kind != "Other" {
			f.needs[kit+"expose"] = true
			p.edit(f, c.of.End(), c.of.End(), ".Annotations(expose.By(expose.Sort))", "id: lists are in its order")
		}
		if name == "id" && c.method("GoType") != nil {
			p.decide(c.root.Pos(), "id: GoType: ids are integers, strings and UUIDs, and have a type of each entity's own in package typedid")
		}
		if d := c.method("Deprecated"); d != nil {
			p.decide(d.Pos(), "%s: Deprecated: expose.Deprecated beside it warns clients", name)
		}
	}
}

// keys are the fields that edges name.
func (p *porter) keys() (names []string) {
	for _, f := range p.files {
		for _, c := range listed(f.parsed, "Edge", "edge") {
			for _, m := range c.calls {
				if m.name == "Field" {
					names = append(names, text(m.CallExpr))
				}
			}
		}
	}
	return names
}
