package entity

import (
	"time"

	"github.com/entwine-go/entwine/kit/lifecycle"
)

// Old is the name that a field or an edge had before: clients of REST may use it
// until it ends. GraphQL's old names are looked after by package deprecation.
type Old struct {
	// Name is the schema's, REST the one of the first version and GraphQL the one
	// there: these are empty where they are something else's now.
	Name, REST, GraphQL string
	// IDs is the member of bodies that lists what is attached by an edge.
	IDs    string
	Ending *lifecycle.Ending
}

// Sent reports whether a member of a body, or a parameter, is the old name: as the
// first version writes it, or as another does, which word gives the names of.
func (o *Old) Sent(word func(string) string, member string) bool {
	return o != nil && o.REST != "" && (member == o.REST || member == word(o.REST))
}

// Shown reports whether answers have the member under the old name, too.
func (o *Old) Shown() bool {
	return o != nil && o.REST != "" && o.Ending.State(time.Now()) != lifecycle.Retired
}
