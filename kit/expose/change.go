package expose

import (
	"maps"

	"entgo.io/ent/schema"
)

// Change describes the migration of existing rows, and of the names that clients
// use, after a change of the schema.
type Change struct {
	Was      string            `json:"was,omitempty"`      // the name of before, see [Was]
	Values   map[string]string `json:"values,omitempty"`   // from the value before to the one now
	Backfill string            `json:"backfill,omitempty"` // SQL, see [Backfill]
	Inverses map[string]string `json:"inverses,omitempty"` // SQL by the column, see [Change.Inverse]
	Since    string            `json:"since,omitempty"`    // of the old names, see [Change.Until]
	Sunset   string            `json:"sunset,omitempty"`   // their last day, see [Change.Until]
}

// Name implements schema.Annotation.
func (Change) Name() string { return "EntwineChange" }

// Merge implements schema.Merger: members of the later annotation are added.
func (c Change) Merge(other schema.Annotation) schema.Annotation {
	o, ok := other.(Change)
	if !ok {
		return c
	}
	c.Was, c.Backfill = later(c.Was, o.Was), later(c.Backfill, o.Backfill)
	c.Since, c.Sunset = later(c.Since, o.Since), later(c.Sunset, o.Sunset)
	c.Values, c.Inverses = both(c.Values, o.Values), both(c.Inverses, o.Inverses)
	return c
}

// both are the pairs of two maps.
func both(a, b map[string]string) map[string]string {
	if a == nil {
		return b
	}
	a = maps.Clone(a)
	maps.Copy(a, b)
	return a
}

// Was names what a field, an edge or an entity was called before, so that a
// migration renames it and its values stay:
//
//	field.Time("checked_at").Annotations(expose.Was("audited_at"))
//
// An entity says so among its Annotations, by the name of its Go type; of a field
// in the input of an action, only clients know the name. Clients may use the old name too, in both APIs, as something that is deprecated: until
// the sunset that [Change.Until] sets, or until the annotation goes. By then
// every database must have had the migration (doc/api/lifecycle.md).
func Was(name string) Change { return Change{Was: name} }

// ValueWas names what a value of an enum was called before: the rows that have
// it get the new one, and clients may send the old one. Several values may become
// one.
//
//	field.Enum("grade").Values("trial", "preferred").Annotations(expose.ValueWas("preferred", "gold"))
func ValueWas(value, before string) Change {
	return Change{Values: map[string]string{before: value}}
}

// Until says since when old names are deprecated and from which day on they are
// gone, as [Deprecated] does. Either may be empty: deprecated from the start, and
// never gone.
//
//	expose.Was("audited_at").Until("2027-01-01", "2027-07-01")
func (c Change) Until(since, sunset string) Change {
	c.Since, c.Sunset = since, sunset
	return c
}

// Backfill is an SQL expression that gives the rows that are there a value of a
// field that is new, or that comes to be required. It may name the row's other
// columns and must read the same on both databases; now() alone is the time of
// the migration.
//
//	field.String("language").Annotations(expose.Backfill("'en'"))
//
// An edge with a table between says so, too: the expression is the id that each row
// links to. So a foreign key comes to be links:
//
//	edge.To("writers", Author.Type).Annotations(expose.Backfill("author_id"))
//
// On PostgreSQL programs of the version before may go on writing: a new field
// follows the columns of the expression until weave migrate contract, unless it
// was written otherwise than it says.
func Backfill(expression string) Change { return Change{Backfill: expression} }

// Inverse is the way back of a [Backfill]: an SQL expression for a column that
// programs of the version before read. The column takes its value when a column
// that the expression names is written and this one is not. It may be said at each
// of several fields that take the place of one.
//
//	field.String("street").Annotations(expose.Backfill("split_part(address, ', ', 1)").Inverse("address", "street || ', ' || town"))
func (c Change) Inverse(column, expression string) Change {
	c.Inverses = both(c.Inverses, map[string]string{column: expression})
	return c
}
