package expose

import (
	"errors"
	"strings"
	"unicode"

	"entgo.io/ent/schema"
)

// LineFormat is the format of texts of one line in the OpenAPI document.
const LineFormat = "line"

// Line bounds a text to one line that can stand anywhere another text can:
// see [ValidLine]. An empty text is a matter of [Length].
func Line[B interface {
	Validate(func(string) error) B
	Annotations(...schema.Annotation) B
}](b B) B {
	return b.Validate(ValidLine).Annotations(Field{Format: LineFormat})
}

// The faults of a text that is to be one line.
var (
	errControl   = errors.New("must be one line, without control characters")
	errDirection = errors.New("must have no characters that override the direction of text")
	errBlank     = errors.New("must not be blank")
)

// ValidLine returns an error unless s is one line of text: without control
// characters and line separators, without characters that override, embed or
// isolate the direction of text (UAX #9, 2.1 to 2.5), by which one text changes
// how its neighbours read, and, where it is not empty, with something to see.
func ValidLine(s string) error {
	seen := s == ""
	for _, r := range s {
		switch {
		case breaks(r):
			return errControl
		case unicode.Is(directions, r):
			return errDirection
		case visible(r):
			seen = true
		}
	}
	if !seen {
		return errBlank
	}
	return nil
}

// CleanLine returns s as one line: characters that a line can't have become a
// space or are left out, and there is no space around it. It is for texts of other
// systems, which no user can correct. A blank text becomes empty.
func CleanLine(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), r == '\u2028', r == '\u2029':
			return ' '
		case breaks(r), unicode.Is(directions, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	if s = strings.TrimSpace(s); ValidLine(s) != nil {
		return ""
	}
	return s
}

// breaks reports whether a character is a control character or ends a line.
func breaks(r rune) bool { return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp) }

// directions are the characters that embed, override and isolate directions.
// Marks (LRM, RLM, ALM), which right-to-left text needs, only stand for a
// letter of their direction.
var directions = &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0x202a, Hi: 0x202e, Stride: 1}, {Lo: 0x2066, Hi: 0x2069, Stride: 1}}}

// fillers are letters and symbols that look like a space.
var fillers = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x115f, Hi: 0x1160, Stride: 1}, {Lo: 0x2800, Hi: 0x2800, Stride: 1}, {Lo: 0x3164, Hi: 0x3164, Stride: 1}, {Lo: 0xffa0, Hi: 0xffa0, Stride: 1},
}}

// visible reports whether there is something to see of a character by itself.
func visible(r rune) bool {
	return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) && !unicode.Is(fillers, r)
}
