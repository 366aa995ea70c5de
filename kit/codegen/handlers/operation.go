package handlers

import (
	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
)

// operation is an operation as the table has it.
type operation struct{ *model.Call }

// Row is the parameter of the path that names the row, empty where none does.
func (c operation) Row() string {
	if c.Nested() {
		return c.ID2
	}
	return c.ID1
}

// OpName is the constant of what the operation does.
func (c operation) OpName() string { return naming.Pascal(string(c.Op)) }

// Open reports whether the parent is reached through what is read below it:
// a caller who reads such a row reads its parent, too (expose.Through).
func (c operation) Open() bool {
	if !c.Nested() || c.Write() || c.Single {
		return false
	}
	back := c.Back()
	return back != nil && back.Through
}
