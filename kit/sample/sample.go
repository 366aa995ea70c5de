// Package sample describes tables for filling them with invented rows: the values
// that each column takes, unique columns, and the table's checks. The descriptions
// are generated from the schema.
package sample

// Table is the table of an entity.
type Table struct {
	// Entity is its name, Path what REST calls its rows.
	Entity, Path, Name string
	// Columns are those to fill, in the schema's order, folded texts last.
	Columns []Column
	// Unique lists the columns whose values are there together once.
	Unique [][]string
	// Checks are SQL conditions that hold for every row.
	Checks []string
	// Kept says why only the service makes rows: none can be invented. It is
	// empty elsewhere.
	Kept string
}

// Kind is the kind of a column's values.
type Kind string

// The kinds.
const (
	Int     Kind = "int"
	Float   Kind = "float"
	Text    Kind = "text"
	Enum    Kind = "enum"
	Bool    Kind = "bool"
	Time    Kind = "time"
	Amount  Kind = "amount"  // minor units
	Strings Kind = "strings" // a JSON list of texts
	JSON    Kind = "json"
	UUID    Kind = "uuid"
	Bytes   Kind = "bytes"
	Date    Kind = "date"
	Ref     Kind = "ref"  // the id of a row of another table
	Fold    Kind = "fold" // the folded text of another column
)

// Column is a column to fill.
type Column struct {
	Name string
	Kind Kind
	// Of is the table that a Ref leads to, the column that a Fold is of.
	Of string
	// Null is set where it can be null, Unique where no two rows have the same.
	Null, Unique bool
	// Roots is set of a Ref to the same table where rows make a tree: it leads to
	// rows that have none themselves, so that there are two levels.
	Roots bool
	// Kept is set where the service alone sets it. Such columns that can be null
	// are left out, unless a check speaks of them.
	Kept bool
	// Default is Ent's default, nil where there is none or it is computed.
	Default any
	// Values are those of an Enum.
	Values []string
	// Shortest and Longest bound a text, and each of Strings, in characters;
	// the size of Bytes in bytes. 0 is no bound.
	Shortest, Longest int
	// Most is how many Strings there are.
	Most int
	// Least and Greatest bound a number, where they are.
	Least, Greatest *float64
	// Pattern is the regular expression that a text matches, Format "email" or
	// "uri", empty for any.
	Pattern, Format string
	// Store converts a value for the column. Nil: it is stored unchanged.
	Store func(value any) (any, error)
}

// Bound is a bound of a number.
func Bound(n float64) *float64 { return new(n) }
