package handlers

import (
	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
)

// operation is an operation as its handler speaks of it in Go.
type operation struct{ *model.Call }

// Param1 is the first id in the path.
func (c operation) Param1() string { return "params." + naming.Pascal(c.ID1) }

// Param2 is the second id.
func (c operation) Param2() string { return "params." + naming.Pascal(c.ID2) }

// ParentID is the parent's id: from the path, or looked up by what stands for it there.
func (c operation) ParentID() string {
	if c.Parent.KeyField != nil {
		return "int64(parent)"
	}
	return c.Param1()
}

// RowID is the row's id: from the path, or looked up by what stands for it there.
func (c operation) RowID() string {
	if c.Entity.KeyField != nil {
		return "int64(id)"
	}
	return c.Param1()
}

// Scope is the filter of the rows below the parent.
func (c operation) Scope() string {
	if key := c.ParentKey(); key != nil {
		return `reading.Column{Name: "` + key.StorageKey() + `", ID: ` + c.ParentID() + `}`
	}
	return `reading.Has{Edge: entity.` + c.Entity.Name + `.Edge("` + c.Back().Name + `"), Filter: reading.ByID(entity.` + c.Parent.Name + `, ` + c.ParentID() + `)}`
}

// Form starts the judgement of the body.
func (c operation) Form() string {
	if c.Op == expose.Replace {
		return "body.Replacing(ctx)"
	}
	return "body.New(ctx)"
}

// Tabled reports whether the operation is answered by package declared: reads are.
func (c operation) Tabled() bool { return !c.Write() }

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
