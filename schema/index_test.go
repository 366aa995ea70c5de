package schema_test

import (
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect/sql/schema"

	"github.com/entwine-go/entwine/ent/migrate"
	"github.com/entwine-go/entwine/internal/entity"
	kitentity "github.com/entwine-go/entwine/kit/entity"
)

// indexes returns the columns of the table's indexes, the primary key's
// first. Partial ones are left out: they serve no query but their own.
func indexes(table *schema.Table) [][]string {
	all := [][]string{nil}
	for _, c := range table.PrimaryKey {
		all[0] = append(all[0], c.Name)
	}
	for _, c := range table.Columns {
		if c.Unique {
			all = append(all, []string{c.Name})
		}
	}
	for _, i := range table.Indexes {
		if i.Annotation != nil && i.Annotation.Where != "" {
			continue
		}
		var columns []string
		for _, c := range i.Columns {
			columns = append(columns, c.Name)
		}
		all = append(all, columns)
	}
	return all
}

// serves reports whether one of the indexes begins with the columns.
func serves(table *schema.Table, columns ...string) bool {
	return slices.ContainsFunc(indexes(table), func(index []string) bool {
		return len(index) >= len(columns) && slices.Equal(index[:len(columns)], columns)
	})
}

// joins reports whether Ent made the table for an edge of many to many: its
// only index is its key. An edge schema (Through) can have others.
func joins(table *schema.Table) bool { return len(table.PrimaryKey) == 2 }

func tableOf(t *testing.T, name string) *schema.Table {
	t.Helper()
	i := slices.IndexFunc(migrate.Tables, func(table *schema.Table) bool { return table.Name == name })
	if i < 0 {
		t.Fatalf("there is no table %s", name)
	}
	return migrate.Tables[i]
}

// order returns the columns of the entity's default order, which ends in the id.
func order(e *kitentity.Entity) []string {
	var columns []string
	for _, term := range e.Sort {
		columns = append(columns, term.Field.Column)
	}
	if !slices.Contains(columns, "id") {
		columns = append(columns, "id")
	}
	return columns
}

// listed are the entities that have listings of their own; the others are
// listed under a parent only.
func listed(e *kitentity.Entity) bool {
	return !slices.Contains([]string{"Profile", "Follow", "Like", "Share", "Invoice"}, e.Name)
}

func TestEveryListingHasAnIndexInItsOrder(t *testing.T) {
	for _, e := range entity.All {
		table := tableOf(t, e.Table)
		if listed(e) && !serves(table, order(e)...) {
			t.Errorf("no index of %s begins with %s", table.Name, strings.Join(order(e), ", "))
		}
		for _, edge := range e.Edges {
			if !edge.Many || edge.Join != nil {
				continue
			}
			columns := append([]string{edge.Column}, order(edge.To)...)
			if !serves(tableOf(t, edge.To.Table), columns...) {
				t.Errorf("%s.%s: no index of %s begins with %s", e.Name, edge.Name, edge.To.Table, strings.Join(columns, ", "))
			}
		}
	}
}

func TestTheOrderOfListingsHasOneDirection(t *testing.T) {
	for _, e := range entity.All {
		for _, term := range e.Sort {
			if term.Desc != e.Sort[0].Desc {
				t.Errorf("%s is sorted in two directions: no index serves that", e.Name)
			}
			if term.Field.Nullable {
				t.Errorf("%s is sorted by %s, which can be null: no index serves that", e.Name, term.Field.Name)
			}
		}
	}
}

func TestEveryForeignKeyHasAnIndexAndAFate(t *testing.T) {
	for _, table := range migrate.Tables {
		for _, fk := range table.ForeignKeys {
			column := fk.Columns[0]
			if joins(table) {
				continue // the key serves the first column, an index that Ent does not know the second
			}
			if !serves(table, column.Name) {
				t.Errorf("no index of %s begins with %s: removing a row of %s reads the whole table", table.Name, column.Name, fk.RefTable.Name)
			}
			switch fk.OnDelete {
			case schema.Cascade, schema.Restrict:
			case schema.SetNull:
				if !column.Nullable {
					t.Errorf("%s.%s becomes null with its row of %s, and cannot be null", table.Name, column.Name, fk.RefTable.Name)
				}
			default:
				t.Errorf("%s.%s: say what happens with its row of %s: entsql.OnDelete", table.Name, column.Name, fk.RefTable.Name)
			}
		}
	}
}
