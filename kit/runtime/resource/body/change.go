package body

// Same notes a field that cannot be changed and is sent with another value
// than the row's.
func Same[T any](f *Form, field *Field, sent Sent[T], current T) {
	value, ok := sent.Get()
	if !sent.IsSet() || ok && same(value, current) && field.Visible(f.viewer) {
		return
	}
	f.invalid(field, echo(value, ok), "cannot be changed")
}

// SameOrNull is [Same] for a field that can be null.
func SameOrNull[T any](f *Form, field *Field, sent Sent[T], current *T) {
	value, ok := sent.Get()
	if !sent.IsSet() || equal(value, ok, current) && field.Visible(f.viewer) {
		return
	}
	f.invalid(field, echo(value, ok), "cannot be changed")
}

// Change returns the value that the body gives a field of the row, and
// whether it is another one than the row's.
func Change[T any](f *Form, field *Field, sent Sent[T], current T, check func(T) error) (value T, ok bool) {
	value, ok = sent.Get()
	if !ok {
		if field.Required && f.replace && !sent.IsSet() && !f.failed(field) {
			f.invalid(field, nil, "is required")
		}
		return value, false
	}
	if same(value, current) && field.Visible(f.viewer) || !f.settable(field, value) {
		return value, false
	}
	ok = valid(f, field, value, check)
	f.changed = f.changed || ok
	return value, ok
}

// ChangeOr is [Change] for a field with a default, which it returns to when a
// replacement does not name it.
func ChangeOr[T any](f *Form, field *Field, sent Sent[T], current, standard T, check func(T) error) (value T, ok bool) {
	if f.replace && !sent.IsSet() && !field.Kept && f.may(field) {
		sent = Value[T]{value: standard, set: true}
	}
	return Change(f, field, sent, current, check)
}

// ChangeOrNull is [Change] for a field that can be null: what the body says is
// the value, or nil. A replacement that does not name it makes it null.
func ChangeOrNull[T any](f *Form, field *Field, sent Sent[T], current *T, check func(T) error) (value *T, ok bool) {
	given, present := sent.Get()
	if !sent.IsSet() && (!f.replace || field.Kept || !f.may(field)) {
		return nil, false
	}
	if equal(given, present, current) && field.Visible(f.viewer) || !f.settable(field, echo(given, present)) {
		return nil, false
	}
	if !present {
		f.changed = true
		return nil, true
	}
	ok = valid(f, field, given, check)
	f.changed = f.changed || ok
	return &given, ok
}

// settable reports whether the body may change the field, and notes it if not.
func (f *Form) settable(field *Field, value any) bool {
	switch {
	case !f.may(field):
		f.deny(field)
	case f.replace && field.Kept:
		f.invalid(field, value, "is not changed by PUT")
	default:
		return true
	}
	return false
}

// equal compares what was sent (null where it is not present) with the row's value.
func equal[T any](value T, present bool, current *T) bool {
	if current == nil || !present {
		return current == nil && !present
	}
	return same(value, *current)
}

// echo is the value for an error, nil where it was null.
func echo[T any](value T, present bool) any {
	if !present {
		return nil
	}
	return value
}
