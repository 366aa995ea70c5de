package expose

import "entgo.io/ent/schema"

// Edge configures an edge in the APIs. An edge to an exposed entity is shown
// unless it is hidden: REST expands it, GraphQL has it as a field, and as a list
// and a connection where it leads to many. Schemas do not fill it in: they combine
// the functions of this file, of the same names.
type Edge struct {
	Hidden   bool        `json:"hidden,omitempty"`
	Through  bool        `json:"through,omitempty"`
	Nested   []Operation `json:"nested,omitempty"`
	Filter   bool        `json:"filter,omitempty"`
	Deleted  bool        `json:"deleted,omitempty"`
	Attached bool        `json:"attached,omitempty"`
	Levels   int         `json:"levels,omitempty"`
	Within   string      `json:"within,omitempty"`
}

// Name implements schema.Annotation.
func (Edge) Name() string { return "EntwineEdge" }

// Merge implements schema.Merger: members of the later annotation are added.
func (e Edge) Merge(other schema.Annotation) schema.Annotation {
	o, ok := other.(Edge)
	if !ok {
		return e
	}
	e.Hidden = e.Hidden || o.Hidden
	e.Through = e.Through || o.Through
	e.Nested = append(e.Nested, o.Nested...)
	e.Filter = e.Filter || o.Filter
	e.Deleted = e.Deleted || o.Deleted
	e.Attached = e.Attached || o.Attached
	e.Levels = later(e.Levels, o.Levels)
	e.Within = later(e.Within, o.Within)
	return e
}

// Hidden keeps an edge out of both APIs: it can be neither read, nor expanded, nor
// filtered by.
func Hidden() Edge { return Edge{Hidden: true} }

// Through lets viewers who can read a row also read the row at the other end of an
// edge to one, whatever the rules of that entity say. Which of its fields they see is
// still said by the fields.
func Through() Edge { return Edge{Through: true} }

// Nested gives a to-many edge a path of its own under the parent:
// GET /users/{id}/posts for List, GET /users/{id}/posts/{post_id} for Read,
// POST for Create. An edge of one to one, whose foreign key is at the other end, has
// POST alone: /users/{id}/badge makes the one that there can be.
func Nested(operations ...Operation) Edge { return Edge{Nested: operations} }

// FilterEdge lets listings filter by the rows at the edge's other end: GraphQL by
// any of their fields (hasAuthorWith), REST over an edge to many by their ids
// (labels=1,2: any of them). Rows the viewer cannot read count as absent.
func FilterEdge() Edge { return Edge{Filter: true} }

// DeletedWith deletes the rows at the other end of an edge to many softly together
// with the row, and restores those that were deleted with it together with it.
func DeletedWith() Edge { return Edge{Deleted: true} }

// Tree makes of an edge to many between rows of one entity a tree of at most so
// many levels, roots included:
//
//	edge.To("children", Category.Type).Annotations(expose.Tree(6)),
//	edge.From("parent", Category.Type).Ref("children").Field("parent_id").Unique(),
//
// The databases refuse a row that would come to be below itself, and one that
// would make the tree deeper, however many write at once. Rows have the lists
// ancestors, the nearest first, and descendants, in both APIs.
func Tree(levels int) Edge { return Edge{Levels: levels} }

// The operations that [Attached] adds to an entity. They are not among
// [Resource].Operations.
const (
	Attach Operation = "attach"
	Detach Operation = "detach"
)

// Attached lets clients that may update a row set the rows that its edge of many to
// many leads to: by PUT and DELETE on /products/{id}/labels/{label_id}, by label_ids
// in REST's bodies, and by labelIds, addLabelIds and removeLabelIds in GraphQL's
// inputs. The caller needs the right to update the rows at the other end, too, or
// the right that policy.Attach names. One request sets at most 100; others stay
// unchanged.
func Attached() Edge { return Edge{Attached: true} }

// Within has an edge lead to rows of the same parent alone, which the column names at
// both ends: labels of an issue are those of its organisation.
//
//	edge.To("labels", Label.Type).Annotations(expose.Attached(), expose.Within("org_id"))
//
// The column is an integer that is required and Immutable, at both ends: a row stays
// with its parent. The databases refuse others, whatever door a row is written
// through; the APIs answer with 422 and name the input. An edge of many to many can
// say so at either side, another at that which has the foreign key.
func Within(column string) Edge { return Edge{Within: column} }
