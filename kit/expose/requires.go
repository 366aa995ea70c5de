package expose

import "entgo.io/ent/schema"

// Requires is what the schemas must have for an entity to be of use: the code
// that writes its rows knows other entities, too. What is missing fails the
// generation.
type Requires struct {
	// For is what needs it, in the plural: "accounts".
	For string
	// Entities are those that there must be, with their columns and their types:
	// "string", "bool", "int64", "time.Time", or "enum".
	Entities map[string]map[string]string
}

// Name implements schema.Annotation.
func (Requires) Name() string { return "EntwineRequires" }

var _ schema.Annotation = Requires{}
