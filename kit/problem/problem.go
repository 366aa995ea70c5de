// Package problem has the errors that a client may read, with their kinds. Each
// API maps a kind to its own status and code.
//
// An [Error] has a kind for the machine, a message for people and, for bad input,
// one detail for each failing field. The table of kinds has the status and code of
// each in both APIs: [Kind.Answer]. Any other error is internal: it reaches the
// log, never the wire.
package problem

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Detail is one failing input.
type Detail struct {
	// Field is the input's path, by the names that clients know: "email",
	// "users[1].email".
	Field string
	// Message describes the fault and the allowed values.
	Message string
	// Value is the value that was sent. Clients get it back only where Echo is set,
	// which it is not for secrets.
	Value any
	Echo  bool
	// Unprocessable is for a well-typed value that breaks a rule (422), as opposed to a
	// missing, unknown or ill-typed one (400).
	Unprocessable bool
}

// Error is an error whose message a client may read.
type Error struct {
	Kind    Kind     // decides the status and code of both APIs
	Message string   // what a client reads
	Details []Detail // what is wrong with which field, if that is known
	// Subject names the thing that was not found: "order_item". Empty where that is no
	// resource.
	Subject string
	// RetryAfter is how long the client should wait before it tries again, 0 where
	// waiting does not help. Retry-After has it in seconds.
	RetryAfter time.Duration
	// Err is the cause, for the log only.
	Err error
}

// Error returns the message with its cause, for the log.
func (e *Error) Error() string {
	if e.Err != nil {
		return e.Message + ": " + e.Err.Error()
	}
	return e.Message
}

// Seconds is RetryAfter in whole seconds, as clients read it: none of them comes too
// early.
func (e *Error) Seconds() int { return int((e.RetryAfter + time.Second - 1) / time.Second) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// New returns an error of the kind with the message of fmt.Sprintf, in which texts that
// %q writes are cut, as in [Invalidf]. Without args, format is the verbatim message: it
// may have a %.
func New(kind Kind, format string, args ...any) *Error {
	if len(args) == 0 {
		return &Error{Kind: kind, Message: format}
	}
	return &Error{Kind: kind, Message: message(format, args)}
}

// Wrap returns an error of the kind with a message for the client, as [New] makes
// it, and the cause err, which the log has and errors.Is and errors.As find.
func Wrap(err error, kind Kind, format string, args ...any) *Error {
	e := New(kind, format, args...)
	e.Err = err
	return e
}

// As returns the first Error in err's chain, or nil.
func As(err error) *Error {
	e, _ := errors.AsType[*Error](err)
	return e
}

// Retold returns a copy of the first Error in err's chain, with each detail
// converted by tell, or err itself without details. An operation names inputs by
// its own names, and each API converts them to the names that its clients use. It
// does not change err, and what err was wrapped in is not in the copy.
func Retold(err error, tell func(Detail) Detail) error {
	e := As(err)
	if e == nil || len(e.Details) == 0 {
		return err
	}
	told := *e
	told.Details = make([]Detail, len(e.Details))
	for i, d := range e.Details {
		told.Details[i] = tell(d)
	}
	return &told
}

// KindOf returns the kind of the first Error in err's chain, [Internal] if there is none.
func KindOf(err error) Kind {
	if e := As(err); e != nil {
		return e.Kind
	}
	return Internal
}

// Fault reports whether err is a failure of the service, or of something that it
// depends on, that the log should have as an error: one that is no [Error], one of
// the kind Internal, and one of the kinds BadGateway, Unavailable and GatewayTimeout
// that has a cause. Without a cause those are refusals on purpose, such as that of a
// request beyond the service's capacity.
func Fault(err error) bool {
	e := As(err)
	switch {
	case err == nil:
		return false
	case e == nil || e.Kind == Internal:
		return true
	}
	return e.Err != nil && (e.Kind == BadGateway || e.Kind == Unavailable || e.Kind == GatewayTimeout)
}

// Invalidf returns the detail of an input that is missing, unknown or of the wrong
// type, which is answered with 400. The message is that of fmt.Sprintf; a text that %q
// writes is one of the client's, of which 100 bytes are repeated. A value that is not nil
// is echoed to the client, texts of more than 500 bytes cut: secrets are passed as nil.
func Invalidf(field string, value any, format string, args ...any) Detail {
	return Detail{Field: short(field, longest), Message: message(format, args), Value: shortValue(value), Echo: value != nil}
}

// longest is how much of a text a client gets back, longestQuoted how much of one within
// a message, longestMessage how much of a message: it may list all that is allowed.
const (
	longest        = 500
	longestQuoted  = 100
	longestMessage = 4000
)

// message is that of fmt.Sprintf, cut where a client's text makes it long. The allowed
// values, which messages list after such a text, are not lost.
func message(format string, args []any) string {
	cut := args
	for i, arg := range args {
		if text, ok := arg.(string); ok && len(text) > longestQuoted {
			if &cut[0] == &args[0] {
				cut = slices.Clone(args)
			}
			cut[i] = quoted(text)
		}
	}
	return short(fmt.Sprintf(format, cut...), longestMessage)
}

// quoted is a text that is cut where %q writes it.
type quoted string

// Format writes the text.
func (q quoted) Format(s fmt.State, verb rune) {
	text := string(q)
	if verb == 'q' {
		text = short(text, longestQuoted)
	}
	_, _ = fmt.Fprintf(s, fmt.FormatString(s, verb), text)
}

// Cut cuts a message that other code has made of a client's text.
func Cut(message string) string { return short(message, longest) }

// short cuts a text that a client has sent, which may be as long as a body.
func short(text string, longest int) string {
	if len(text) <= longest {
		return text
	}
	return strings.ToValidUTF8(text[:longest], "") + "…"
}

func shortValue(value any) any {
	switch v := value.(type) {
	case string:
		return short(v, longest)
	case json.Number:
		return json.Number(short(string(v), longest))
	case json.RawMessage:
		if len(v) > longest {
			return short(string(v), longest)
		}
	case time.Time:
		if _, err := v.MarshalJSON(); err != nil { // a year that JSON has none of
			return v.Format(time.RFC3339Nano)
		}
	case []any:
		if text, err := json.Marshal(v); err == nil && len(text) > longest {
			return short(string(text), longest)
		}
	}
	return value
}

// Rulef is [Invalidf] for an input of the right type that breaks a rule, which is
// answered with 422.
func Rulef(field string, value any, format string, args ...any) Detail {
	d := Invalidf(field, value, format, args...)
	d.Unprocessable = true
	return d
}

// Inputs returns one error for all failing inputs, of the kind Unprocessable (422)
// where each has the right type, else Invalid (400): doc/api/errors.md. Without
// details it returns nil.
func Inputs(details ...Detail) error {
	if len(details) == 0 {
		return nil
	}
	kind := Unprocessable
	for _, d := range details {
		if !d.Unprocessable {
			kind = Invalid
		}
	}
	return &Error{Kind: kind, Message: InputInvalid, Details: details}
}

// InputInvalid is the message of errors that [Inputs] returns.
const InputInvalid = "the input is not valid"

// Messages that clients know (doc/api/errors.md).
var (
	// ErrAuthRequired answers a caller without credentials.
	ErrAuthRequired = New(Unauthenticated, "token required")
	// ErrForbidden answers a caller without the right to the operation.
	ErrForbidden = New(Forbidden, "you are not allowed to do this")
)
