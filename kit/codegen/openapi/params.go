package openapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gen/openapi"
	"github.com/entwine-go/entwine/kit/gid"
)

// Query parameters of listings. Common parameters stand once among the document's
// components, those that depend on the entity once for each.

// addCommonParameters adds what every listing takes.
func addCommonParameters(p *node) {
	p.set("Page", query("page", obj("type", "integer", "minimum", 1, "default", 1),
		"The page, counted from 1 (offset pagination). A page beyond the end is empty; beyond 100,000 rows use a cursor."))
	p.set("Cursor", query("cursor", obj("type", "string"),
		"Selects cursor pagination: empty for the first page, then the `next_cursor` of the page before. It belongs to one order and one set of filters."))
	p.set("After", query("after", obj("type", "string"),
		"Selects keyset pagination: the value of the first sort field of the last item, such as its `created_at`."))
	p.set("AfterID", query("after_id", identifies(idSchema(), openapi.AnyEntity),
		"The id of the last item (keyset pagination)."))
	p.set("Direction", query("order", obj("type", "string", "enum", arr("asc", "desc")),
		"The direction of the sort fields that have no sign."))
	p.set("From", query("from", timeQuery(), "Only what was created at that time or later."))
	p.set("To", query("to", timeQuery(), "Only what was created at that time or earlier."))
	p.set("IncludeDeleted", query("include_deleted", obj("type", "boolean", "default", false),
		"Includes soft-deleted items. Admins only."))
}

// afterID is the name of the parameter after_id of the entity's listings.
func afterID(e *model.Entity) string {
	if model.IDsOf(e.Type.ID) != gid.Numbers {
		return e.Name + "AfterID"
	}
	return "AfterID"
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
func addParameters(e *model.Entity, p *node) {
	p.set(e.Name+"Limit", query("limit", obj("type", "integer", "minimum", 1, "default", e.PageSize()),
		"The size of the page. More than 100 becomes 100. For `text/csv` and `application/x-ndjson` alone, `all` is every row, in one answer."))
	p.set(e.Name+"Sort", commaList(identifies(query("sort", nil,
		"Fields to sort by, in turn; a leading `-` means descending. By default `"+orderText(e)+"`. Nulls come last."), e.Name),
		obj("type", "string", "enum", values(sortNames(e)))))
	if model.IDsOf(e.Type.ID) != gid.Numbers {
		p.set(afterID(e), query("after_id", identifies(keySchema(e.Type.ID), e.Name), "The id of the last item (keyset pagination)."))
	}
	addShapeParameters(e, p)
	if names := searchedNames(e); len(names) > 0 {
		p.set(e.Name+"Search", query("search", obj("type", "string"),
			"Only what contains the text, whatever its case, in "+strings.Join(names, " or ")+"."))
	}
	for _, f := range e.Named() {
		if f.FilterBy() {
			addFilters(f, p)
		}
	}
	addEdgeFilters(e, p)
	addCalcParameters(e, p)
}

// addShapeParameters adds what says how an item is shown.
func addShapeParameters(e *model.Entity, p *node) {
	var names []string
	for _, f := range e.Named() {
		if !f.Secret {
			names = append(names, f.REST)
		}
	}
	for _, d := range e.Derived {
		names = append(names, d.Name)
	}
	for _, c := range e.Calcs {
		names = append(names, c.Name)
	}
	edges := edgeNames(e)
	fields, description := obj("type", "string", "enum", values(names)), "Only these fields are returned."
	if len(edges) > 0 {
		fields = obj("anyOf", arr(fields, obj("type", "string", "pattern", `^[a-z_]+(\.[a-zA-Z_]+)+$`)))
		description += " Those of what is expanded are named by dots: `fields=id," + edges[0] + "." + shownOf(e.NamedEdges()[0].To) + "&expand=" + edges[0] + "`."
	}
	p.set(e.Name+"Fields", commaList(identifies(query("fields", nil, description), e.Name), fields))
	if len(edges) > 0 {
		p.set(e.Name+"Expand", commaList(query("expand", nil,
			"Related resources to embed: "+strings.Join(edges, ", ")+"; nested by dots, to three levels."),
			obj("type", "string", "examples", values(edges))))
	}
}

// shownOf is the name of a field that says which row it is: its first text, or else its id.
func shownOf(e *model.Entity) string {
	for _, f := range e.Named() {
		if f.Kind == "String" && !f.Secret && len(f.Visible) == 0 {
			return f.REST
		}
	}
	return "id"
}

// escapes ends a sentence about a list of texts (params.List).
const escapes = ", where a backslash before a comma makes it a part of a text, and one before a backslash, too."

func addFilters(f *model.Field, p *node) {
	add := func(name, suffix, description string) *node {
		key := f.Entity.Name + "." + f.REST
		if suffix != "" {
			key += "." + suffix
		}
		if f.Kind == "Money" {
			description += " Amounts are compared and sorted by the numbers that are shown: `" + f.Currency + "=` asks for those of one currency."
		}
		parameter := valuesEnded(fieldEnded(identifies(query(name, filterSchema(f), description), f.Entity.Name), f), f)
		p.set(key, parameter)
		return parameter
	}
	if f.Strings() {
		commaList(add(f.REST, "", "Only what has one of these among its "+f.REST+escapes), filterSchema(f))
		commaList(add(f.REST+"[in]", "in", "The same as "+f.REST+"."), filterSchema(f))
		return
	}
	add(f.REST, "", "Only what has this "+f.REST+".")
	if name := strings.TrimSuffix(f.REST, "_id"); f.Kind == "Ref" && name != f.REST && !slices.Contains(reservedParameters, name) {
		addShort(f, name, add(name, "short", "The same as "+f.REST+"."))
	}
	several := "Only what has one of these, 100 at most"
	if f.Kind == "String" {
		several += escapes
	} else {
		several += "."
	}
	commaList(add(f.REST+"[in]", "in", several), filterSchema(f))
	if !entity.Named(f.EntityKind()).Ordered {
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
func addShort(f *model.Field, name string, parameter *node) {
	for _, edge := range f.Entity.Edges {
		if edge.Type.Field() == f.Type && edge.To.KeyField != nil {
			key := edge.To.KeyField
			parameter.set("description", fmt.Sprintf("Only what has the %s with this %s.", naming.Words(name), key.REST))
			parameter.set("schema", kindSchema(key))
		}
	}
}

// filterSchema is the schema of a value to compare with: a type without the
// bounds of what can be stored.
func filterSchema(f *model.Field) *node {
	if f.Kind == "Time" {
		return timeQuery()
	}
	if f.Strings() {
		return obj("type", "string")
	}
	return names(kindSchema(f), f)
}

// filterKeys lists the component names of the entity's filters, in order.
func filterKeys(e *model.Entity, parameters *node) []string {
	var keys []string
	for _, f := range e.Named() {
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
func listParameters(e *model.Entity, parameters *node) []any {
	keys := []string{"Page", e.Name + "Limit", "Cursor", "After", afterID(e), e.Name + "Sort", "Direction"}
	keys = append(keys, selectKeys(e, parameters)...)
	if parameters.get(e.Name+"Search") != nil {
		keys = append(keys, e.Name+"Search")
	}
	if f := e.Field("created_at"); f != nil && f.FilterBy() {
		keys = append(keys, "From", "To")
	}
	if e.SoftDelete {
		keys = append(keys, "IncludeDeleted")
	}
	keys = append(keys, filterKeys(e, parameters)...)
	for _, edge := range filteredEdges(e) {
		keys = append(keys, e.Name+"."+edge.Name)
	}
	keys = append(keys, calcKeys(e, parameters, true)...)
	refs := make([]any, len(keys))
	for i, key := range keys {
		refs[i] = ref("parameters", key)
	}
	return refs
}

// shapeKeys lists the component names of what says how an item is shown.
func shapeKeys(e *model.Entity, parameters *node) []string {
	return append(selectKeys(e, parameters), calcKeys(e, parameters, false)...)
}

func selectKeys(e *model.Entity, parameters *node) []string {
	keys := []string{e.Name + "Fields"}
	if parameters.get(e.Name+"Expand") != nil {
		keys = append(keys, e.Name+"Expand")
	}
	return keys
}

func sortNames(e *model.Entity) []string {
	var terms []string
	for _, f := range e.Named() {
		if f.SortBy() {
			terms = append(terms, f.REST, "-"+f.REST)
		}
	}
	for _, c := range e.Calcs {
		terms = append(terms, c.Name, "-"+c.Name)
	}
	return terms
}

func searchedNames(e *model.Entity) []string {
	var names []string
	for _, f := range e.Fields {
		if f.SearchBy() {
			names = append(names, f.REST)
		}
	}
	return names
}

func edgeNames(e *model.Entity) []string {
	var names []string
	for _, edge := range e.NamedEdges() {
		names = append(names, edge.Name)
	}
	return names
}

// orderText is the default order in the names of REST.
func orderText(e *model.Entity) string {
	var terms []string
	for _, t := range e.Order() {
		sign := ""
		if t.Desc {
			sign = "-"
		}
		terms = append(terms, sign+t.Field.REST)
	}
	return strings.Join(terms, ",")
}

// idParameter is the entity's id, or what stands for it, in a path.
func idParameter(e *model.Entity, name string) *node {
	p := obj("name", name, "in", "path", "required", true)
	if e.KeyField != nil {
		return p.set("description", fmt.Sprintf("The %s of the %s.", e.KeyField.REST, naming.Words(e.Singular))).
			set("schema", valueSchema(e.KeyField)).set("example", fieldExample(e.KeyField))
	}
	return p.set("description", fmt.Sprintf("The id of the %s.", naming.Words(e.Singular))).
		set("schema", identifies(kindSchema(e.Fields[0]), e.Name)).set("example", fieldExample(e.Fields[0]))
}
