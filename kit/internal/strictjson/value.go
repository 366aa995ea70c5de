package strictjson

import "encoding/json"

// Value returns what a text says that was checked, as encoding/json has it with
// numbers as they are written: a map, a slice, a string, a [json.Number], a bool or
// nil.
func Value(text []byte) any {
	r := reader{scanner{text: text}}
	r.space()
	return r.read()
}

// reader reads values of a text that was checked.
type reader struct{ scanner }

func (r *reader) read() any {
	switch r.peek() {
	case '{':
		return r.object()
	case '[':
		return r.array()
	case '"':
		return r.text()
	case 't':
		r.at += len("true")
		return true
	case 'f':
		r.at += len("false")
		return false
	case 'n':
		r.at += len("null")
		return nil
	}
	start := r.at
	_ = r.number()
	return json.Number(r.scanner.text[start:r.at])
}

func (r *reader) text() string {
	quoted, _, _ := r.string()
	return unescaped(quoted[1 : len(quoted)-1])
}

func (r *reader) object() map[string]any {
	all := map[string]any{}
	for r.more('}') {
		name := r.text()
		r.space()
		r.at++ // the colon
		r.space()
		all[name] = r.read()
	}
	return all
}

func (r *reader) array() []any {
	all := []any{}
	for r.more(']') {
		all = append(all, r.read())
	}
	return all
}

// more passes the bracket before the first element, or the comma before another, and
// reports whether there is one: else it passes the end.
func (r *reader) more(end byte) bool {
	r.space()
	c := r.peek()
	r.at++
	if c == end {
		return false
	}
	if r.space(); c != ',' && r.peek() == end { // nothing between the brackets
		r.at++
		return false
	}
	return true
}
