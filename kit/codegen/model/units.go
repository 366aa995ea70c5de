package model

import (
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/money"
)

// Units is the expression of the computed column that listings compare and
// order an amount by: the number that is shown of it, as a whole number of the
// smallest unit that any currency has. It is empty for other fields, and for
// amounts that listings neither filter nor sort by.
func (f *Field) Units() string {
	if f.Kind != "Money" || !f.FilterBy() && !f.SortBy() {
		return ""
	}
	return money.Units(f.Type.StorageKey(), f.Entity.Field(f.Currency).Type.StorageKey())
}

// UnitColumn is the name of that column.
func (f *Field) UnitColumn() string { return f.Type.StorageKey() + "_units" }

// UnitIndex is an index that begins with what an amount is compared by.
type UnitIndex struct {
	Name, Table string
	// Of is the amount, nil where it is of none.
	Of *Field
	// Terms are SQL: quoted columns.
	Terms []string
}

// indexUnits has the indexes that begin with such an amount lead with what it
// is compared by. Ent does not know that column, so they are objects.
func (m *Model) indexUnits() {
	for _, e := range m.Entities {
		t := e.Type
		t.Indexes = slices.DeleteFunc(t.Indexes, func(i *gen.Index) bool {
			f := e.Field(leads(t, i))
			if f == nil || f.Units() == "" {
				return false
			}
			var columns []string
			for _, c := range i.Columns {
				if c == f.Type.StorageKey() {
					c = f.UnitColumn()
				}
				columns = append(columns, fmt.Sprintf("%q", c))
			}
			name := "units_" + t.Table() + "_" + strings.Join(i.Columns, "_")
			m.UnitIndexes = append(m.UnitIndexes, UnitIndex{Name: name, Table: StoredIn(t), Of: f, Terms: columns})
			return true
		})
	}
}
