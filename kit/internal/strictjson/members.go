package strictjson

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Member is a member of an object.
type Member struct {
	// Name is without quotes and escapes.
	Name []byte
	// Value is the text of the value, without space around it.
	Value []byte
}

// Members is [Check], and in the same pass appends the members of the text, if that
// is an object. Their slices are parts of the text.
func Members(to []Member, text []byte) ([]Member, error) {
	err := parse(text, func(d *jsontext.Decoder) error {
		if d.PeekKind() != jsontext.KindBeginObject {
			_, err := d.ReadValue()
			return err
		}
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		for d.PeekKind() != jsontext.KindEndObject {
			name, err := d.ReadValue()
			if err != nil {
				return err
			}
			if name, err = unquoted(name); err != nil {
				return err
			}
			value, err := d.ReadValue()
			if err != nil {
				return err
			}
			to = append(to, Member{Name: name, Value: value})
		}
		_, err := d.ReadToken()
		return err
	})
	return to, err
}

// Text returns what a string says, and false for any other value. The value must be
// one that was checked.
func Text(value []byte) (string, bool) {
	if len(value) == 0 || value[0] != '"' {
		return "", false
	}
	text, err := unquoted(value)
	return string(text), err == nil
}

// IsObject reports whether a value that was checked is an object.
func IsObject(value []byte) bool { return len(value) > 0 && value[0] == '{' }

// IsNull reports whether a value that was checked is null.
func IsNull(value []byte) bool { return len(value) > 0 && value[0] == 'n' }

// unquoted is a string's value: a part of the string where it has no escapes.
func unquoted(quoted []byte) ([]byte, error) {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1], nil
	}
	return jsontext.AppendUnquote(make([]byte, 0, len(quoted)), quoted)
}
