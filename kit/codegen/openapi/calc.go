package openapi

import (
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
)

// calcSchema is the schema of a computed value in REST.
func calcSchema(c *model.Calc) *node {
	return described(nullable(calcValue(c), true).set("examples", arr(c.Example)), c.Comment+" "+calcShown(c))
}

// calcShown says where the value is shown.
func calcShown(c *model.Calc) string {
	if len(c.Arguments) == 0 {
		return "Only where `fields` asks for it."
	}
	names := make([]string, len(c.Arguments))
	for i, a := range c.Arguments {
		names[i] = "`" + c.Parameter(a) + "`"
	}
	return fmt.Sprintf("Only where `fields` asks for it, or, without `fields`, where one of its arguments is given: %s.", strings.Join(names, ", "))
}

// calcValue is the schema of its values, without null.
func calcValue(c *model.Calc) *node {
	o := shapeSchema(c.Shape)
	if c.Kind == "Float" {
		o.set("format", "double")
	}
	return o
}

// addCalcParameters adds the arguments of computed values, and the filters by these.
func addCalcParameters(e *model.Entity, p *node) {
	for _, c := range e.Calcs {
		key := e.Name + "." + c.Name
		for _, a := range c.Arguments {
			schema := inputValue(c.Type(), a, obj())
			if value := defaultValue(a); value != nil {
				schema.set("default", value)
			}
			says := "An argument of `" + c.Name + "`."
			if a.RequiredOnCreate() {
				says = "An argument of `" + c.Name + "`, required where that is asked for."
			}
			argument := identifies(query(c.Parameter(a), schema, strings.TrimSpace(a.Type.Comment()+" "+says)), e.Name)
			if a.Example != nil {
				argument.set("example", a.Example)
			}
			p.set(key+"."+a.REST, argument)
		}
		add := func(suffix, component, says string) *node {
			filter := identifies(query(c.Name+suffix, calcValue(c), says), e.Name)
			p.set(key+component, filter)
			return filter
		}
		add("", "", "Only what has this "+c.Name+". "+c.Comment)
		commaList(add("[in]", ".in", "Only what has one of these, 100 at most."), calcValue(c))
		if c.Kind == "Bool" {
			continue
		}
		add("[gte]", ".gte", "At least.")
		add("[gt]", ".gt", "More than.")
		add("[lte]", ".lte", "At most.")
		add("[lt]", ".lt", "Less than.")
	}
}

// calcKeys lists the component names of the arguments, and of the filters where
// they are asked for.
func calcKeys(e *model.Entity, parameters *node, filters bool) (keys []string) {
	for _, c := range e.Calcs {
		prefix := e.Name + "." + c.Name
		for _, m := range parameters.members {
			switch name, below := strings.CutPrefix(m.name, prefix+"."); {
			case below && c.Argument(name) != nil, filters && (below || m.name == prefix):
				keys = append(keys, m.name)
			}
		}
	}
	return keys
}
