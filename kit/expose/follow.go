package expose

// Follow is a value that follows from another field of the row, whatever writes
// it: both APIs, actions, and Go code through Ent.
type Follow struct {
	// Field names the other field.
	Field string `json:"field"`
	// As says how: "since" or "positive".
	As string `json:"as"`
}

// The ways in which a value follows.
const (
	FollowSince    = "since"
	FollowPositive = "positive"
)

// Since makes a nullable time field the time since when a bool field is true: it
// is set when a write sets the flag, and null when one takes it back. A time that
// the write names itself stays.
//
//	field.Time("published_at").Optional().Nillable().Annotations(expose.Computed(), expose.Since("published"))
func Since(flag string) Field { return Field{Follow: &Follow{Field: flag, As: FollowSince}} }

// Positive makes a bool field say whether a number field is above zero, where a
// write names that. While the number is null, the flag is what it is set to.
//
//	field.Bool("in_stock").Default(true).Annotations(expose.Positive("stock"))
func Positive(number string) Field {
	return Field{Follow: &Follow{Field: number, As: FollowPositive}}
}
