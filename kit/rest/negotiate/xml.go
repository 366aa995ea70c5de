package negotiate

import "unicode/utf8"

const (
	xmlStart = `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<response xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">`
	xmlEnd   = "</response>\n"
)

// AppendXML appends a JSON body as XML. Members are elements of their names,
// elements of arrays are called item, null is xsi:nil. A member whose name
// cannot be an element's is <member name="…">.
func AppendXML(dst, body []byte) []byte {
	s := scanner{text: body}
	dst = append(dst, xmlStart...)
	switch s.next() {
	case '{', '[':
		dst = xmlNested(dst, &s)
	default:
		dst = xmlScalar(dst, s.value())
	}
	return append(dst, xmlEnd...)
}

// xmlNested appends what is in an object or array.
func xmlNested(dst []byte, s *scanner) []byte {
	object := s.text[s.at] == '{'
	s.open()
	for s.more() {
		name := itemName
		if object {
			name = s.name()
		}
		dst = xmlElement(dst, s, name)
	}
	return dst
}

var itemName = []byte("item")

func xmlElement(dst []byte, s *scanner, name []byte) []byte {
	plain := xmlName(name)
	start := len(dst)
	if plain {
		dst = append(append(dst, '<'), name...)
	} else {
		dst = append(dst, `<member name="`...)
		dst = append(xmlText(dst, name), '"')
	}
	switch s.next() {
	case 'n':
		s.value()
		return append(dst, ` xsi:nil="true"/>`...)
	case '{', '[':
		dst = xmlNested(append(dst, '>'), s)
	default:
		dst = xmlScalar(append(dst, '>'), s.value())
	}
	dst = append(dst, "</"...)
	if !plain {
		return append(dst, "member>"...)
	}
	return append(dst, dst[start+1:start+2+len(name)]...) // with its bracket
}

// xmlScalar appends a string, number, boolean or null.
func xmlScalar(dst, value []byte) []byte {
	if len(value) >= 2 && value[0] == '"' {
		return xmlText(dst, value[1:len(value)-1])
	}
	return append(dst, value...)
}

// xmlName reports whether the name can be an element's without a namespace.
func xmlName(name []byte) bool {
	if len(name) == 0 || !xmlNames[name[0]] || name[0] <= '9' { // "-", "." and digits are below
		return false
	}
	for _, c := range name {
		if !xmlNames[c] {
			return false
		}
	}
	return len(name) < 3 || name[0]|0x20 != 'x' || name[1]|0x20 != 'm' || name[2]|0x20 != 'l' // reserved
}

// xmlNames are the bytes that names are made of.
var xmlNames = func() (names [256]bool) {
	for _, c := range []byte("-.0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		names[c] = true
	}
	return names
}()

// xmlSpecial are the bytes that don't stand for themselves. 0xef begins the
// two characters above it that XML does not have.
var xmlSpecial = func() (special [256]bool) {
	for c := range 0x20 {
		special[c] = true
	}
	for _, c := range []byte{'&', '<', '>', '"', '\\', 0xef} {
		special[c] = true
	}
	return special
}()

// xmlText appends the text of a JSON string.
func xmlText(dst, text []byte) []byte {
	for len(text) > 0 {
		run := len(text)
		for i, c := range text {
			if xmlSpecial[c] {
				run = i
				break
			}
		}
		dst, text = append(dst, text[:run]...), text[run:]
		if len(text) == 0 {
			break
		}
		var r rune
		if text[0] == '\\' {
			r, text = unescape(text[1:])
		} else {
			var size int
			r, size = utf8.DecodeRune(text)
			text = text[size:]
		}
		dst = xmlRune(dst, r)
	}
	return dst
}

func xmlRune(dst []byte, r rune) []byte {
	switch {
	case r == '&':
		return append(dst, "&amp;"...)
	case r == '<':
		return append(dst, "&lt;"...)
	case r == '>':
		return append(dst, "&gt;"...)
	case r == '"':
		return append(dst, "&#34;"...)
	case r == '\r':
		return append(dst, "&#xD;"...)
	case r == '\t', r == '\n':
		return append(dst, byte(r))
	case r < 0x20, r == 0xfffe, r == 0xffff:
		return append(dst, "\uFFFD"...) // XML 1.0 has no such character
	}
	return utf8.AppendRune(dst, r)
}
