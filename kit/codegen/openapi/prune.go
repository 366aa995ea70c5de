package openapi

import "strings"

// prune removes the components that nothing refers to.
func prune(d *node) {
	components := d.at("components")
	used := map[string]bool{}
	var mark func(value any)
	mark = func(value any) {
		walk(value, func(o *node) {
			name := o.text("$ref")
			if name == "" || used[name] {
				return
			}
			used[name] = true
			mark(lookup(d, name))
		})
	}
	mark(d.get("paths"))
	for _, kind := range components.members {
		if kind.name == "securitySchemes" {
			continue
		}
		for _, m := range kind.value.(*node).members {
			if !used["#/components/"+kind.name+"/"+m.name] {
				kind.value.(*node).drop(m.name)
			}
		}
	}
}

// lookup returns what a reference names.
func lookup(d *node, reference string) any {
	kind, name, _ := strings.Cut(strings.TrimPrefix(reference, "#/components/"), "/")
	return d.at("components", kind).get(name)
}
