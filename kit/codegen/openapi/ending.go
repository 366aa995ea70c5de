package openapi

import (
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/expose"
)

// The deprecation notice of a node. Operations by hand say it in the same words.
const (
	endSince   = "x-deprecated-since"
	endSunset  = "x-sunset"
	endInstead = "x-instead"
	endOf      = "x-entwine-of" // the field that a schema or a parameter is about
	oldValues  = "x-entwine-old-values"
	oldPaths   = "x-entwine-old-paths"
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

// edgeEnded is [ended] for what is about an edge by its old name.
func edgeEnded(o *node, g *model.Edge) *node {
	if g.Now == nil {
		return o
	}
	return ended(o, g.To.Name+" "+g.Name, g.Now.Old.Ending)
}

// valuesEnded says of a schema or a parameter which old values it takes.
func valuesEnded(o *node, f *model.Field) *node {
	if len(f.OldValues) == 0 {
		return o
	}
	says := o.text("description")
	for _, v := range f.OldValues {
		says = paragraphs(says, "`"+v.Before+"` is taken for `"+v.Now+"`. "+model.Says(v.Ending))
	}
	described(o, says)
	return o.set(oldValues, f.OldValues).set(oldValues+"-of", f.Entity.Name+"."+f.REST)
}

// pathsEnded says of an operation at which paths it was before.
func pathsEnded(op *node, c *model.Call) *node {
	old := c.OldPaths()
	if len(old) == 0 {
		return op
	}
	says := op.text("description")
	for _, p := range old {
		says = paragraphs(says, "It is at `"+p.Path+"` as well. "+model.Says(p.Ending))
	}
	return op.set("description", says).set(oldPaths, old)
}

// endingOf is the deprecation notice of a node, nil where it has none.
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
	In, Name, List, Value, Of string
	*expose.Ending
}

// parts finds what ends of the body and the query of an operation.
func (r *contract) parts(op *node) []part {
	var all []part
	add := func(p part) {
		if p.Ending != nil && !slices.ContainsFunc(all, func(o part) bool {
			return o.In == p.In && o.Name == p.Name && o.List == p.List && o.Value == p.Value
		}) {
			all = append(all, p)
		}
	}
	values := func(o *node, in, name string) {
		list, _ := o.get(oldValues).([]model.OldValue)
		for _, v := range list {
			add(part{In: in, Name: name, Value: v.Before, Of: o.text(oldValues+"-of") + "=" + v.Before, Ending: v.Ending})
		}
	}
	if body := op.at("requestBody", "content", "application/json", "schema"); body != nil {
		r.eachProperty(body, "", 3, func(path string, o *node) {
			add(part{In: "InBody", Name: path, Of: o.text(endOf), Ending: endingOf(o)})
			values(o, "InBody", path)
		})
	}
	var sorts, fields, expands bool
	list, _ := op.get("parameters").([]any)
	for _, p := range list {
		n := r.resolved(asNode(p))
		if n.text("in") != "query" {
			continue
		}
		sorts, fields = sorts || n.text("name") == "sort", fields || n.text("name") == "fields"
		expands = expands || n.text("name") == "expand"
		add(part{In: "InQuery", Name: n.text("name"), Of: n.text(endOf), Ending: endingOf(n)})
		values(n, "InQuery", n.text("name"))
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
			for name, has := range map[string]bool{"fields": fields, "sort": sorts, "expand": expands} {
				if has {
					add(part{In: "InList", Name: path, List: name, Of: o.text(endOf), Ending: endingOf(o)})
				}
			}
		})
	}
	slices.SortFunc(all, func(a, b part) int {
		return strings.Compare(a.In+a.List+a.Name+"="+a.Value, b.In+b.List+b.Name+"="+b.Value)
	})
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
