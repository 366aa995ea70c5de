package body

import (
	"slices"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/runtime/reading"
)

// Given returns the value that the body gives a field of a new row, and
// whether it gives one that is to be written.
func Given[T any](f *Form, field *Field, sent Sent[T], check func(T) error) (value T, ok bool) {
	value, ok = sent.Get()
	if !ok {
		if field.Required && !sent.IsSet() && !f.failed(field) {
			f.invalid(field, nil, "is required")
		}
		return value, false
	}
	if !f.may(field) {
		f.deny(field)
		return value, false
	}
	return value, valid(f, field, value, check)
}

// GivenOr is [Given] for a field with a default, which every caller may name.
func GivenOr[T any](f *Form, field *Field, sent Sent[T], standard T, check func(T) error) (value T, ok bool) {
	if value, ok = sent.Get(); ok && same(value, standard) {
		return value, true
	}
	return Given(f, field, sent, check)
}

// valid reports whether the value keeps to the rules of the field, and notes
// it if not.
func valid[T any](f *Form, field *Field, value T, check func(T) error) bool {
	if f.failed(field) {
		return false
	}
	if text, ok := any(value).(string); ok && field.Kind == reading.Enum && !slices.Contains(field.Values, text) {
		f.broken(field, value, "must be one of %s", strings.Join(field.Values, ", "))
		return false
	}
	if t, ok := any(value).(time.Time); ok && (t.UTC().Year() < 1 || t.UTC().Year() > 9999) {
		f.broken(field, value, "must be in the years 1 to 9999")
		return false
	}
	if check == nil {
		return true
	}
	if err := check(value); err != nil {
		f.broken(field, value, "%v", err)
		return false
	}
	return true
}

// Owner returns the user whom the row will belong to: the sender, or whom the
// body names where the sender has one of the roles. fixed, where it is not 0,
// is the user whom the path names.
func Owner(f *Form, field *Field, sent Sent[int64], fixed int64, users *reading.Entity) (id int64, ok bool) {
	id, named := sent.Get()
	switch {
	case fixed != 0 && named && id != fixed:
		f.invalid(field, id, "must be %d, as in the path", fixed)
		return 0, false
	case fixed != 0:
		id = fixed
	case !named:
		id = f.viewer.UserID
	}
	switch {
	case id == 0:
		f.invalid(field, nil, "is required")
		return 0, false
	case id == f.viewer.UserID:
		return id, true
	case !f.viewer.System && !f.viewer.Is(field.Writers...):
		f.deny(field)
		return 0, false
	case fixed == 0:
		f.Refers(field, users, id)
	}
	return id, true
}

// Fixed returns the value that the path gives a field, which the body may repeat.
func Fixed(f *Form, field *Field, sent Sent[int64], fixed int64) int64 {
	if id, named := sent.Get(); named && id != fixed {
		f.invalid(field, id, "must be %d, as in the path", fixed)
	}
	return fixed
}
