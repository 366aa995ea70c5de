package expose

import (
	"maps"

	"entgo.io/ent/schema"
)

// Change says what becomes of the rows that are there once the schema is
// another one. Migrations follow it; the service that runs knows nothing of it.
type Change struct {
	Was      string            `json:"was,omitempty"`      // the name of before, see [Was]
	Values   map[string]string `json:"values,omitempty"`   // from the value before to the one now
	Backfill string            `json:"backfill,omitempty"` // SQL, see [Backfill]
}

// Name implements schema.Annotation.
func (Change) Name() string { return "EntwineChange" }

// Merge implements schema.Merger: what is said later is added.
func (c Change) Merge(other schema.Annotation) schema.Annotation {
	o, ok := other.(Change)
	if !ok {
		return c
	}
	c.Was, c.Backfill = later(c.Was, o.Was), later(c.Backfill, o.Backfill)
	values := maps.Clone(c.Values)
	if values == nil {
		values = o.Values
	} else {
		maps.Copy(values, o.Values)
	}
	c.Values = values
	return c
}

// Was names what a field, an edge or an entity was called before, so that a
// migration renames it and its values stay:
//
//	field.Time("checked_at").Annotations(expose.Was("audited_at"))
//
// An entity says so among its Annotations, by the name of its Go type. Once
// every database has had the migration, it can go.
func Was(name string) Change { return Change{Was: name} }

// ValueWas names what a value of an enum was called before: the rows that have
// it get the new one. Several values may become one.
//
//	field.Enum("grade").Values("trial", "preferred").Annotations(expose.ValueWas("preferred", "gold"))
func ValueWas(value, before string) Change {
	return Change{Values: map[string]string{before: value}}
}

// Backfill is an SQL expression that gives the rows that are there a value of a
// field that is new, or that comes to be required. It may name the row's other
// columns and must read the same on both databases; now() alone is the time of
// the migration.
//
//	field.String("language").Annotations(expose.Backfill("'en'"))
func Backfill(expression string) Change { return Change{Backfill: expression} }
