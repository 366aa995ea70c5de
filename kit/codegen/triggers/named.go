package triggers

import (
	"fmt"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/gid"
)

// naming is how tables hold the id of a row of any entity (events, changes and files): in
// a column of integers, where it is one. A text or a UUID is in a column of texts beside
// it, which is null for integers, and the other column is 0 then.
type naming struct {
	columns, values string
	// column and value are the two that no other row has.
	column, value string
}

// named is the id in the field of the type's row that a trigger is about, NEW or OLD.
func named(number, text string, t *gen.Type, f *gen.Field, row string) naming {
	value := model.Cell(t, f, row)
	if model.IDsOf(f) == gid.Numbers {
		column := fmt.Sprintf("%q", number)
		return naming{columns: column, values: value, column: column, value: value}
	}
	column := fmt.Sprintf("%q", text)
	value = "CAST(" + value + " AS text)"
	return naming{columns: fmt.Sprintf("%q, %s", number, column), values: "0, " + value, column: column, value: value}
}

// set is the SET clause of an update.
func (n naming) set() string {
	if n.columns == n.column {
		return n.column + " = " + n.value
	}
	return "(" + n.columns + ") = (" + n.values + ")"
}

// is is the condition that a row of the table holds the id.
func (n naming) is() string { return n.column + " = " + n.value }
