package contract

import "github.com/entwine-go/entwine/kit/codegen/model"

// operationsOf are the operations on the entity, and the queries of GraphQL
// that it has beside them.
func operationsOf(m *model.Model, e *model.Entity) (all []Operation) {
	for _, c := range m.Calls(e) {
		o := Operation{Key: string(c.Op), ID: c.ID, Method: c.Method, Path: c.Path, Deprecated: c.Ending() != nil, Input: inputsOf("", e.Extra[c.Op])}
		if c.Nested() {
			o.Key += " " + c.Parent.Name + "." + c.Edge.Name
		}
		all = append(all, o)
	}
	for _, c := range m.Declared(e) {
		all = append(all, declaredOf(c))
	}
	for _, c := range m.EdgeCalls(e) {
		all = append(all, Operation{Key: string(c.Op) + " " + c.Edge.Name, ID: c.ID, Method: c.Method, Path: c.Path})
	}
	for _, q := range e.Queries {
		o := Operation{Key: "query " + q.Name, GraphQL: q.Name}
		for _, argument := range []string{q.By, q.Search} {
			if argument != "" {
				o.Input = append(o.Input, Field{Name: argument})
			}
		}
		all = append(all, o)
	}
	return all
}

// declaredOf is an operation that the schema declares beside those on rows.
func declaredOf(c *model.Call) Operation {
	o := Operation{Key: string(c.Op), ID: c.ID, Method: c.Method, Path: c.Path, GraphQL: c.Mutation, Deprecated: c.Ending() != nil}
	if c.OnlyREST() {
		o.GraphQL = ""
	}
	switch {
	case c.Action != nil:
		o.Key += " " + c.Action.Verb
		o.Input = inputsOf("", c.Action.Input)
		o.Answer = membersOf("", append(c.Action.Answer.Once, c.Action.Answer.Members...))
		if !c.Action.Condition.Always() {
			o.When = c.Action.Condition.String()
		}
	case c.Mark != nil:
		o.Key += " " + c.Mark.Mark.Verb
		if c.Op == model.DoMark && len(c.Mark.By.OnBehalf) > 0 {
			o.Input = inputsOf("", []*model.Field{c.Mark.By})
			o.Input[0].Shown.Required = false
		}
	case c.Bulk != nil:
		o.Maximum = c.Bulk.Maximum
		if c.Bulk.Verb != "" {
			o.Key += " " + c.Bulk.Verb
		}
	}
	return o
}

// inputsOf are the fields of an input, those of objects by their paths.
func inputsOf(prefix string, fields []*model.Field) (all []Field) {
	for _, f := range fields {
		input := Field{Name: prefix + f.Name, Default: defaultOf(f.Type), Values: valuesOf(f.Type), Shown: shownOf(f)}
		if f.Old != nil {
			input.Was = prefix + f.Old.Name
		}
		all = append(all, input)
		all = append(all, inputsOf(prefix+f.Name+"[].", f.Members)...)
	}
	return all
}
