package store

import "strings"

// verb returns the first keyword of a statement in upper case, "" if there is none.
func verb(text string) string {
	word, _ := keyword(strings.TrimLeft(text, " \t\r\n("))
	return word
}

// keyword returns the word that s begins with, in upper case where it is one
// of those that matter here, and what follows it.
func keyword(s string) (word, rest string) {
	n := 0
	for n < len(s) && (s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z' || s[n] == '_') {
		n++
	}
	switch word = s[:n]; word {
	case "SELECT", "INSERT", "UPDATE", "DELETE", "WITH":
		return word, s[n:] // what Ent writes: nothing to allocate
	}
	return strings.ToUpper(word), s[n:]
}

// reads reports whether the statement only reads. It looks no further than
// the keywords outside parentheses and quotes, which is enough for SQLite
// (its CTEs can't write). On PostgreSQL a CTE that writes is found too.
func reads(text string) bool {
	switch verb(text) {
	case "SELECT", "VALUES", "EXPLAIN":
		return true
	case "WITH":
		return !writes(text)
	}
	return false
}

// changes reports whether the statement may change rows.
func changes(text string) bool {
	switch verb(text) {
	case "INSERT", "UPDATE", "DELETE", "REPLACE", "MERGE", "COPY", "CALL", "DO":
		return true
	case "WITH":
		return writes(text)
	}
	return false
}

// writes reports whether one of the words of the text is a verb that writes.
func writes(text string) bool {
	return firstWrite(text) != "SELECT"
}

// firstWrite returns the first word of the text that is a verb that writes,
// SELECT where there is none, and nothing where quotes hide which there is.
func firstWrite(text string) string {
	for text != "" {
		switch ch := text[0]; {
		case ch == '\'' || ch == '"' || ch == '`':
			end := strings.IndexByte(text[1:], ch)
			if end < 0 {
				return ""
			}
			text = text[end+2:]
		case ch|0x20 >= 'a' && ch|0x20 <= 'z' || ch == '_':
			var word string
			word, text = keyword(text)
			switch word {
			case "INSERT", "UPDATE", "DELETE", "REPLACE", "MERGE":
				return word
			}
		default:
			text = text[1:]
		}
	}
	return "SELECT"
}
