package expose

import "entgo.io/ent/schema"

// Client selects the features of Ent's client for an entity. Without it the client
// has the entity, with none of the features below: each costs generated code that
// a build compiles, so an entity names those that Go code uses.
type Client struct {
	// None leaves the entity out: no Go code reads or writes its rows by the
	// client. Entities that are exposed are never left out. The kit's own tables
	// are, and an entity that embeds one takes it in with Client{}.
	None bool `json:"none,omitempty"`
	// Modify is Ent's feature sql/modifier: Modify adds to the statements of
	// queries and updates what they have no method for.
	Modify bool `json:"modify,omitempty"`
	// Lock is Ent's feature sql/lock: ForUpdate and ForShare. On SQLite, where a
	// transaction that writes is alone, they add nothing.
	Lock bool `json:"lock,omitempty"`
	// Upsert is Ent's feature sql/upsert: OnConflict.
	Upsert bool `json:"upsert,omitempty"`
}

// Name implements schema.Annotation.
func (Client) Name() string { return "EntwineClient" }

var _ schema.Annotation = Client{}
