package gql

// optional is a text that may be absent.
func optional(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
