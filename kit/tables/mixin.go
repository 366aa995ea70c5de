package tables

import (
	"time"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"entgo.io/ent/schema/mixin"

	"github.com/entwine-go/entwine/kit/expose"
)

// Record gives an entity whose rows never change its id and the time of its
// creation.
type Record struct{ mixin.Schema }

// Fields of the mixin.
func (Record) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("id").Positive().Immutable().
			Comment("The id.").
			Annotations(expose.By(expose.Filter, expose.Sort)),
		field.Time("created_at").Default(Now).Immutable().
			Comment("When it was created, in UTC.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Computed(), expose.Also("created_at")),
	}
}

// Base gives an entity its id and the times of its creation and last change.
type Base struct{ Record }

// Fields of the mixin.
func (b Base) Fields() []ent.Field {
	return append(b.Record.Fields(),
		field.Time("updated_at").Default(Now).UpdateDefault(Now).
			Comment("When it was last changed, in UTC.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned(), expose.Computed(), expose.Also("updated_at")),
	)
}

// Listed gives an entity the index of the order that listings have by default.
type Listed struct{ mixin.Schema }

// Indexes of the mixin.
func (Listed) Indexes() []ent.Index {
	return []ent.Index{index.Fields("created_at", "id")}
}

// Versioned counts the changes of a row, so that an update can ask for the version
// it was made for (If-Match, expectedVersion). A trigger of the database raises it
// with every write of the row, but for columns with [expose.Unversioned].
type Versioned struct{ mixin.Schema }

// Fields of the mixin.
func (Versioned) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("version").Default(1).
			Comment("Rises with each change, beginning with 1. Counts that the database keeps do not raise it.").
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
			Annotations(expose.Computed(), expose.Also("deleted_at")),
		field.Int64("deleted_with").Optional().Nillable().
			Comment("The id of the row whose deletion took this one along, null if it was deleted on its own.").
			Annotations(expose.Internal()),
	}
}

// Indexes of the mixin: restoring and purging find deleted rows by it.
func (SoftDelete) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("deleted_at").Annotations(entsql.IndexWhere("deleted_at IS NOT NULL")),
	}
}

// Now is the time at the precision that both databases keep.
func Now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }
