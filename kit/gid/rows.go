package gid

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
)

// Form is the form of an entity's ids. The zero Form is Numbers.
type Form uint8

// The forms.
const (
	Numbers Form = iota // whole numbers from 1
	Texts               // texts that [TextError] has nothing against
	UUIDs               // UUIDs as RFC 9562 writes them, in lower case
)

// LongestText is how many bytes an id has at most that is a text.
const LongestText = 255

// Rows are the rows of an entity: its GraphQL type, and what their ids are.
type Rows struct {
	Type string
	Form Form
}

// Plain is the id that the text is as paths and parameters have it.
func (f Form) Plain(text string) (ID, error) {
	switch f {
	case Texts:
		if err := TextError(text); err != nil {
			return ID{}, err
		}
		return Text(text), nil
	case UUIDs:
		id, err := uuid.Parse(text)
		if err != nil || len(text) != len(id.String()) || id == uuid.Nil {
			return ID{}, errUUID
		}
		return Text(id.String()), nil
	}
	id, err := strconv.ParseInt(text, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return ID{}, errRange
	case err != nil:
		return ID{}, errNumber
	}
	return Int(id), nil
}

// Nowhere is an id of the form that no row has.
func (f Form) Nowhere() ID {
	switch f {
	case Texts:
		return Text(".")
	case UUIDs:
		return Text(uuid.Nil.String())
	}
	return Int(-1)
}

var (
	errNumber = errors.New("must be a whole number")
	errRange  = errors.New("must fit in 64 bits")
	errUUID   = errors.New("must be a UUID such as 0191f6ae-7e3c-7b5a-9c1e-2f8d4b6a0c3d")
	errText   = fmt.Errorf("must be 1 to %d bytes of text without control characters, slashes and commas, and not only one or two dots", LongestText)
)

// TextError is the error of a text that can't be an id: an id has to fit into a segment
// of a path and into a list with commas.
func TextError(text string) error {
	if text == "" || len(text) > LongestText || text == "." || text == ".." || !utf8.ValidString(text) ||
		strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) || r == '/' || r == '\\' || r == ',' }) {
		return errText
	}
	return nil
}

// IsGlobal reports whether the text is a global id of the type. No id that is a text is
// one, so that a client that sends either means one row.
func (r Rows) IsGlobal(text string) bool {
	typ, _, err := split(text)
	return err == nil && typ == r.Type
}

// Parse returns the id in s, which is a global id of the type or the id itself: an
// integer with neither sign nor leading zeros, a text, or a UUID.
func (r Rows) Parse(s string) (ID, error) {
	if r.Form == Numbers {
		return Parse(r.Type, s)
	}
	typ, plain, err := split(s)
	if err == nil && typ == r.Type {
		return r.Form.Plain(plain)
	}
	id, bad := r.Form.Plain(s)
	switch {
	case bad == nil:
		return id, nil
	case err == nil:
		return ID{}, fmt.Errorf("%q is the id of %s, not of %s", s, An(typ), An(r.Type))
	}
	return ID{}, fmt.Errorf("%q is not the id of %s", s, An(r.Type))
}

// Of converts an id for these rows that was decoded from a global id before the entity
// was known: see [Decode].
func (r Rows) Of(id ID) (ID, error) {
	if r.Form == Numbers {
		if id.IsText() {
			return ID{}, fmt.Errorf("%q is not the id of %s", id, An(r.Type))
		}
		return id, nil
	}
	return r.Form.Plain(id.String())
}

// Unmarshal returns the id in a GraphQL input: a global id of the type or the id itself,
// of numbers as text or as a number.
func (r Rows) Unmarshal(input any) (ID, error) {
	if r.Form == Numbers {
		return Unmarshal(r.Type, input)
	}
	switch v := input.(type) {
	case nil:
		return ID{}, errors.New("cannot be null")
	case string:
		return r.Parse(v)
	case fmt.Stringer:
		if _, number := input.(json.Number); !number {
			return r.Parse(v.String())
		}
	}
	return ID{}, fmt.Errorf("must be the id of %s, as text", An(r.Type))
}

// split takes a global id apart.
func split(global string) (typ, plain string, err error) {
	const most = 4 * (LongestText + 100) / 3 // of names and ids in base64
	if len(global) > most {
		return "", "", fmt.Errorf("a text of %d bytes is not a global id", len(global))
	}
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(global, "="))
	if err != nil {
		return "", "", fmt.Errorf("%q is not a global id", global)
	}
	typ, plain, ok := strings.Cut(string(raw), ":")
	if !ok || typ == "" || plain == "" {
		return "", "", fmt.Errorf("%q is not a global id", global)
	}
	return typ, plain, nil
}
