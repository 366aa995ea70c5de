package openapi

import (
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/expose"
)

// What a node is told of its end. Operations by hand say it in the same words.
const (
	endSince   = "x-deprecated-since"
	endSunset  = "x-sunset"
	endInstead = "x-instead"
	endOf      = "x-entwine-of" // the field that a schema or a parameter is about
)

// ended says of an operation, a schema or a parameter when it ends.
func ended(o *node, of string, e *expose.Ending) *node {
	if e == nil {
		return o
	}
	o.set(endSince, e.Since)
	if e.Sunset != "" {
		o.set(endSunset, e.Sunset)
	}
	if of != "" {
		o.set(endOf, of)
	}
	return o.set(endInstead, e.Instead)
}

// fieldEnded is [ended] for what is about a field.
func fieldEnded(o *node, f *model.Field) *node {
	return ended(o, f.Entity.Name+"."+f.REST, f.Ending)
}

// endingOf is what a node was told of its end, nil where that is nothing.
func endingOf(o *node) *expose.Ending {
	if o.text(endInstead) == "" {
		return nil
	}
	return &expose.Ending{Since: o.text(endSince), Sunset: o.text(endSunset), Instead: o.text(endInstead)}
}

// describeEndings has the document say what ends, and list it.
func describeEndings(published *node) {
	var list []string
	walk(published, func(o *node) {
		e := endingOf(o)
		if e == nil {
			return
		}
		o.set("deprecated", true)
		o.set("description", paragraphs(o.text("description"), model.Says(e)))
		name := o.text(endOf)
		if name == "" {
			name = o.text("operationId")
		}
		if line := "- `" + name + "`: " + strings.TrimSpace(model.Says(e)); !slices.Contains(list, line) && o.text("in") == "" && !strings.HasPrefix(name, "head") {
			list = append(list, line)
		}
	})
	if len(list) > 0 {
		slices.Sort(list)
		about := published.at("info")
		about.set("description", about.text("description")+"\n\n## What is deprecated\n\n"+strings.Join(list, "\n"))
	}
}

// part is a part of the requests of an operation that ends.
type part struct {
	In, Name, List, Of string
	*expose.Ending
}

// parts finds what ends of the body and the query of an operation.
func (r *contract) parts(op *node) []part {
	var all []part
	add := func(p part) {
		if p.Ending != nil && !slices.ContainsFunc(all, func(o part) bool { return o.In == p.In && o.Name == p.Name && o.List == p.List }) {
			all = append(all, p)
		}
	}
	if body := op.at("requestBody", "content", "application/json", "schema"); body != nil {
		r.eachProperty(body, "", 3, func(path string, o *node) {
			add(part{In: "InBody", Name: path, Of: o.text(endOf), Ending: endingOf(o)})
		})
	}
	var sorts, fields bool
	list, _ := op.get("parameters").([]any)
	for _, p := range list {
		n := r.resolved(asNode(p))
		if n.text("in") != "query" {
			continue
		}
		sorts, fields = sorts || n.text("name") == "sort", fields || n.text("name") == "fields"
		add(part{In: "InQuery", Name: n.text("name"), Of: n.text(endOf), Ending: endingOf(n)})
	}
	for _, status := range []string{"200", "201"} {
		schema := op.at("responses", status, "content", "application/json", "schema")
		if schema == nil {
			continue
		}
		data := r.resolved(r.resolved(schema).at("properties", "data"))
		if items := data.at("items"); items != nil {
			data = items
		}
		r.eachProperty(data, "", 1, func(path string, o *node) {
			for name, has := range map[string]bool{"fields": fields, "sort": sorts} {
				if has {
					add(part{In: "InList", Name: path, List: name, Of: o.text(endOf), Ending: endingOf(o)})
				}
			}
		})
	}
	slices.SortFunc(all, func(a, b part) int { return strings.Compare(a.In+a.List+a.Name, b.In+b.List+b.Name) })
	return all
}

// resolved follows a reference.
func (r *contract) resolved(o *node) *node {
	if reference := o.text("$ref"); reference != "" {
		return asNode(lookup(r.document, reference))
	}
	return o
}

// eachProperty visits the properties of an object, and those of objects in them,
// down to a depth.
func (r *contract) eachProperty(o *node, prefix string, depth int, visit func(path string, o *node)) {
	if o = r.resolved(o); o == nil || depth == 0 {
		return
	}
	if items := o.at("items"); items != nil {
		r.eachProperty(items, prefix, depth, visit)
		return
	}
	properties := o.at("properties")
	if properties == nil {
		return
	}
	for _, m := range properties.members {
		path := m.name
		if prefix != "" {
			path = prefix + "." + m.name
		}
		visit(path, asNode(m.value))
		r.eachProperty(asNode(m.value), path, depth-1, visit)
	}
}
