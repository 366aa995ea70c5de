package trail

import "strings"

// Redactor reports whether the values of a parameter can be shown: of a field that no
// caller is kept from seeing. Nil admits none.
type Redactor func(parameter string) bool

// longestQuery bounds what is kept of a query.
const longestQuery = 1024

// query returns a query with a dash in the place of each value that is not to be shown.
func (r Redactor) query(raw string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(part, "=")
		if part == "" {
			continue
		}
		if r == nil || !r(unescaped(name)) {
			if value != "" {
				value = "-"
			}
			if !plain(unescaped(name)) { // a client can put anything into the name of a parameter
				name = "-"
			}
		}
		if b.Len()+len(name)+len(value) > longestQuery {
			b.WriteString("&…")
			break
		}
		if b.Len() > 0 {
			b.WriteByte('&')
		}
		b.WriteString(unescaped(name) + "=" + value)
	}
	return b.String()
}

var brackets = strings.NewReplacer("%5B", "[", "%5b", "[", "%5D", "]", "%5d", "]")

func unescaped(name string) string { return brackets.Replace(name) }

// plain reports whether a name looks like the one of a parameter.
func plain(name string) bool {
	if len(name) > 40 {
		return false
	}
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z', c == '_', c == '[', c == ']', c == '.':
		default:
			return false
		}
	}
	return true
}
