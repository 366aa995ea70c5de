// Package write writes entities for both APIs: creates, updates, replacements,
// deletes, restores, and the actions that schemas declare.
//
// It is one package because all kinds of writes share the order of refusal, the form
// that decodes and judges an input, and the explanation of a write that touched no
// row.
//
// An API names what a caller sends as an [Input]; an [Engine] judges it, writes by
// the schema, whose policies and hooks hold (package mutation), and says why
// nothing was written. The order of refusal is the same everywhere: callers who
// are not signed in (401), callers without the right for any row (403), all faults
// of the input together (400, 422), a repetition by its key, the row (404, 403),
// its version (412), its state (409). See doc/api/errors.md.
//
// The generated package rows describes the entities that can be written. The
// package knows no API: a name that a client reads comes from an [API].
package write

import (
	"context"
	"errors"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
)

// Engine writes for the viewer of the context. DB, Reader and Entities are required.
type Engine struct {
	DB       *store.DB
	Reader   *read.Reader
	Entities []*Entity
	// Around are the activities' hooks around writes, by the entity's name.
	Around map[string]*Around
	// Judges judge inputs of actions as a whole, by the entity's name and the verb:
	// "Email.send".
	Judges map[string]Judge
	// Crowds name the row that an action in a transaction locks and that many lock at a time, by the
	// entity's name and the verb: those who name the same one share transactions
	// ([store.DB.TogetherInTx]). No other row that is locked may be one of another
	// crowd. Empty: the action has a transaction of its own.
	Crowds map[string]func(Values) string
	// Methods are those behind actions: what [Action.Run] and [Entity.Making] are
	// called with. Without any these fail, and change nothing.
	Methods any
}

// errNoMethods is the error of what only a method can do, in an engine without any.
var errNoMethods = errors.New("the engine has no methods")

// Unmet are the actions that nothing does, as "Task.announce": those of methods, in an
// engine without any.
func (e *Engine) Unmet() (names []string) {
	if e.Methods != nil {
		return nil
	}
	for _, entity := range e.Entities {
		if entity.Making != nil {
			names = append(names, entity.Name+".create")
		}
		for _, a := range entity.Actions {
			if a.Run != nil {
				names = append(names, entity.Name+"."+a.Verb)
			}
		}
	}
	return names
}

// Call is one write.
type Call struct {
	Entity *Entity
	// ID is the row's, zero for a new one.
	ID     gid.ID
	Input  Input
	Expect Expect
	// Fixed is a column that the path gives: a value of a new row, and a condition
	// on one that is there.
	Fixed Fixed
	// Read, if there is one, is called with the row in the transaction of the
	// write, to answer with it.
	Read func(context.Context, Row) error
	// Above, if it is set, judges the row above, which Fixed names, before the input
	// is judged. It is not asked where the statement that makes the row asks the same.
	Above func(context.Context) error
	// Show, if there is one, makes [Engine.Create] read the row in the statement that
	// inserts it, where it can, instead of Read.
	Show *Show
	// ReadAll is Read for many rows.
	ReadAll func(context.Context, []Outcome) error
}

// Fixed is a column that holds the id of another row, by the name that its field
// has in the schema. The zero value is none.
type Fixed struct {
	Field string
	ID    gid.ID
}

// of returns the id that the field has, if it is this one.
func (x Fixed) of(field string) (gid.ID, bool) { return x.ID, x.Field == field && field != "" }

// Expect is the state in which the row is expected to be: 412 in any other.
type Expect struct {
	// Versions are those that it may have. Empty: any.
	Versions []int64
	// Absent: no row is expected (If-None-Match: *).
	Absent bool
	// Check adds conditions to those of versions. It runs in the transaction of the
	// write, with the row locked.
	Check func(context.Context) error
}

// Row is a row that was written.
type Row struct {
	ID gid.ID
	// Key stands for the id in the row's path, where it is not empty.
	Key string
	// Found is set where a create found the row that it was to make.
	Found bool
	// Made is set for a new row.
	Made bool
}

// Outcome is the result for one of many rows.
type Outcome struct {
	Row Row
	Err error
}

// Around is an activity's hook around the creates, updates and deletes of an entity.
type Around struct {
	// When says which creates and updates it has to do with. Nil: all.
	When func(*Change) bool
	// Prepare does what takes long, in no transaction of the engine's: the input
	// has been judged by then. Nil: nothing.
	Prepare func(context.Context, *Change) (prepared any, err error)
	// Write calls write, which makes or changes the row, in a transaction with
	// whatever else it does. It may run more than once. Nil: write is called.
	Write func(ctx context.Context, c *Change, prepared any, write func(context.Context) (Row, error)) (Row, error)
	// Delete calls remove, which deletes the row or says why it can't be deleted, in a
	// transaction with whatever else Delete does: an error of either undoes both. It is
	// called for each row of many, and may run more than once. It is not
	// called for rows that a foreign key removes along with another. Nil: remove is called.
	Delete func(ctx context.Context, c *Change, remove func(context.Context) error) error
}

// Change describes a write to an [Around].
type Change struct {
	// Verb is its verb in the policy: "create" or "update", "delete", or "remove" where
	// deleted rows stay and this one does not.
	Verb string
	// ID is the row's, zero for a new one.
	ID gid.ID
	// Values are the input, judged, by the names of the schema. Null is nil. A delete has
	// none.
	Values Values
}

// Values are inputs that have been judged, by the names of the schema, in the
// types of [Field.Check].
type Values map[string]any
