package limits

import (
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/read"
)

// The cost of a field for which the database reads more rows than it answers with,
// each time that it is read.
const (
	totalCost = read.TotalCost
	textCost  = read.TextCost
	edgeCost  = read.EdgeCost
	calcCost  = read.CalcCost
	// schemaCost is the cost of each __schema and __type, of which everything may be
	// selected.
	schemaCost = 100
)

// terms are the keys of a where input: what each costs, and which input its
// values are.
type terms map[string]term

type term struct {
	cost  int
	below string
}

// textual are the comparisons of a text that no index of its values answers.
var textual = []string{"Contains", "ContainsFold", "HasPrefix", "HasSuffix", "EqualFold"}

// filters returns the terms of the schema's where inputs, by their names.
func filters(schema *ast.Schema) map[string]terms {
	all := make(map[string]terms)
	for name, def := range schema.Types {
		if def.Kind != ast.InputObject || !strings.HasSuffix(name, "WhereInput") {
			continue
		}
		all[name] = make(terms)
		for _, f := range def.Fields {
			all[name][f.Name] = termOf(schema, def, f)
		}
	}
	return all
}

func termOf(schema *ast.Schema, def *ast.Definition, f *ast.FieldDefinition) term {
	of := f.Type.Name()
	switch {
	case strings.HasSuffix(of, "WhereInput") && of == def.Name && (f.Name == "and" || f.Name == "or" || f.Name == "not"):
		return term{below: of}
	case strings.HasSuffix(of, "WhereInput"):
		return term{cost: edgeCost, below: of}
	case schema.Types[of].Kind == ast.InputObject: // of a computed value
		return term{cost: calcCost}
	case def.Fields.ForName(f.Name+"With") != nil: // hasAuthor, beside hasAuthorWith
		return term{cost: edgeCost}
	}
	if of == "String" && slices.ContainsFunc(textual, func(suffix string) bool { return strings.HasSuffix(f.Name, suffix) }) {
		return term{cost: textCost}
	}
	return term{}
}

// The arguments for the filter and the order of a list.
const filterName, orderName = "where", "orderBy"

// order is the cost of a field's order for each time that the field is read.
func (m *measure) order(f graphql.CollectedField) (cost int) {
	a, def := f.Arguments.ForName(orderName), f.Definition.Arguments.ForName(orderName)
	if a == nil || def == nil || len(m.orders) == 0 {
		return 0
	}
	value, err := a.Value.Value(m.op.Variables)
	if err != nil {
		return 0 // which is refused later
	}
	list, isList := value.([]any)
	if !isList {
		list = []any{value}
	}
	for _, item := range list {
		term, _ := item.(map[string]any)
		name, _ := term["field"].(string)
		cost += m.orders[def.Type.Name()+"Field."+name]
	}
	return min(cost, most)
}

// filter is the cost of a field's filter for each time that the field is read.
func (m *measure) filter(f graphql.CollectedField) int {
	a := f.Arguments.ForName(filterName)
	def := f.Definition.Arguments.ForName(filterName)
	if a == nil || def == nil {
		return 0
	}
	value, err := a.Value.Value(m.op.Variables)
	if err != nil {
		return 0 // which is refused later
	}
	return min(m.terms(def.Type.Name(), value), most)
}

// terms adds up what the terms of a filter cost.
func (m *measure) terms(input string, value any) (cost int) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			cost += m.terms(input, item)
		}
	case map[string]any:
		for name, item := range v {
			if t := m.where[input][name]; item != nil {
				cost += t.cost
				if t.below != "" {
					cost += m.terms(t.below, item)
				}
			}
		}
	}
	return cost
}
