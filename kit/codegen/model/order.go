package model

import "strings"

// Term is a term of an order.
type Term struct {
	Field *Field
	Desc  bool
}

// Order is the order of the entity's listings.
func (e *Entity) Order() []Term {
	order := e.Sort
	if order == "" {
		order = "-created_at"
	}
	var terms []Term
	for name := range strings.SplitSeq(order, ",") {
		field, desc := strings.CutPrefix(name, "-")
		terms = append(terms, Term{Field: e.Field(field), Desc: desc})
	}
	return terms
}
