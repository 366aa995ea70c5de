package negotiate

import "bytes"

// Differing appends the members of an object, in JSON that this service wrote, that are
// others than they were. It reports false where a member is no longer there, so that
// the rest does not say all.
func Differing(dst, was, now []byte) ([]byte, bool) {
	before := members(was)
	start := len(dst)
	dst = append(dst, '{')
	s := scanner{text: now}
	if s.next() != '{' {
		return dst[:start], false
	}
	s.open()
	for s.more() {
		name := string(s.name())
		value := s.value()
		old, known := before[name]
		delete(before, name)
		if known && bytes.Equal(old, value) {
			continue
		}
		if len(dst) > start+1 {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), name...), '"', ':')
		dst = append(dst, value...)
	}
	return append(dst, '}'), len(before) == 0
}

// members are the members of an object.
func members(object []byte) map[string][]byte {
	all := map[string][]byte{}
	s := scanner{text: object}
	if s.next() != '{' {
		return all
	}
	s.open()
	for s.more() {
		name := string(s.name())
		all[name] = s.value()
	}
	return all
}
