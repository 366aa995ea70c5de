package execute

import (
	"reflect"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
)

// Row is a row in a resolver's result: its selected fields are read when it is
// written.
type Row struct {
	Entity *entity.Entity
	ID     gid.ID
}

// IsNode implements the interface that gqlgen generates for Relay's Node.
func (Row) IsNode() {}

// noRow stands for a row in a list that an id should name and does not: it is null
// at its place, with its error there.
type noRow struct{ err error }

// IsNode implements the interface that gqlgen generates for Relay's Node.
func (noRow) IsNode() {}

// asRow returns the row that a value stands for: a row, or the generated
// model of an entity, which has but its global id.
func (w *valueWriter) asRow(v reflect.Value) (Row, bool) {
	if r, ok := reflect.TypeAssert[Row](v); ok {
		return r, true
	}
	t := w.Tables[v.Type().Name()]
	if t == nil || v.Kind() != reflect.Struct {
		return Row{}, false
	}
	id := v.FieldByName("ID")
	if !id.IsValid() || id.Kind() != reflect.String {
		return Row{}, false
	}
	_, row, err := gid.Decode(id.String())
	if err == nil {
		row, err = t.Entity.IDs().Of(row)
	}
	return Row{t.Entity, row}, err == nil
}
