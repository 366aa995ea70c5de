package rest

import (
	"github.com/entwine-go/entwine/kit/gen/openapi"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/rest/handler"
)

// translating has bodies translated that are made by hand, where the version is
// another than theirs.
func (a *api) translating(x *handler.Exchange) {
	if x.Version.Plain {
		return
	}
	op := a.Operations[x.Operation]
	x.Translate = func(status int, body []byte) []byte { return x.Version.Answer(a.shapes, op, status, body) }
}

// retold gives what a handler by hand says of its input the version's names.
func (a *api) retold(x *handler.Exchange, err error) error {
	if op := a.Operations[x.Operation]; x.Version.Plain || op != nil && op.Declared {
		return err
	}
	return problem.Retold(err, func(d problem.Detail) problem.Detail {
		d.Field = x.Version.Word(d.Field)
		return d
	})
}

// knownIDs refuses ids in the path that are not written as the version writes them, and
// has the others as the database does. One row has one path with an integer: neither
// /notes/01 nor /notes/+1 is /notes/1. A text that can't be an id is a bad parameter
// like any other, and so is 400.
func (a *api) knownIDs(op *openapi.Operation, x *handler.Exchange) error {
	var details []problem.Detail
	for i, name := range op.IDs {
		text := x.PathValue(name)
		plain, err := x.Version.IDs.Path(x.Version.Rows(op.Of(i)), text)
		if err != nil {
			details = append(details, problem.Invalidf(x.Version.Word(name), text, "%v", err))
			continue
		}
		x.SetPathValue(name, plain)
	}
	return problem.Inputs(details...)
}
