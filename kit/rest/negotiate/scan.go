package negotiate

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// scanner walks JSON. It is for what the service wrote itself, so it looks for
// where values end and not for what is wrong with them.
type scanner struct {
	text []byte
	at   int
}

// next skips white space and returns the byte that stands there, 0 at the end.
func (s *scanner) next() byte {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return c
		}
	}
	return 0
}

// open passes the bracket of an object or array.
func (s *scanner) open() { s.at++ }

// more reports whether there is another member before the closing bracket,
// and passes the comma before it, or the bracket.
func (s *scanner) more() bool {
	switch s.next() {
	case ',':
		s.at++
		s.next()
		return true
	case '}', ']':
		s.at++
		return false
	case 0:
		return false
	}
	return true
}

// name passes a member's name and its colon, and returns it without quotes.
// The names of the service's members have no escapes.
func (s *scanner) name() []byte {
	s.next()
	s.at++
	start := s.at
	length := bytes.IndexByte(s.text[min(start, len(s.text)):], '"')
	if length < 0 {
		s.at = len(s.text)
		return nil
	}
	s.at += length + 1
	s.next()
	s.at++ // the colon
	return s.text[start : start+length]
}

// value passes a value and returns its text.
func (s *scanner) value() []byte {
	start := s.at
	switch s.next() {
	case '"':
		s.skipString()
	case '{', '[':
		s.skipNested()
	default:
		for s.at < len(s.text) && !ends[s.text[s.at]] {
			s.at++
		}
	}
	return s.text[start:s.at]
}

// ends are the bytes behind a number or a word.
var ends = [256]bool{',': true, '}': true, ']': true, ':': true, ' ': true, '\t': true, '\r': true, '\n': true}

func (s *scanner) skipString() {
	for s.at++; s.at < len(s.text); s.at++ {
		length := bytes.IndexByte(s.text[s.at:], '"')
		if length < 0 {
			break
		}
		s.at += length
		slashes := 0
		for s.text[s.at-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			s.at++
			return
		}
	}
	s.at = len(s.text)
}

func (s *scanner) skipNested() {
	depth := 0
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case '"':
			s.skipString()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		s.at++
		if depth == 0 {
			return
		}
	}
}

// unescape returns the character that an escape stands for, and the text after
// it. The text begins behind the backslash.
func unescape(text []byte) (rune, []byte) {
	if len(text) == 0 {
		return utf8.RuneError, nil
	}
	c, rest := text[0], text[1:]
	switch c {
	case 'b':
		return '\b', rest
	case 'f':
		return '\f', rest
	case 'n':
		return '\n', rest
	case 'r':
		return '\r', rest
	case 't':
		return '\t', rest
	case 'u':
		r, rest := hex(rest)
		if utf16.IsSurrogate(r) && len(rest) >= 6 && rest[0] == '\\' && rest[1] == 'u' {
			low, after := hex(rest[2:])
			return utf16.DecodeRune(r, low), after
		}
		return r, rest
	}
	return rune(c), rest
}

func hex(text []byte) (rune, []byte) {
	if len(text) < 4 {
		return utf8.RuneError, nil
	}
	var r rune
	for _, c := range text[:4] {
		switch {
		case c <= '9':
			r = r<<4 | rune(c-'0')
		default:
			r = r<<4 | rune(c|0x20-'a'+10)
		}
	}
	return r, text[4:]
}
