package strictjson

import (
	"bytes"
	"strings"
	"unicode/utf16"
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
	s := scanner{text: text, members: to, listed: true}
	err := s.document()
	return s.members, err
}

// Text returns what a string says, and false for any other value. The value must be
// one that was checked.
func Text(value []byte) (string, bool) {
	if len(value) == 0 || value[0] != '"' {
		return "", false
	}
	return unescaped(value[1 : len(value)-1]), true
}

// IsObject reports whether a value that was checked is an object.
func IsObject(value []byte) bool { return len(value) > 0 && value[0] == '{' }

// IsNull reports whether a value that was checked is null.
func IsNull(value []byte) bool { return len(value) > 0 && value[0] == 'n' }

// unescaped resolves the escapes in a string without its quotes. They are right: the
// text was checked.
func unescaped(text []byte) string {
	next := bytes.IndexByte(text, '\\')
	if next < 0 {
		return string(text)
	}
	var b strings.Builder
	b.Grow(len(text))
	for ; next >= 0; next = bytes.IndexByte(text, '\\') {
		b.Write(text[:next])
		if text = text[next+1:]; text[0] == 'u' {
			text = hexadecimal(&b, text)
			continue
		}
		b.WriteByte(escaped(text[0]))
		text = text[1:]
	}
	b.Write(text)
	return b.String()
}

// hexadecimal writes the character whose escape the text begins with, behind its
// backslash, and returns the text behind that.
func hexadecimal(b *strings.Builder, text []byte) []byte {
	s := scanner{text: text}
	r, _ := s.hex()
	if utf16.IsSurrogate(r) {
		s.at++ // the backslash of the second half
		low, _ := s.hex()
		r = utf16.DecodeRune(r, low)
	}
	b.WriteRune(r)
	return text[s.at:]
}

// escaped is the character that the letter behind a backslash stands for.
func escaped(letter byte) byte {
	switch letter {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return letter
}
