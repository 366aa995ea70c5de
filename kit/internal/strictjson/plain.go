package strictjson

import (
	"strconv"
	"strings"
)

// PlainWholes is a text that was checked, with each whole number in it written as
// digits: 1 for 1.0 and for 1e0. Decoders of integers take no other form of them.
// Numbers with a fraction, and those that do not fit in 64 bits, stay unchanged, and
// so does a text that has no number to rewrite.
func PlainWholes(text []byte) []byte {
	var plain []byte
	kept := 0 // where the text begins that is not yet in plain
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			for i++; text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case c == '-' || c >= '0' && c <= '9':
			end := i + 1
			for end < len(text) && strings.IndexByte("0123456789.eE+-", text[end]) >= 0 {
				end++
			}
			if number := string(text[i:end]); strings.ContainsAny(number, ".eE") {
				if n, whole, fits := Whole(number); whole && fits {
					plain = strconv.AppendInt(append(plain, text[kept:i]...), n, 10)
					kept = end
				}
			}
			i = end - 1
		}
	}
	if plain == nil {
		return text
	}
	return append(plain, text[kept:]...)
}

// IsUTF8 reports whether a text in the charset is in UTF-8, which JSON is exchanged in
// (RFC 8259 section 8.1). US-ASCII is a part of it, and no charset is UTF-8.
func IsUTF8(charset string) bool {
	return charset == "" || strings.EqualFold(charset, "utf-8") || strings.EqualFold(charset, "us-ascii")
}
