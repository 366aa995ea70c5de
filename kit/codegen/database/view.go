package database

import (
	"fmt"
	"hash/crc32"
	"slices"
	"strings"

	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/codegen/triggers"
	"github.com/entwine-go/entwine/kit/store"
)

// tablesOf are the tables of the graph. Those with a key of several columns are as the
// database has them: Ent knows the views over them, which have an id.
func tablesOf(graph *gen.Graph) ([]*schema.Table, error) {
	tables, err := graph.Tables()
	if err != nil {
		return nil, err
	}
	for _, n := range graph.Nodes {
		at := slices.IndexFunc(tables, func(t *schema.Table) bool { return t.Name == n.Table() })
		if k := model.RowKeyOf(n); k != nil {
			below(tables[at], k)
		}
	}
	return tables, nil
}

// below has the table be the one below the view.
func below(t *schema.Table, k *model.RowKey) {
	id := func(c *schema.Column) bool { return c.Name == "id" }
	t.Name, t.PrimaryKey = k.Table, nil
	t.Columns = slices.DeleteFunc(t.Columns, id)
	for _, name := range k.Columns {
		t.PrimaryKey = append(t.PrimaryKey, t.Columns[slices.IndexFunc(t.Columns, func(c *schema.Column) bool { return c.Name == name })])
	}
	if t.Annotation != nil {
		a := *t.Annotation
		a.Table, t.Annotation = k.Table, &a
	}
	t.Indexes = slices.DeleteFunc(t.Indexes, func(i *schema.Index) bool { // viewObjects makes those that have the id
		return slices.ContainsFunc(i.Columns, id) || len(i.Columns) <= len(t.PrimaryKey) && slices.Equal(i.Columns, t.PrimaryKey[:len(i.Columns)])
	})
	for _, f := range t.ForeignKeys {
		f.Symbol = strings.Replace(f.Symbol, k.View, k.Table, 1)
	}
}

// byBytes has texts be compared by their bytes.
var byBytes = store.PerDialect(` COLLATE "C"`, "")

// viewObjects are the views over tables with keys of several columns, and their indexes: of
// the ids, and of those of each foreign key, by which the rows of another are read in the
// order of their ids. Their names are those
// by which the planner knows indexes of objects.
func viewObjects(m *model.Model, dialectName string) (all []planner.Object) {
	for _, n := range m.Graph.Nodes {
		k := model.RowKeyOf(n)
		if k == nil {
			continue
		}
		columns := []string{}
		for _, f := range n.Fields {
			columns = append(columns, fmt.Sprintf("%q", f.StorageKey()))
		}
		for _, name := range triggers.Kept(m, n)[dialectName] {
			columns = append(columns, fmt.Sprintf("%q", name))
		}
		id := "(" + k.ID("") + ")" + byBytes.On(store.DialectOf(dialectName))
		all = append(all, planner.Object{Name: k.View, Create: fmt.Sprintf("CREATE VIEW %q AS SELECT %s AS \"id\", %s FROM %q", k.View, id, strings.Join(columns, ", "), k.Table)})
		index := func(name, terms string) {
			name = short("units_" + k.Table + "_" + name)
			all = append(all, planner.Object{Name: name, Create: fmt.Sprintf("CREATE INDEX %q ON %q (%s)", name, k.Table, terms)})
		}
		index("id", "("+id+")")
		for _, edge := range n.Edges {
			if edge.OwnFK() {
				index(edge.Rel.Column()+"_id", fmt.Sprintf("%q, (%s)", edge.Rel.Column(), id))
			}
		}
	}
	return all
}

// withViews puts the views and their indexes after the columns that they read, and before
// the objects that are filled from a view.
func withViews(list, views []planner.Object) []planner.Object {
	if len(views) == 0 {
		return list
	}
	column := func(o planner.Object) bool { return strings.HasPrefix(o.Create, "ALTER TABLE ") }
	var columns []planner.Object
	for _, o := range list {
		if column(o) {
			columns = append(columns, o)
		}
	}
	rest := slices.DeleteFunc(list, column)
	at := slices.IndexFunc(rest, func(o planner.Object) bool {
		return slices.ContainsFunc(views, func(v planner.Object) bool {
			return strings.Contains(o.Create, fmt.Sprintf(" FROM %q ORDER BY", v.Name))
		})
	})
	if at < 0 {
		at = len(rest)
	}
	return slices.Concat(columns, rest[:at], views, rest[at:])
}

// short is the name of the object as far as PostgreSQL reads one, and as distinct.
func short(name string) string {
	if len(name) <= 63 {
		return name
	}
	return fmt.Sprintf("%s_%08x", name[:54], crc32.ChecksumIEEE([]byte(name)))
}
