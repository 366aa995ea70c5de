package adopt

import (
	"fmt"
	"strings"

	atschema "ariga.io/atlas/sql/schema"

	"github.com/entwine-go/entwine/kit/codegen/naming"
)

// Edge is the edge of a foreign key, at one end.
type Edge struct {
	Name string `json:"edge"`
	To   string `json:"to"`
	Many bool   `json:"many,omitempty"`

	code string
}

// relate makes edges of the foreign keys of the entity's table.
func (p *Plan) relate(e *Entity) {
	count := map[string]int{}
	for _, k := range e.table.ForeignKeys {
		count[k.RefTable.Name]++
	}
	for _, k := range e.table.ForeignKeys {
		what := "foreign key of " + e.Table + " to " + k.RefTable.Name
		to := p.of(k.RefTable.Name)
		switch {
		case len(k.Columns) != 1:
			p.leave(what, "it is of several columns", "the database keeps it as before")
		case to == nil:
			p.leave(what, k.RefTable.Name+" is no entity: its column is a number", "the database keeps it as before")
		case !to.keyed(k.RefColumns):
			p.leave(what, "it refers to another column than the key", "the database keeps it as before")
		case e.field(k.Columns[0].Name) == nil || e.field(k.Columns[0].Name).form.id() != to.Fields[0].form.of:
			p.leave(what, "its column has no field that an edge could have", "the database keeps it as before")
		case e.field(k.Columns[0].Name).key:
			p.leave(what, "its column is the key of the row, and an edge has a field of its own", "the database keeps it as before; both rows have the same id")
		default:
			e.edge(k, to, count[k.RefTable.Name] > 1)
		}
	}
}

// edge adds the edge of a foreign key at both ends.
func (e *Entity) edge(k *atschema.ForeignKey, to *Entity, several bool) {
	f := e.field(k.Columns[0].Name)
	f.ref, f.Type, f.form = true, to.Fields[0].form.of, form{of: to.Fields[0].form.of, args: to.Fields[0].form.args, imports: to.Fields[0].form.imports}
	if len(f.by) == 0 {
		f.by = []string{"Filter"}
		f.Why = append(f.Why, "no index begins with it: the next migration makes one, by which the other end finds its rows")
	}
	name := strings.TrimSuffix(f.Name, "_id")
	if name == f.Name || e.named(name) {
		name = f.Name + "_" + naming.Snake(to.Name)
	}
	back := plural(naming.Snake(e.Name))
	if several || to.named(back) {
		back = name + "_" + back
	}
	for to.named(back) {
		back += "_rows"
	}
	words := naming.Words(name)
	end := fmt.Sprintf(".Field(%q).Unique()", f.Name)
	if !f.Nullable {
		end += ".Required()"
	}
	if f.part {
		end += ".Immutable()"
	}
	end += fmt.Sprintf(".\n\t\t\tComment(%q)", "The "+words+".")
	end += to.attach()
	begin := fmt.Sprintf("edge.To(%q, %s.Type).\n\t\t\tAnnotations(%s)", back, e.Name, onDelete(k.OnDelete))
	if to == e {
		e.Edges = append(e.Edges, &Edge{Name: back, To: e.Name, Many: true}, &Edge{Name: name, To: to.Name,
			code: fmt.Sprintf("edge.To(%q, %s.Type).\n\t\t\tAnnotations(%s).\n\t\t\tFrom(%q)%s", back, e.Name, onDelete(k.OnDelete), name, end)})
		return
	}
	e.Edges = append(e.Edges, &Edge{Name: name, To: to.Name, code: fmt.Sprintf("edge.From(%q, %s.Type).Ref(%q)%s", name, to.Name, back, end)})
	to.Edges = append(to.Edges, &Edge{Name: back, To: e.Name, Many: true, code: begin})
}

// onDelete is the database's action, in Ent's words.
func onDelete(o atschema.ReferenceOption) string {
	words := map[atschema.ReferenceOption]string{atschema.Cascade: "Cascade", atschema.SetNull: "SetNull", atschema.SetDefault: "SetDefault", atschema.Restrict: "Restrict"}
	if word := words[o]; word != "" {
		return "entsql.OnDelete(entsql." + word + ")"
	}
	return "entsql.OnDelete(entsql.NoAction)"
}

// keyed reports whether the columns are the key of the entity, and its id.
func (e *Entity) keyed(columns []*atschema.Column) bool {
	keys := e.table.keys()
	return len(keys) == 1 && len(columns) == 1 && columns[0].Name == keys[0]
}

// joins reports whether the table of pairs is between two entities.
func (p *Plan) joins(t *table) bool {
	keys := t.keys()
	one, other := t.leads(keys[0]), t.leads(keys[1])
	from, to := p.of(one.RefTable.Name), p.of(other.RefTable.Name)
	return from != nil && to != nil && from != to && from.keyed(one.RefColumns) && to.keyed(other.RefColumns)
}

// between makes an edge of many to many of a table of pairs.
func (p *Plan) between(t *table) {
	keys := t.keys()
	one, other := t.leads(keys[0]), t.leads(keys[1])
	from, to := p.of(one.RefTable.Name), p.of(other.RefTable.Name)
	near, far := plural(naming.Snake(to.Name)), plural(naming.Snake(from.Name))
	for from.named(near) {
		near = member(t.Name) + "_" + near
	}
	for to.named(far) {
		far = member(t.Name) + "_" + far
	}
	from.Edges = append(from.Edges, &Edge{Name: near, To: to.Name, Many: true,
		code: fmt.Sprintf("edge.To(%q, %s.Type).StorageKey(edge.Table(%q), edge.Columns(%q, %q))", near, to.Name, t.Name, keys[0], keys[1])})
	to.Edges = append(to.Edges, &Edge{Name: far, To: from.Name, Many: true, code: fmt.Sprintf("edge.From(%q, %s.Type).Ref(%q)", far, from.Name, near)})
	b := &Between{Table: t.Name, From: from.Name, To: to.Name, Why: "its key is the ids of two rows, so it is the edge between them; clients read it, and write it where the edge says expose.Attached()"}
	for _, c := range t.Columns {
		if c.Name != keys[0] && c.Name != keys[1] {
			b.Why += "; its column " + c.Name + " has its default, and is not shown"
		}
	}
	p.Between = append(p.Between, b)
}
