package apiversion

import (
	"errors"
	"net/url"
	"strings"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/write"
)

// IDs are how the ids of rows are written.
type IDs uint8

// The ids.
const (
	Integers IDs = iota // 1
	Global              // "UG9zdDox": GraphQL's. Integers are read, too.
)

// Parse reads the id of a row of an entity in a body.
func (d IDs) Parse(of gid.Rows, value any) (gid.ID, error) {
	if d == Global {
		return of.Unmarshal(value)
	}
	return write.PlainID(of, value)
}

// Show is an id as clients read it.
func (d IDs) Show(entity string, id gid.ID) any {
	if d == Global && entity != "" {
		return id.Global(entity)
	}
	return id.Any()
}

// Segment is an id as a segment of a path.
func (d IDs) Segment(entity string, id gid.ID) string {
	if d == Global && entity != "" {
		return id.Global(entity)
	}
	if id.IsText() {
		return url.PathEscape(id.String())
	}
	return id.String()
}

// Plain is the integer that a segment of a path or a parameter stands for, as
// text. Text that is no id is returned unchanged, for others to refuse.
func (d IDs) Plain(entity, text string) string {
	if d == Global && entity != "" {
		if typ, id, err := gid.Decode(text); err == nil && typ == entity {
			return id.String()
		}
	}
	return text
}

// Path is the id that a segment of a path stands for, as text. An id of another form
// is an error, whose message has the form of an id in a path.
func (d IDs) Path(of gid.Rows, text string) (string, error) {
	if of.Form == gid.Numbers {
		plain := d.Plain(of.Type, text)
		if !canonical(plain) {
			return "", errors.New(d.wants())
		}
		return plain, nil
	}
	id, err := of.Form.Plain(text)
	if d == Global {
		id, err = of.Parse(text)
	}
	return id.String(), err
}

// canonical reports whether the text is an id as the service writes integers.
func canonical(text string) bool {
	const most = "9223372036854775807"
	return text != "" && text[0] != '0' && strings.Trim(text, "0123456789") == "" &&
		(len(text) < len(most) || len(text) == len(most) && text <= most)
}

// wants says what an integer in a path has to be.
func (d IDs) wants() string {
	const integer = "a whole number from 1 to 9223372036854775807, with neither sign nor leading zeros"
	if d == Global {
		return "must be an id of the resource, or " + integer
	}
	return "must be " + integer
}
