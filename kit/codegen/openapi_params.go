package main

import (
	"fmt"
	"slices"
	"strings"
)

// Query parameters of listings. What is common stands once among the
// document's components, what depends on the entity once for each.

// addCommonParameters adds what every listing takes.
func addCommonParameters(p *node) {
	p.set("Page", query("page", obj("type", "integer", "minimum", 1, "default", 1),
		"The page, counted from 1 (offset pagination). A page beyond the end is empty; beyond 100,000 rows use a cursor."))
	p.set("Cursor", query("cursor", obj("type", "string"),
		"Selects cursor pagination: empty for the first page, then the `next_cursor` of the page before. It belongs to one order and one set of filters."))
	p.set("After", query("after", obj("type", "string"),
		"Selects keyset pagination: the value of the first sort field of the last item, such as its `created_at`."))
	p.set("AfterID", query("after_id", obj("type", "integer", "format", "int64", "minimum", 1),
		"The id of the last item (keyset pagination)."))
	p.set("Direction", query("order", obj("type", "string", "enum", arr("asc", "desc")),
		"The direction of the sort fields that have no sign."))
	p.set("From", query("from", timeQuery(), "Only what was created at that time or later."))
	p.set("To", query("to", timeQuery(), "Only what was created at that time or earlier."))
	p.set("IncludeDeleted", query("include_deleted", obj("type", "boolean", "default", false),
		"Includes soft-deleted items. Admins only."))
}

func query(name string, schema *node, description string) *node {
	return obj("name", name, "in", "query", "description", description, "schema", schema)
}

func timeQuery() *node {
	return obj("type", "string", "description", "A date or an RFC 3339 time.", "examples", arr("2026-01-02", "2026-01-02T03:04:05Z"))
}

// commaList makes a parameter one of values separated by commas.
func commaList(p, items *node) *node {
	p.set("style", "form").set("explode", false)
	return p.set("schema", obj("type", "array", "items", items))
}

// addParameters adds what the entity's own reads take.
func (e *Entity) addParameters(p *node) {
	p.set(e.Name+"Limit", query("limit", obj("type", "integer", "minimum", 1, "default", e.PageSize()),
		"The size of the page. More than 100 becomes 100."))
	p.set(e.Name+"Sort", commaList(query("sort", nil,
		"Fields to sort by, in turn; a leading `-` means descending. By default `"+e.order()+"`. Nulls come last."),
		obj("type", "string", "enum", values(e.sortTerms()))))
	e.addShapeParameters(p)
	if names := e.searched(); len(names) > 0 {
		p.set(e.Name+"Search", query("search", obj("type", "string"),
			"Only what contains the text, whatever its case, in "+strings.Join(names, " or ")+"."))
	}
	for _, f := range e.Fields {
		if f.FilterBy() {
			f.addFilters(p)
		}
	}
}

// addShapeParameters adds what says how an item is shown.
func (e *Entity) addShapeParameters(p *node) {
	var names []string
	for _, f := range e.Fields {
		if !f.Secret {
			names = append(names, f.REST)
		}
	}
	for _, d := range e.Derived {
		names = append(names, d.Name)
	}
	p.set(e.Name+"Fields", commaList(query("fields", nil, "Only these fields are returned."),
		obj("type", "string", "enum", values(names))))
	if edges := e.edgeNames(); len(edges) > 0 {
		p.set(e.Name+"Expand", commaList(query("expand", nil,
			"Related resources to embed: "+strings.Join(edges, ", ")+"; nested by dots, to three levels."),
			obj("type", "string", "examples", values(edges))))
	}
}

func (f *Field) addFilters(p *node) {
	add := func(name, suffix, description string) *node {
		key := f.Entity.Name + "." + f.REST
		if suffix != "" {
			key += "." + suffix
		}
		if f.Kind == "Money" {
			description += " Amounts are compared and sorted by the numbers that are shown: `" + f.Currency + "=` asks for those of one currency."
		}
		parameter := query(name, f.filterValue(), description)
		p.set(key, parameter)
		return parameter
	}
	if f.Strings() {
		commaList(add(f.REST, "", "Only what has one of these among its "+f.REST+"."), f.filterValue())
		commaList(add(f.REST+"[in]", "in", "The same as "+f.REST+"."), f.filterValue())
		return
	}
	add(f.REST, "", "Only what has this "+f.REST+".")
	if name := strings.TrimSuffix(f.REST, "_id"); f.Kind == "Ref" && name != f.REST && !slices.Contains(reservedParameters, name) {
		f.addShort(name, add(name, "short", "The same as "+f.REST+"."))
	}
	commaList(add(f.REST+"[in]", "in", "Only what has one of these, 100 at most."), f.filterValue())
	if !f.ordered() {
		return
	}
	add(f.REST+"[gte]", "gte", "At least.")
	add(f.REST+"[gt]", "gt", "More than.")
	add(f.REST+"[lte]", "lte", "At most.")
	add(f.REST+"[lt]", "lt", "Less than.")
	if f.Lowest != "" {
		add(f.Lowest, "lowest", "The same as "+f.REST+"[gte].")
		add(f.Highest, "highest", "The same as "+f.REST+"[lte].")
	}
}

// addShort describes the filter by a foreign key under its short name, which
// takes what stands for the id in the other entity's paths.
func (f *Field) addShort(name string, parameter *node) {
	for _, edge := range f.Entity.Edges {
		if edge.Type.Field() == f.Type && edge.To.KeyField != nil {
			key := edge.To.KeyField
			parameter.set("description", fmt.Sprintf("Only what has the %s with this %s.", words(name), key.REST))
			parameter.set("schema", key.kindSchema())
		}
	}
}

// ordered reports whether a range can bound the field (reading.Kind.Ordered).
func (f *Field) ordered() bool {
	switch f.Kind {
	case "ID", "Int", "Float", "String", "Time", "Money":
		return true
	}
	return false
}

// filterValue is the schema of a value to compare with: a type without the
// bounds of what can be stored.
func (f *Field) filterValue() *node {
	if f.Kind == "Time" {
		return timeQuery()
	}
	if f.Strings() {
		return obj("type", "string")
	}
	return f.kindSchema()
}

// filterKeys lists the component names of the entity's filters, in order.
func (e *Entity) filterKeys(parameters *node) []string {
	var keys []string
	for _, f := range e.Fields {
		prefix := e.Name + "." + f.REST
		for _, m := range parameters.members {
			if f.FilterBy() && (m.name == prefix || strings.HasPrefix(m.name, prefix+".")) {
				keys = append(keys, m.name)
			}
		}
	}
	return keys
}

// listParameters refers to everything that a listing of the entity takes.
func (e *Entity) listParameters(parameters *node) []any {
	keys := []string{"Page", e.Name + "Limit", "Cursor", "After", "AfterID", e.Name + "Sort", "Direction"}
	keys = append(keys, e.shapeKeys(parameters)...)
	if parameters.get(e.Name+"Search") != nil {
		keys = append(keys, e.Name+"Search")
	}
	if f := e.Field("created_at"); f != nil && f.FilterBy() {
		keys = append(keys, "From", "To")
	}
	if e.SoftDelete {
		keys = append(keys, "IncludeDeleted")
	}
	keys = append(keys, e.filterKeys(parameters)...)
	refs := make([]any, len(keys))
	for i, key := range keys {
		refs[i] = ref("parameters", key)
	}
	return refs
}

func (e *Entity) shapeKeys(parameters *node) []string {
	keys := []string{e.Name + "Fields"}
	if parameters.get(e.Name+"Expand") != nil {
		keys = append(keys, e.Name+"Expand")
	}
	return keys
}

func (e *Entity) sortTerms() []string {
	var terms []string
	for _, f := range e.Fields {
		if f.SortBy() {
			terms = append(terms, f.REST, "-"+f.REST)
		}
	}
	return terms
}

func (e *Entity) searched() []string {
	var names []string
	for _, f := range e.Fields {
		if f.SearchBy() {
			names = append(names, f.REST)
		}
	}
	return names
}

func (e *Entity) edgeNames() []string {
	var names []string
	for _, edge := range e.Edges {
		names = append(names, edge.Name)
	}
	return names
}

// order is the default order in the names of REST.
func (e *Entity) order() string {
	var terms []string
	for _, t := range e.listOrder() {
		sign := ""
		if t.Desc {
			sign = "-"
		}
		terms = append(terms, sign+t.Field.REST)
	}
	return strings.Join(terms, ",")
}

// idParameter is the entity's id, or what stands for it, in a path.
func (e *Entity) idParameter(name string) *node {
	p := obj("name", name, "in", "path", "required", true)
	if e.KeyField != nil {
		return p.set("description", fmt.Sprintf("The %s of the %s.", e.KeyField.REST, words(e.Singular))).
			set("schema", e.KeyField.value()).set("example", e.KeyField.example())
	}
	return p.set("description", fmt.Sprintf("The id of the %s.", words(e.Singular))).
		set("schema", e.Fields[0].kindSchema()).set("example", 1)
}
