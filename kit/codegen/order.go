package main

import "strings"

// sortTerm is a term of an order.
type sortTerm struct {
	Field *Field
	Desc  bool
}

// order is the order of the entity's listings.
func (e *Entity) listOrder() []sortTerm {
	order := e.Sort
	if order == "" {
		order = "-created_at"
	}
	var terms []sortTerm
	for _, name := range strings.Split(order, ",") {
		field, desc := strings.CutPrefix(name, "-")
		terms = append(terms, sortTerm{Field: e.Field(field), Desc: desc})
	}
	return terms
}
