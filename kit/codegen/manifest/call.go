package manifest

import (
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/manifest"
)

// calls adds the operations on the entity.
func calls(m *model.Model, e *model.Entity, d *manifest.Entity) {
	for _, c := range m.Calls(e) {
		if c.Nested() && !c.Single && !c.Entity.Offers(expose.Read) && c.Op == expose.Read {
			continue
		}
		d.Verbs = append(d.Verbs, verbOf(c))
	}
	for _, c := range m.Declared(e) {
		switch {
		case c.Action != nil:
			d.Actions = append(d.Actions, actionOf(e, c))
		case c.Mark != nil:
			d.Actions = append(d.Actions, markOf(c))
		default:
			d.Verbs = append(d.Verbs, verbOf(c))
		}
	}
}

// call describes the common parts of an operation.
func call(c *model.Call, name string) manifest.Call {
	d := manifest.Call{
		Name: name, ID: c.ID, Method: strings.ToUpper(c.Method), Path: c.Path, GraphQL: c.Mutation, Deprecated: ending(c.Ending()),
		Idempotent: c.Method == "post",
	}
	if c.OnlyREST() {
		d.GraphQL = ""
	}
	d.Judge = judge(c.Judged())
	return d
}

func verbOf(c *model.Call) *manifest.Call {
	d := call(c, string(c.Op))
	d.Input = inputs(c.Entity.Extra[c.Op])
	switch c.Op {
	case expose.List:
		d.GraphQL = naming.Camel(strings.NewReplacer("/", "_", "-", "_").Replace(c.Entity.Path)) + "Connection"
	case expose.Read:
		d.GraphQL = naming.Camel(c.Entity.Singular)
	case expose.Create:
		d.GraphQL = "create" + c.Entity.Name
	case expose.Patch:
		d.GraphQL = "update" + c.Entity.Name
	case expose.Delete:
		d.GraphQL = "delete" + c.Entity.Name
	}
	switch c.Op {
	case expose.Replace, expose.Patch, expose.Delete, model.Restore:
		d.IfMatch = true
	}
	if c.Bulk != nil {
		d.Maximum, d.Verb = c.Bulk.Maximum, c.Bulk.Verb
	}
	if c.Nested() {
		d.Of, d.Edge = c.Parent.Name, c.Edge.Name
		if c.Single {
			d.Edge = ""
		}
		d.GraphQL = ""
	}
	return &d
}

func actionOf(e *model.Entity, c *model.Call) *manifest.Action {
	a := c.Action
	d := &manifest.Action{
		Call: call(c, a.Verb), Label: label(a.Verb), Description: a.Comment, Detail: a.Detail, Kind: "action", Scope: "row",
		Reads: a.Reads(), InputRequired: a.InputRequired(), Condition: condition(a.Condition),
	}
	switch {
	case a.Scope == expose.Unbound:
		d.Scope = "service"
	case !a.OfRow():
		d.Scope = "collection"
	}
	d.Input, d.IfMatch = inputs(a.Input), c.Expects()
	for _, o := range e.Offered {
		d.Offered = d.Offered || o.Name == a.Verb
	}
	d.Result, d.Answer = result(a)
	for _, c := range a.Charts {
		kind := "bars"
		if c.Lines {
			kind = "lines"
		}
		d.Charts = append(d.Charts, &manifest.Chart{Title: c.Title, List: c.List, Along: c.Along, Values: c.Values, Each: c.Each, Kind: kind})
	}
	return d
}

// result describes the answer of an action.
func result(a *model.Action) (kind string, members []*manifest.Field) {
	for _, m := range append(a.Answer.Once, a.Answer.Members...) {
		members = append(members, memberOf(m))
	}
	switch {
	case len(a.Answer.File) > 0:
		return "file", members
	case a.Answer.Nothing:
		return "none", members
	case a.Answer.Job != "":
		return "job", members
	case len(a.Answer.Members) > 0:
		return "answer", members
	}
	return "row", members
}

func markOf(c *model.Call) *manifest.Action {
	m := c.Mark
	d := &manifest.Action{Call: call(c, m.Verb), Label: label(m.Verb), Description: c.Comment(), Detail: c.Detail(), Kind: "mark", Scope: "row", Result: "answer", Marked: m.Viewer}
	if len(m.By.OnBehalf) > 0 {
		by := input(m.By)
		by.Create = "optional"
		d.Input = append(d.Input, by)
	}
	if m.Said != "" {
		d.Answer = append(d.Answer, &manifest.Field{Name: m.Said, Label: label(m.Said), Description: m.SaidComment, GraphQL: naming.GraphQL(m.Said), Kind: "bool"})
	}
	if m.Count != nil {
		count := field(m.Count)
		count.HasDefault, count.Default = false, nil
		d.Answer = append(d.Answer, count)
	}
	if m.URL {
		d.Answer = append(d.Answer, &manifest.Field{Name: "url", Label: "URL", Description: "The address of the row.", GraphQL: "url", Kind: "string"})
	}
	if c.Op == model.UndoMark {
		d.Name, d.Label, d.Kind, d.Result, d.Answer, d.Input = m.Undo, label(m.Undo), "unmark", "none", nil, nil
	}
	return d
}

func edgeOf(e *model.Entity, g *model.Edge) *manifest.Edge {
	d := &manifest.Edge{
		Name: g.Name, Label: label(g.Name), Description: g.Comment, GraphQL: naming.Camel(g.Name), To: g.To.Name,
		Many: !g.Type.Unique, Required: g.Type.Unique && !g.Type.Optional, Expand: true, Filter: g.Filter, Through: g.Through,
	}
	for _, o := range g.Nested {
		if o == expose.List {
			d.List = "/" + e.Path + "/{" + key(e) + "}/" + strings.ReplaceAll(g.Name, "_", "-")
		}
	}
	for _, l := range e.Links {
		if l.Name == strings.ReplaceAll(g.Name, "_", "-") || g.To.Under != "" && l.Name == g.To.Path {
			d.Offered = l.Name
		}
	}
	if g.Tree != nil {
		step := g.Tree.Edge
		if d.Tree, d.Many = "down", true; g.Tree.Up {
			d.Tree, step = "up", step.Ref
		}
		for _, one := range e.Edges {
			if one.Type == step {
				d.Step = one.Name
			}
		}
		return d
	}
	for _, f := range e.Fields {
		if own := g.Type.Field(); own != nil && own == f.Type {
			d.Field = f.REST
		}
	}
	for _, back := range g.To.Edges {
		if g.Type.Ref != nil && back.Type == g.Type.Ref || back.Type.Ref != nil && back.Type.Ref == g.Type {
			d.Inverse = back.Name
		}
	}
	if g.Attached {
		d.Attach = &manifest.Attach{IDs: g.IDs(), Path: "/" + e.Path + "/{" + key(e) + "}/" + strings.ReplaceAll(g.Name, "_", "-") + "/{" + g.One() + "_" + key(g.To) + "}"}
	}
	return d
}
