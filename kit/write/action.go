package write

import (
	"context"
	"errors"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
)

// Action is a verb of an entity that its schema declares.
type Action struct {
	expose.Action
	// Input are the fields of its input.
	Input []*Field
	// Condition says for which rows it is possible, for any viewer: it is folded,
	// and speaks of columns only.
	Condition policy.Rule
	// Offered is the rule for the rows that show it among their actions, in the
	// same form.
	Offered policy.Rule
	// To is the state that it sets by itself, empty for none.
	To string
	// Run calls the method that does what columns alone can't say, nil where the
	// declaration says all. Methods are [Engine.Methods].
	Run func(ctx context.Context, methods any, id gid.ID, in Values) (Result, error)
}

// Action returns the action with the verb, or nil.
func (e *Entity) Action(verb string) *Action {
	for _, a := range e.Actions {
		if a.Verb == verb {
			return a
		}
	}
	return nil
}

// State is the field of an entity whose moves are declared.
type State struct {
	*entity.Field
	Moves []expose.Move
	// Busy are the states in which something is under way.
	Busy []string
}

// Mark is a flag that a user sets on a row and takes back.
type Mark struct {
	expose.Mark
	// Of is the entity whose rows are the marks, To its field with the row that is
	// marked, and By the one with the user; Count is the row's, of how many there are.
	Of     *Entity
	To, By *Field
	Count  *entity.Field
}

// ErrMoved is the error of an action's method that finds its row in another state
// than the engine did. The engine reads the row again, and answers with the reason
// why nothing was done.
var ErrMoved = errors.New("the row has changed meanwhile")

// MovedError is [ErrMoved] about a row that need not be the action's own: the
// order, where a payment is made for one. Verb is the refused verb.
type MovedError struct {
	Entity *Entity
	ID     gid.ID
	Verb   string
}

// Error implements error.
func (*MovedError) Error() string { return ErrMoved.Error() }

// Is has it count as [ErrMoved].
func (*MovedError) Is(other error) bool { return other == ErrMoved }

// Result is the answer of an action.
type Result struct {
	// Row is the row to answer with: the one that the action was about, without an id.
	Row Row
	// Pending: it is not decided yet, to be asked again (202 with Retry-After).
	Pending bool
	// Job is the id of the job that does it (202 with Location).
	Job int64
	// Members are answered with in the place of a row: a struct with tags for JSON.
	Members any
	// File is answered with in the place of JSON.
	File *File

	once Once
}

// Once are members by name that are shown this once: secrets.
type Once map[string]string

// Once are the values that the answer shows once beside the row: the method's result,
// in the type that is generated from Answer.Once of the action.
func (r Result) Once() Once { return r.once }

// File is a document that an action answers with.
type File struct {
	Name, Media string
	Content     []byte
}
