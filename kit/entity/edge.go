package entity

import "cmp"

// Edge describes an edge of an entity that the APIs show.
type Edge struct {
	// Name is the edge's name in the schema and in REST v1, GraphQL the one
	// in GraphQL, where a connection's ends in Connection.
	Name, GraphQL string
	To            *Entity
	// Many is set where the edge leads to any number of rows.
	Many bool
	// Column is the foreign key: in the entity's own table where Own is set, else in To's.
	Column string
	Own    bool
	// Key is the column of the entity's own id, empty where that is called id.
	Key string
	// Of is the kind of the entity's own id.
	Of Kind
	// Join is the table between, of an edge of many to many.
	Join *Join
	// Tree is set where the edge leads over any number of steps. Column and Join
	// are empty then.
	Tree *Tree
	// Required is set where there always is a row at the other end.
	Required bool
	// List is the path in REST of the list that an edge to many leads to, below
	// the base, with {id} for the row's id: "/posts/{id}/comments". Empty where
	// there is none.
	List string
	// Through lifts To's policy for rows reached this way; Filter lets GraphQL filter by the edge.
	Through, Filter bool
	// Within is the column that is the same at both ends, empty where none has to be.
	Within string
	// Old is its name before.
	Old *Old
}

// From is the column of the id of the row that the edge leads from.
func (e *Edge) From() string { return cmp.Or(e.Key, "id") }

// Join is the table of an edge of many to many.
type Join struct{ Table, From, To string }

// Tree says that an edge leads over any number of steps of a foreign key, by
// which rows of the entity name the one above them: to all above a row, or to
// all below it (doc/schema/trees.md).
type Tree struct {
	// Column is the foreign key.
	Column string
	// Levels is how many there are at most.
	Levels int
	// Up is set where the edge leads to the rows above.
	Up bool
}
