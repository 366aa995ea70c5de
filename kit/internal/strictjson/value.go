package strictjson

import (
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
)

// Value returns what a text says that was checked, as encoding/json has it with
// numbers as they are written: a map, a slice, a string, a [json.Number], a bool or
// nil.
func Value(text []byte) any {
	r, _ := readers.Get().(*reader)
	r.open(text)
	defer r.close()
	value, _ := r.read()
	return value
}

// read returns the next value, and false at the end of an object or an array.
func (r *reader) read() (value any, ok bool) {
	token, err := r.json.ReadToken()
	if err != nil {
		return nil, false // it was checked: this is no error of a caller's
	}
	switch token.Kind() {
	case jsontext.KindBeginObject:
		return r.object(), true
	case jsontext.KindBeginArray:
		return r.array(), true
	case jsontext.KindString:
		return token.String(), true
	case jsontext.KindNumber:
		return json.Number(token.String()), true
	case jsontext.KindTrue, jsontext.KindFalse:
		return token.Bool(), true
	case jsontext.KindNull:
		return nil, true
	}
	return nil, false
}

func (r *reader) object() map[string]any {
	all := map[string]any{}
	for {
		name, ok := r.read()
		if !ok {
			return all
		}
		text, _ := name.(string)
		all[text], _ = r.read()
	}
}

func (r *reader) array() []any {
	all := []any{}
	for {
		value, ok := r.read()
		if !ok {
			return all
		}
		all = append(all, value)
	}
}
