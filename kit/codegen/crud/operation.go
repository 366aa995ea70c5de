package crud

import (
	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/expose"
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
func (c operation) OpName() string {
	if name := beside[c.Op]; name != "" {
		return "crud." + name
	}
	return "expose." + naming.Pascal(string(c.Op))
}

// beside are the constants of package crud.
var beside = map[expose.Operation]string{
	model.Act: "Act", model.Restore: "Restore", model.DoMark: "Mark", model.UndoMark: "Unmark",
	model.CreateMany: "CreateMany", model.UpdateMany: "UpdateMany", model.DeleteMany: "DeleteMany", model.ActMany: "ActMany",
}

// Does is the verb of an action, of many rows too, or of a mark, empty for other operations.
func (c operation) Does() string {
	switch {
	case c.Action != nil:
		return c.Action.Verb
	case c.Mark != nil:
		return c.Mark.Verb
	case c.Bulk != nil:
		return c.Bulk.Verb
	}
	return ""
}
