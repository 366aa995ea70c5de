package port

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/naming"
)

// entity is a type of the package that is an entity or a mixin.
type entity struct {
	name    string
	file    *file
	spec    *ast.TypeSpec
	mixin   bool
	methods map[string]*ast.FuncDecl
	keys    []string // fields that it gets
}

// collect finds the entities, the mixins, and their methods.
func (p *porter) collect() {
	for _, f := range p.files {
		for _, d := range f.parsed.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range g.Specs {
				if t, ok := s.(*ast.TypeSpec); ok {
					p.declared(f, t)
				}
			}
		}
	}
	for _, f := range p.files {
		for _, d := range f.parsed.Decls {
			m, ok := d.(*ast.FuncDecl)
			if !ok || m.Recv == nil || len(m.Recv.List) != 1 {
				continue
			}
			of := m.Recv.List[0].Type
			if star, ok := of.(*ast.StarExpr); ok {
				of = star.X
			}
			if name, ok := of.(*ast.Ident); ok && p.types[name.Name] != nil {
				p.types[name.Name].methods[m.Name.Name] = m
			}
		}
	}
}

func (p *porter) declared(f *file, t *ast.TypeSpec) {
	s, ok := t.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, of := range s.Fields.List {
		embeds, ok := of.Type.(*ast.SelectorExpr)
		if !ok || len(of.Names) > 0 {
			continue
		}
		from, _ := embeds.X.(*ast.Ident)
		switch {
		case from == nil:
		case from.Name == "ent" && embeds.Sel.Name == "View":
			p.decide(t.Pos(), "%s: ent.View: no client is generated for a view: leave it out, and read it in SQL, or make it a field that follows from a row by expose.Derived", t.Name)
		case from.Name == "ent" && embeds.Sel.Name == "Schema", from.Name == "mixin" && embeds.Sel.Name == "Schema":
			e := &entity{name: t.Name.Name, file: f, spec: t, mixin: from.Name == "mixin", methods: map[string]*ast.FuncDecl{}}
			p.types[e.name] = e
			if !e.mixin {
				p.names = append(p.names, e.name)
			}
		}
	}
}

// mixins are those of the entity that the package declares. It reports whether it has
// others, whose fields are not known.
func (p *porter) mixins(e *entity) (own []*entity, others bool) {
	m := e.methods["Mixin"]
	if m == nil {
		return nil, false
	}
	lit := list(m, "Mixin")
	if lit == nil {
		return nil, true
	}
	for _, of := range lit.Elts {
		if made, ok := of.(*ast.CompositeLit); ok {
			if name, ok := made.Type.(*ast.Ident); ok && p.types[name.Name] != nil {
				own = append(own, p.types[name.Name])
				continue
			}
		}
		others = true
	}
	return own, others
}

// id is the chain of the entity's id, nil where it declares none.
func (p *porter) id(e *entity) *chain {
	own, _ := p.mixins(e)
	for _, of := range append(own, e) {
		if m := of.methods["Fields"]; m != nil {
			for _, c := range listed(m, "Field", "field") {
				if text(c.root) == "id" {
					return c
				}
			}
		}
	}
	return nil
}

const kit = "github.com/entwine-go/entwine/kit/"

// entity gives the entity what the APIs need of it.
func (p *porter) entity(e *entity) {
	if name := p.now(e.name); name != e.name {
		p.decide(e.spec.Pos(), "%s: it is called %s, and so is its table: rows that are there are moved, or entsql.Table keeps the name of the table", e.name, name)
	}
	if p.now(e.name) == "User" {
		p.decide(e.spec.Pos(), "User: the kit's accounts are rows of User: add its fields to schema/user.go, which has tables.User, or call this entity otherwise, by --as User=Member")
	}
	p.edges(e)
	_, others := p.mixins(e)
	switch id := p.id(e); {
	case id == nil && keyed(e):
	case id == nil && others:
		p.decide(e.spec.Pos(), "%s: a mixin of another package may have an id: field.Int64(\"id\") is allowed, and strings and UUIDs", e.name)
	case id == nil:
		e.keys = append([]string{`field.Int64("id").Annotations(expose.By(expose.Sort))`}, e.keys...)
		e.file.needs[kit+"expose"] = true
	}
	p.addKeys(e)
	if e.methods["Policy"] == nil {
		e.file.more += fmt.Sprintf("\n// Policy of the %s: it is closed, see %s.\nfunc (%[1]s) Policy() ent.Policy { return ported }\n", p.now(e.name), Closed)
	}
	p.resource(e)
}

// keyed reports whether the key of the entity's table is of several columns.
func keyed(e *entity) bool {
	m := e.methods["Annotations"]
	return m != nil && slices.ContainsFunc(listed(m, "Annotation", "field"), func(c *chain) bool { return c.fn.Sel.Name == "ID" && len(c.root.Args) > 1 })
}

// asked lists the policies and interceptors of entities and mixins.
func (p *porter) asked() {
	for _, e := range p.types {
		if m := e.methods["Policy"]; m != nil {
			p.decide(m.Pos(), "%s: Policy: policy.Rules say which rows the APIs show, and expose.Tenant keeps tenants apart; rules of ent/privacy for mutations may stand beside (doc/guides/policies.md#policies-of-entprivacy)", e.name)
		}
		if m := e.methods["Interceptors"]; m != nil {
			p.decide(m.Pos(), "%s: Interceptors: the APIs read without them: a condition of Read in policy.Rules is allowed (doc/guides/policies.md#policies-of-entprivacy)", e.name)
		}
	}
}

// resource has the APIs show the entity.
func (p *porter) resource(e *entity) {
	path := strings.ReplaceAll(naming.Snake(naming.Plural(p.now(e.name))), "_", "-")
	says := fmt.Sprintf(`expose.Resource{Path: %q, Sort: "id", Operations: expose.CRUD()}`, path)
	if keyed(e) {
		says = fmt.Sprintf(`expose.Resource{Path: %q, Sort: "id", Operations: expose.ReadOnly()}`, path)
	}
	e.file.needs[kit+"expose"] = true
	m := e.methods["Annotations"]
	if m == nil {
		e.file.needs["entgo.io/ent/schema"] = true
		e.file.more += fmt.Sprintf("\n// Annotations of the %s.\nfunc (%[1]s) Annotations() []schema.Annotation {\n\treturn []schema.Annotation{%s}\n}\n", p.now(e.name), says)
		p.plan.Edits = append(p.plan.Edits, p.note(e.spec.Pos(), "%s: both APIs show it, at /%s, to admins", e.name, path))
		return
	}
	lit := list(m, "Annotation")
	if lit == nil {
		p.decide(m.Pos(), "%s: Annotations: %s among them has the APIs show it", e.name, says)
		return
	}
	for _, c := range listed(m, "Annotation", "entgql") {
		if name := naming.Camel(strings.ReplaceAll(path, "-", "_")) + "Connection"; c.fn.Sel.Name == "QueryField" && text(c.root) != name {
			p.edit(e.file, c.of.Pos(), c.of.End(), fmt.Sprintf("entgql.QueryField(%q)", name), "%s: its listing is the query %s", e.name, name)
		}
	}
	p.edit(e.file, lit.Lbrace+1, lit.Lbrace+1, "\n\t\t"+says+",", "%s: both APIs show it, at /%s, to admins", e.name, path)
}

// addKeys adds fields to the entity.
func (p *porter) addKeys(e *entity) {
	if len(e.keys) == 0 {
		return
	}
	m := e.methods["Fields"]
	if m == nil {
		e.file.needs["entgo.io/ent/schema/field"] = true
		e.file.more += fmt.Sprintf("\n// Fields of the %s.\nfunc (%[1]s) Fields() []ent.Field {\n\treturn []ent.Field{\n\t\t%s,\n\t}\n}\n", p.now(e.name), strings.Join(e.keys, ",\n\t\t"))
		return
	}
	lit := list(m, "Field")
	if lit == nil {
		e.file.needs["entgo.io/ent/schema/field"] = true
		p.decide(m.Pos(), "%s: Fields: add %s", e.name, strings.Join(e.keys, ", "))
		return
	}
	e.file.needs["entgo.io/ent/schema/field"] = true
	text := "\n\t\t" + strings.Join(e.keys, ",\n\t\t") + ","
	if len(lit.Elts) == 0 {
		text += "\n\t"
	}
	p.edit(e.file, lit.Lbrace+1, lit.Lbrace+1, text, "%s: fields for its keys", e.name)
}
