package idempotency

import (
	"bytes"
	"encoding/json"
	"maps"
)

// stored returns what is written down of the answer: all of it but its
// secrets, and what was computed over them. A body with secrets that is no
// JSON is not written down at all.
func (a Answer) stored() Answer {
	if len(a.Secret) == 0 || len(a.Body) == 0 {
		return a
	}
	a.Header = maps.Clone(a.Header)
	delete(a.Header, "Etag")
	secret := make(map[string]bool)
	for _, name := range a.Secret {
		secret[name] = true
	}
	d := json.NewDecoder(bytes.NewReader(a.Body))
	d.UseNumber()
	var value any
	if d.Decode(&value) != nil {
		a.Body = nil
		return a
	}
	a.Body, _ = json.Marshal(without(value, secret)) // what was decoded can be encoded
	return a
}

// without removes members from a value and all within it.
func without(value any, secret map[string]bool) any {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			if secret[name] {
				delete(value, name)
				continue
			}
			value[name] = without(member, secret)
		}
	case []any:
		for i, item := range value {
			value[i] = without(item, secret)
		}
	}
	return value
}
