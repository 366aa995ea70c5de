package plan

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/internal/graph/variables"
)

// operand is the value in a filter that the field is compared with.
func (c condition) operand(value any) (any, error) {
	switch c.field.Kind {
	case entity.ID, entity.Ref, entity.TextID, entity.TextRef, entity.UUIDID, entity.UUIDRef:
		id, err := gid.Rows{Type: c.ids, Form: c.field.Kind.IDs()}.Unmarshal(value)
		return id.Any(), err
	case entity.Int:
		n, ok := variables.Whole(value)
		if !ok {
			return nil, errors.New("must be a whole number")
		}
		return n, nil
	case entity.Bool:
		b, ok := value.(bool)
		if !ok {
			return nil, errors.New("must be true or false")
		}
		return b, nil
	}
	text, ok := literal(value)
	if !ok || !Storable(text) {
		return nil, errors.New("must be valid UTF-8 without NUL")
	}
	return c.field.Parse(text)
}

// Storable reports whether both databases take the text.
func Storable(text string) bool { return utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 }

// literal is a text or a number as text.
func literal(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	case int64:
		return strconv.FormatInt(v, 10), true
	case int:
		return strconv.Itoa(v), true
	}
	return "", false
}
