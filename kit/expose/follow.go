package expose

// Follow is a value that follows from another field of the row, whatever writes
// it: both APIs, actions, and Go code through Ent.
type Follow struct {
	// Field names the other field.
	Field string `json:"field"`
	// As says how: "since" or "positive".
	As string `json:"as"`
}

// FollowSince is [Follow.As] by [Since], FollowPositive that by [Positive].
const (
	FollowSince    = "since"
	FollowPositive = "positive"
)

// Since has a nullable time field follow a bool field: a write that sets the flag to
// true sets the time to now, and one that sets it to false clears it. Where the write
// sets or clears the time itself, that is kept.
//
//	field.Time("published_at").Optional().Nillable().Annotations(expose.Computed(), expose.Since("published"))
func Since(flag string) Field { return Field{Follow: &Follow{Field: flag, As: FollowSince}} }

// Positive has a bool field follow a number field: a write that sets the number sets the
// flag to whether it is above zero. Other writes leave the flag to their own value. Both
// APIs refuse an input whose flag the number contradicts, unless it is the flag of the
// row, which a client sends back.
//
//	field.Bool("in_stock").Default(true).Annotations(expose.Positive("stock"))
func Positive(number string) Field {
	return Field{Follow: &Follow{Field: number, As: FollowPositive}}
}
