package params

import "strings"

// List are the values of a list in a parameter, which commas separate. A backslash makes
// a comma, or a backslash, a part of a value; before anything else it is one itself.
func List(text string) []string {
	var values []string
	if !strings.Contains(text, `\`) {
		return strings.Split(text, ",")
	}
	var value strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == ',':
			values = append(values, value.String())
			value.Reset()
		case c == '\\' && i+1 < len(text) && (text[i+1] == ',' || text[i+1] == '\\'):
			i++
			fallthrough
		default:
			value.WriteByte(text[i])
		}
	}
	return append(values, value.String())
}
