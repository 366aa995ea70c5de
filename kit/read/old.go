package read

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

// is reports whether the name is the old one, as the version writes it or as the
// first does.
func (o *Old) is(in *Names, name string) bool {
	return o != nil && o.REST != "" && (name == o.REST || name == in.word(o.REST))
}

// shown reports whether answers have the member under the old name, too.
func (o *Old) shown() bool {
	return o != nil && o.REST != "" && o.Ending.State(time.Now()) != lifecycle.Retired
}

// Sent reports whether a member of a body is the field by its old name, which
// word gives the names of the version.
func (o *Old) Sent(word func(string) string, member string) bool {
	return o != nil && o.REST != "" && (member == o.REST || member == word(o.REST))
}

// renamed reports whether something of the entity has an old name.
func (e *Entity) renamed() bool {
	for _, f := range e.Fields {
		if f.Old != nil {
			return true
		}
	}
	for _, g := range e.Edges {
		if g.Old != nil {
			return true
		}
	}
	return false
}

// Value is a value of an enum by the name that it has now.
func (f *Field) Value(text string) string {
	if now, old := f.OldValues[text]; old {
		return now
	}
	return text
}
