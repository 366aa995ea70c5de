package apiversion

import (
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/write"
)

// IDs are how the ids of rows are written.
type IDs uint8

// The ids.
const (
	Integers IDs = iota // 1
	Global              // "UG9zdDox": GraphQL's. Integers are read, too.
)

// Parse reads the id of a row of the entity (its GraphQL type) in a body.
func (d IDs) Parse(entity string, value any) (gid.ID, error) {
	if d == Global {
		return gid.Unmarshal(entity, value)
	}
	return write.PlainID(entity, value)
}

// Show is an id as clients read it.
func (d IDs) Show(entity string, id gid.ID) any {
	if d == Global && entity != "" {
		return id.Global(entity)
	}
	return id.Any()
}

// Segment is an id as a segment of a path.
func (d IDs) Segment(entity string, id gid.ID) string {
	if d == Global && entity != "" {
		return id.Global(entity)
	}
	return id.String()
}

// Plain is the integer that a segment of a path or a parameter stands for, as
// text. Text that is no id is returned unchanged, for others to refuse.
func (d IDs) Plain(entity, text string) string {
	if d == Global && entity != "" {
		if typ, id, err := gid.Decode(text); err == nil && typ == entity {
			return id.String()
		}
	}
	return text
}

// Wants says what an id in a path has to be.
func (d IDs) Wants() string {
	const integer = "a whole number from 1 to 9223372036854775807, with neither sign nor leading zeros"
	if d == Global {
		return "must be an id of the resource, or " + integer
	}
	return "must be " + integer
}
