// Package body judges what the body of a request says of an entity, field by
// field: whether it is there, keeps to the rules, and may be set by the
// caller (doc/api/rest.md, doc/api/permissions.md).
//
// A [Form] collects what is wrong with all fields, so that a client is told at
// once. The generated package crud takes each field of a body through it, and
// writes what is left with Ent. The form leans on package reading for what it
// has to look up, and knows nothing of HTTP.
package body

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Field says what a client may do with a field of an entity.
type Field struct {
	*reading.Field
	// Required: a new row, and a replacement, must name it.
	Required bool
	// Writers are the roles that set it. Empty: all that may write the row.
	Writers []viewer.Role
	// Kept: a replacement does not change it.
	Kept bool
	// Secret values are not echoed in errors.
	Secret bool
}

// Form is one body on its way into one row.
type Form struct {
	viewer  *viewer.Viewer
	replace bool
	changed bool
	details []problem.Detail
	denied  []problem.Detail
	refs    []reference
	amounts []amount
}

// amount is how the body writes an amount of money.
type amount struct {
	field *Field
	text  json.Number
}

type reference struct {
	field *Field
	to    *reading.Entity
	id    int64
}

// New starts the form of a body that makes a row, or changes what it names of one.
func New(ctx context.Context) *Form { return &Form{viewer: viewer.From(ctx)} }

// Replacing starts the form of a body that replaces a row: what it does not
// name returns to its default.
func Replacing(ctx context.Context) *Form { return &Form{viewer: viewer.From(ctx), replace: true} }

// Viewer is who sent the body.
func (f *Form) Viewer() *viewer.Viewer { return f.viewer }

// Changed reports whether the body changes the row.
func (f *Form) Changed() bool { return f.changed }

// may reports whether the sender may set the field.
func (f *Form) may(field *Field) bool {
	return len(field.Writers) == 0 || f.viewer.System || f.viewer.Is(field.Writers...)
}

// invalid notes a value that is missing, unknown or of the wrong type.
func (f *Form) invalid(field *Field, value any, format string, args ...any) {
	f.note(field, problem.Invalidf(field.REST, value, format, args...))
}

// broken notes a value that breaks a rule.
func (f *Form) broken(field *Field, value any, format string, args ...any) {
	f.note(field, problem.Rulef(field.REST, value, format, args...))
}

func (f *Form) note(field *Field, d problem.Detail) {
	if field.Secret {
		d.Value, d.Echo = nil, false
	}
	for _, a := range f.amounts {
		if _, minor := d.Value.(int64); minor && a.field == field {
			d.Value = a.text // as it was sent, and not in minor units
		}
	}
	f.details = append(f.details, d)
}

// deny notes a value that the sender may not set.
func (f *Form) deny(field *Field) {
	f.denied = append(f.denied, problem.Detail{Field: field.REST, Message: "is not yours to set"})
}

// Add notes what others found wrong with the body.
func (f *Form) Add(details ...problem.Detail) { f.details = append(f.details, details...) }

// Refers notes that the field names a row, which must be there and readable.
func (f *Form) Refers(field *Field, to *reading.Entity, id int64) {
	f.refs = append(f.refs, reference{field, to, id})
}

// Readable tells whether the viewer can read a row: a *[reading.Reader].
type Readable interface {
	Readable(ctx context.Context, e *reading.Entity, id int64) (bool, error)
}

// Err returns everything that is wrong with the body: what the sender may not
// set first, then what is not valid.
func (f *Form) Err(ctx context.Context, rows Readable) error {
	if len(f.denied) > 0 {
		err := policy.Denied(f.viewer)
		if p := problem.As(err); p != nil && p.Kind == problem.Forbidden {
			return &problem.Error{Kind: p.Kind, Message: p.Message, Details: f.denied}
		}
		return err
	}
	for _, r := range f.refs {
		if f.failed(r.field) {
			continue
		}
		readable, err := rows.Readable(ctx, r.to, r.id)
		if err != nil {
			return err
		}
		if !readable {
			f.broken(r.field, r.id, "names no %s", r.to.Singular)
		}
	}
	return problem.Inputs(f.details...)
}

func (f *Form) failed(field *Field) bool {
	return slices.ContainsFunc(f.details, func(d problem.Detail) bool { return d.Field == field.REST })
}
