package negotiate

// AppendNDJSON appends the list of a JSON body, its member "data", with each item
// in a line of its own. JSON that this service writes has no line breaks in it.
func AppendNDJSON(dst, body []byte) []byte {
	s := listed(body)
	if s.next() != '[' {
		return dst
	}
	s.open()
	for s.more() {
		dst = append(append(dst, s.value()...), '\n')
	}
	return dst
}
