package gid

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/google/uuid"
)

// ID is the id of a row: a whole number, or a text. Ids can be compared and are keys of
// maps. The zero ID is the id of no row.
type ID struct {
	number int64
	text   string
}

// Int is the id that is a number.
func Int(number int64) ID { return ID{number: number} }

// Text is the id that is a text. The empty one is the zero ID.
func Text(text string) ID { return ID{text: text} }

// Of is the id that a value of a column is: an int64, a text or a UUID. It is the zero ID,
// and false, for any other value.
func Of(value any) (ID, bool) {
	switch v := value.(type) {
	case int64:
		return Int(v), true
	case string:
		return Text(v), true
	case uuid.UUID:
		return Text(v.String()), true
	case []byte: // which PostgreSQL's driver has of what it does not know
		return Text(string(v)), true
	}
	return ID{}, false
}

// Ints are the ids that are the numbers.
func Ints(numbers ...int64) []ID {
	ids := make([]ID, len(numbers))
	for i, n := range numbers {
		ids[i] = Int(n)
	}
	return ids
}

// IsZero reports whether the id is that of no row.
func (id ID) IsZero() bool { return id == ID{} }

// Int is the number of the id, 0 where it is a text.
func (id ID) Int() int64 { return id.number }

// IsText reports whether the id is a text.
func (id ID) IsText() bool { return id.text != "" }

// UUID returns the id as a UUID, and the zero UUID for an id that is not a UUID.
func (id ID) UUID() uuid.UUID {
	value, err := uuid.Parse(id.text)
	if err != nil {
		return uuid.Nil
	}
	return value
}

// Any is the id as an argument of SQL: an int64 or a string.
func (id ID) Any() any {
	if id.text != "" {
		return id.text
	}
	return id.number
}

// Value has drivers of databases take the id as [ID.Any] says.
func (id ID) Value() (driver.Value, error) { return id.Any(), nil }

// Scan has the id be what a column has: the zero ID for null.
func (id *ID) Scan(value any) error {
	got, ok := Of(value)
	if !ok && value != nil {
		return fmt.Errorf("an id of type %T", value)
	}
	*id = got
	return nil
}

// TextColumn is an ID in the tables that name rows of any entity: events, changes and
// files. They have one column for ids that are numbers and one for those that are texts,
// which is null for a number and scanned after the other.
type TextColumn ID

// Scan has the id be what a column has, and leaves it unchanged for null.
func (c *TextColumn) Scan(value any) error {
	if value == nil {
		return nil
	}
	return (*ID)(c).Scan(value)
}

// Append appends the id as text: as it stands in paths.
func (id ID) Append(b []byte) []byte {
	if id.text != "" {
		return append(b, id.text...)
	}
	return strconv.AppendInt(b, id.number, 10)
}

// String is the id as text.
func (id ID) String() string {
	if id.text != "" {
		return id.text
	}
	return strconv.FormatInt(id.number, 10)
}

// AppendGlobal appends the global id of the type's row.
func (id ID) AppendGlobal(b []byte, typ string) []byte {
	if id.text == "" {
		return Append(b, typ, id.number)
	}
	return AppendText(b, typ, id.text)
}

// Global returns the global id of the type's row.
func (id ID) Global(typ string) string { return string(id.AppendGlobal(nil, typ)) }

// MarshalJSON writes a number, or a text.
func (id ID) MarshalJSON() ([]byte, error) { return json.Marshal(id.Any()) }

// UnmarshalJSON reads what [ID.MarshalJSON] wrote.
func (id *ID) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '"' {
		*id = ID{}
		return json.Unmarshal(text, &id.text)
	}
	*id = ID{}
	return json.Unmarshal(text, &id.number)
}
