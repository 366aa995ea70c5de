package schema

import (
	"time"

	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"entgo.io/ent/schema/mixin"

	"github.com/entwine-go/entwine/internal/expose"
)

// Base gives an entity its id and the times of its creation and last change.
type Base struct{ mixin.Schema }

// Fields of the mixin.
func (Base) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("id").Positive().Immutable().
			Comment("The id.").
			Annotations(expose.By(expose.Filter, expose.Sort)),
		field.Time("created_at").Default(now).Immutable().
			Comment("When it was created, in UTC.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Computed()),
		field.Time("updated_at").Default(now).UpdateDefault(now).
			Comment("When it was last changed, in UTC.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Computed()),
	}
}

// Indexes of the mixin: the default order of every listing.
func (Base) Indexes() []ent.Index {
	return []ent.Index{index.Fields("created_at", "id")}
}

// Versioned counts the changes that a client can make, so that an update can
// ask for the version it was made for (If-Match, expectedVersion).
type Versioned struct{ mixin.Schema }

// Fields of the mixin.
func (Versioned) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("version").Default(1).
			Comment("How often a client has changed it, starting with 1.").
			Annotations(expose.Computed()),
	}
}

// SoftDelete keeps deleted rows, hidden, until they are restored or removed.
type SoftDelete struct{ mixin.Schema }

// Fields of the mixin.
func (SoftDelete) Fields() []ent.Field {
	return []ent.Field{
		field.Time("deleted_at").Optional().Nillable().
			Comment("When it was deleted, null while it is not.").
			Annotations(expose.Computed()),
	}
}

// now is the time at the precision that both databases keep.
func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }
