package expose

import "entgo.io/ent/schema"

// Ending says that something is deprecated: a field, an entity with all its
// operations, or one operation ([Resource].Deprecated, [Action].Deprecated).
// The zero Ending says nothing. See [Deprecated].
type Ending struct {
	// Since and Sunset are days: 2027-01-31. Without a sunset it never goes.
	Since  string `json:"since,omitempty"`
	Sunset string `json:"sunset,omitempty"`
	// Instead names the replacement: "use title".
	Instead string `json:"instead,omitempty"`
}

// Deprecated says since when something is deprecated, from which day on it is
// gone (never, if that is empty), and what to use instead, to clients:
//
//	field.String("headline").Optional().Nillable().
//		Annotations(expose.Deprecated("2027-01-01", "2027-07-01", "use title"))
//
// Both documents and the answers of REST say so. From its sunset on an operation
// is refused with 410; a field is shown no more, and refused where it is named
// (doc/api/lifecycle.md).
func Deprecated(since, sunset, instead string) Ending { return Ending{since, sunset, instead} }

// Name implements schema.Annotation.
func (Ending) Name() string { return "EntwineEnding" }

var _ schema.Annotation = Ending{}
