package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/expose"
)

// checkRequires refuses schemas that lack what the code behind one of their
// entities knows: each thing once, however many entities ask for it.
func (m *Model) checkRequires() (errs []error) {
	said := map[string]bool{}
	if m.Accounts() {
		errs = m.checkAccounts()
	}
	for _, t := range m.Graph.Nodes {
		var needs expose.Requires
		if ok, err := Annotation(t.Annotations, &needs); !ok || err != nil {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(needs.Entities)) {
			for _, lack := range m.lacks(name, needs.Entities[name]) {
				if !said[lack] {
					said[lack] = true
					errs = append(errs, ProblemAt(t, "", fmt.Errorf("%s need %s", needs.For, lack)))
				}
			}
		}
	}
	return errs
}

// lacks lists what is missing of an entity.
func (m *Model) lacks(name string, columns map[string]string) (all []string) {
	i := slices.IndexFunc(m.Graph.Nodes, func(t *gen.Type) bool { return t.Name == name })
	if i < 0 {
		if len(columns) == 0 {
			return []string{fmt.Sprintf("the entity %s: type %s struct{ tables.%s }", name, name, name)}
		}
		return []string{fmt.Sprintf("an entity %s with the fields %s", name, strings.Join(slices.Sorted(maps.Keys(columns)), ", "))}
	}
	for _, column := range slices.Sorted(maps.Keys(columns)) {
		f := slices.IndexFunc(m.Graph.Nodes[i].Fields, func(f *gen.Field) bool { return f.Name == column })
		switch want := columns[column]; {
		case f < 0:
			all = append(all, fmt.Sprintf("the field %s of %s, of the type %s", column, name, want))
		case columnType(m.Graph.Nodes[i].Fields[f]) != want:
			all = append(all, fmt.Sprintf("the field %s of %s to be of the type %s, not %s", column, name, want, columnType(m.Graph.Nodes[i].Fields[f])))
		}
	}
	return all
}

func columnType(f *gen.Field) string {
	if f.IsEnum() {
		return "enum"
	}
	return f.Type.Type.String()
}
