package write

import (
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// schemaNames are those of the schema itself.
var schemaNames = &API{
	Field:   func(f *entity.Field) string { return f.Name },
	ParseID: PlainID,
	ShowID:  func(_ string, id gid.ID) any { return id.Any() },
}

// Invalid lists what is wrong with the values of a new row, all at once, by the
// names of the schema: for activities that make rows by themselves. Values are
// as in [Input.Members]. Rows that they name are not looked for.
func (e *Entity) Invalid(values map[string]any) []problem.Detail {
	in := &Input{API: schemaNames, Members: values}
	f := &form{Entity: e, in: in, viewer: viewer.System(), making: true}
	f.begun()
	f.match()
	f.judgeNew()
	return f.bad
}
