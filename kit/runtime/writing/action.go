package writing

import (
	"context"
	"errors"
)

// Action is a verb of an entity that its schema declares.
type Action struct {
	// Verb is what the policy calls it.
	Verb string
	// Input are the fields of its input.
	Input []*Field
	// Run does what columns alone can't say, nil where the declaration says all.
	Run func(ctx context.Context, id int64, in Values) (Result, error)
}

// Result is what an action answers with.
type Result struct {
	// Row is the row to answer with.
	Row Row
	// Pending: it is not decided yet, to be asked again (202 with Retry-After).
	Pending bool
	// Job is the id of the job that does it (202 with Location).
	Job int64
	// Members are answered with in the place of a row: a struct with tags for JSON.
	Members any
	// Once are members that are shown this once: secrets.
	Once map[string]string
	// File is answered with in the place of JSON.
	File *File
}

// File is a document that an action answers with.
type File struct {
	Name, Media string
	Content     []byte
}

// errUnbuilt is what actions answer until they are built.
var errUnbuilt = errors.New("writing: actions are not built yet")

// Act carries out an action.
func (e *Engine) Act(ctx context.Context, c Call, a *Action) (Result, error) {
	return Result{}, errUnbuilt
}
