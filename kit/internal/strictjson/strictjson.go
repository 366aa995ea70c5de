// Package strictjson refuses JSON that two readers could understand
// differently, or that a database would store differently than it was sent:
// duplicate names, trailing data, deep nesting, NUL, invalid UTF-8 and lone
// surrogates (RFC 8259 leaves all of these to the reader).
package strictjson

import (
	"fmt"
	"unicode/utf8"
)

// MaxDepth is how deep arrays and objects nest.
const MaxDepth = 32

// Check returns an error that says what is wrong with the text and where,
// or nil if it is one JSON value.
func Check(text []byte) error {
	s := scanner{text: text}
	return s.document()
}

type scanner struct {
	text []byte
	at   int
	// members are those of the outermost value, where that is an object and they are
	// asked for.
	members []Member
	listed  bool
}

// document passes the whole text.
func (s *scanner) document() error {
	if !utf8.Valid(s.text) {
		return fmt.Errorf("the text is not valid UTF-8")
	}
	s.space()
	if err := s.value(0); err != nil {
		return err
	}
	s.space()
	if s.at < len(s.text) {
		return s.unexpected("the end of the text")
	}
	return nil
}

func (s *scanner) errorf(format string, args ...any) error {
	return fmt.Errorf(format+" at byte %d", append(args, s.at)...)
}

func (s *scanner) unexpected(want string) error {
	if s.at >= len(s.text) {
		return fmt.Errorf("the text ends where %s is expected", want)
	}
	r, _ := utf8.DecodeRune(s.text[s.at:])
	return s.errorf("%q where %s is expected", r, want)
}

func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *scanner) space() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return
		}
	}
}

func (s *scanner) value(depth int) error {
	switch c := s.peek(); {
	case c == '{':
		return s.object(depth + 1)
	case c == '[':
		return s.array(depth + 1)
	case c == '"':
		_, _, err := s.string()
		return err
	case c == '-' || '0' <= c && c <= '9':
		return s.number()
	case c == 't':
		return s.word("true")
	case c == 'f':
		return s.word("false")
	case c == 'n':
		return s.word("null")
	}
	return s.unexpected("a value")
}

func (s *scanner) word(word string) error {
	end := s.at + len(word)
	if end > len(s.text) || string(s.text[s.at:end]) != word {
		return s.unexpected("a value")
	}
	s.at = end
	return nil
}

// few is the number of members up to which comparing beats hashing.
const few = 16

func (s *scanner) object(depth int) error {
	if depth > MaxDepth {
		return s.errorf("more than %d levels", MaxDepth)
	}
	s.at++
	s.space()
	if s.peek() == '}' {
		s.at++
		return nil
	}
	var seen names
	for {
		if s.peek() != '"' {
			return s.unexpected("a name")
		}
		name, escaped, err := s.string()
		if err != nil {
			return err
		}
		if escaped {
			name = []byte(`"` + unescaped(name[1:len(name)-1]) + `"`)
		}
		if !seen.add(name) {
			return fmt.Errorf("%s is there twice", name)
		}
		s.space()
		if s.peek() != ':' {
			return s.unexpected("a colon")
		}
		s.at++
		s.space()
		start := s.at
		if err := s.value(depth); err != nil {
			return err
		}
		if depth == 1 && s.listed {
			s.members = append(s.members, Member{Name: name[1 : len(name)-1], Value: s.text[start:s.at]})
		}
		if more, err := s.next('}'); err != nil || !more {
			return err
		}
	}
}

func (s *scanner) array(depth int) error {
	if depth > MaxDepth {
		return s.errorf("more than %d levels", MaxDepth)
	}
	s.at++
	s.space()
	if s.peek() == ']' {
		s.at++
		return nil
	}
	for {
		if err := s.value(depth); err != nil {
			return err
		}
		if more, err := s.next(']'); err != nil || !more {
			return err
		}
	}
}

// next passes a comma, or the end.
func (s *scanner) next(end byte) (more bool, err error) {
	s.space()
	switch s.peek() {
	case ',':
		s.at++
		s.space()
		return true, nil
	case end:
		s.at++
		return false, nil
	}
	return false, s.unexpected("a comma or " + string(end))
}

// string passes a string and returns it with its quotes, and whether there are
// escapes in it.
func (s *scanner) string() (quoted []byte, escaped bool, err error) {
	start := s.at
	s.at++
	for {
		s.plain()
		if s.at >= len(s.text) {
			return nil, false, s.unexpected("the end of a string")
		}
		switch c := s.text[s.at]; {
		case c == '"':
			s.at++
			return s.text[start:s.at], escaped, nil
		case c < ' ':
			return nil, false, s.errorf("a control character")
		case c == '\\':
			escaped = true
			if err := s.escape(); err != nil {
				return nil, false, err
			}
		}
	}
}

// plain passes what stands for itself in a string.
func (s *scanner) plain() {
	text, at := s.text, s.at
	for at < len(text) && text[at] != '"' && text[at] != '\\' && text[at] >= ' ' {
		at++
	}
	s.at = at
}

func (s *scanner) escape() error {
	s.at++
	switch s.peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.at++
		return nil
	case 'u':
		return s.unicode()
	}
	return s.unexpected("an escape")
}

func (s *scanner) unicode() error {
	r, ok := s.hex()
	switch {
	case !ok:
		return s.unexpected("four hexadecimal digits")
	case r == 0:
		return s.errorf("NUL")
	case 0xdc00 <= r && r <= 0xdfff:
		return s.errorf("a lone surrogate")
	case r < 0xd800 || r > 0xdbff:
		return nil
	}
	if s.peek() != '\\' {
		return s.errorf("a lone surrogate")
	}
	s.at++
	if s.peek() != 'u' {
		return s.errorf("a lone surrogate")
	}
	if r, ok = s.hex(); !ok || r < 0xdc00 || r > 0xdfff {
		return s.errorf("a lone surrogate")
	}
	return nil
}

// hex passes u and four digits.
func (s *scanner) hex() (r rune, ok bool) {
	s.at++
	for range 4 {
		c := s.peek()
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
		s.at++
	}
	return r, true
}

func (s *scanner) number() error {
	if s.peek() == '-' {
		s.at++
	}
	if s.peek() == '0' {
		s.at++
	} else if !s.digits() {
		return s.unexpected("a digit")
	}
	if s.peek() == '.' {
		s.at++
		if !s.digits() {
			return s.unexpected("a digit")
		}
	}
	if s.peek()|0x20 != 'e' {
		return nil
	}
	s.at++
	if c := s.peek(); c == '+' || c == '-' {
		s.at++
	}
	if !s.digits() {
		return s.unexpected("a digit")
	}
	return nil
}

func (s *scanner) digits() bool {
	start := s.at
	for '0' <= s.peek() && s.peek() <= '9' {
		s.at++
	}
	return s.at > start
}

// names are those of one object's members. The first few are kept in place: they
// need no memory of their own.
type names struct {
	first [few][]byte
	n     int
	set   map[string]bool
}

// add reports whether the name is new.
func (n *names) add(name []byte) bool {
	if n.set != nil {
		if n.set[string(name)] {
			return false
		}
		n.set[string(name)] = true
		return true
	}
	for _, other := range n.first[:n.n] {
		if string(other) == string(name) {
			return false
		}
	}
	if n.n < few {
		n.first[n.n] = name
		n.n++
		return true
	}
	n.set = make(map[string]bool, 2*few)
	for _, other := range n.first {
		n.set[string(other)] = true
	}
	n.set[string(name)] = true
	return true
}
