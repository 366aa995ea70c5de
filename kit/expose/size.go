package expose

import (
	"encoding/json"
	"fmt"
)

// DefaultSize is how many bytes the value of a field of bytes or JSON has at most
// where [Size] says nothing: 64 KiB.
const DefaultSize = 64 << 10

// Size bounds a field of bytes or JSON to so many bytes: of JSON, in the form
// without spaces. Without it, there are [DefaultSize] at most.
func Size(maximum int) Field { return Field{MaxSize: &maximum} }

// CheckSize returns an error if a []byte or a json.RawMessage has more than maximum
// bytes, or the JSON of any other value has, or a value has no JSON.
func CheckSize(value any, maximum int) error {
	var n int
	switch v := value.(type) {
	case []byte:
		n = len(v)
	case json.RawMessage:
		n = len(v)
	default:
		text, err := json.Marshal(value)
		if err != nil {
			return fmt.Errorf("must be JSON")
		}
		n = len(text)
	}
	if n > maximum {
		return fmt.Errorf("must be at most %d bytes, not %d", maximum, n)
	}
	return nil
}
