package entity

// Kind is how a field's values are stored, compared and written.
type Kind uint8

// The kinds.
const (
	ID      Kind = iota // the entity's own id
	Ref                 // the id of another entity
	Int                 // int64
	Float               // float64
	String              // text
	Enum                // text out of a set
	Bool                //
	Time                // microseconds, UTC
	Money               // minor units of a currency: a decimal number outside
	JSON                // JSON text, written as it is
	Strings             // a JSON list of texts, filtered by what it contains
	Objects             // a JSON list of objects
	IDs                 // the ids of rows of another entity, in inputs only
	UUID                // RFC 9562, as text in lower case
	Bytes               // base64 outside
)

// Ordered reports whether values of the kind have an order that a range can bound.
func (k Kind) Ordered() bool {
	switch k {
	case ID, Int, Float, String, Time, Money:
		return true
	}
	return false
}
