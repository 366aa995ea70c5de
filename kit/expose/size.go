package expose

import (
	"encoding/json"
	"fmt"
)

// DefaultSize is how many bytes a field of bytes or JSON takes that says nothing of it.
const DefaultSize = 64 << 10

// Size bounds a field of bytes or JSON to so many bytes: of JSON, as it is
// written without spaces. Without it, there are [DefaultSize] at most.
func Size(maximum int) Field { return Field{MaxSize: &maximum} }

// CheckSize returns an error if the bytes, or the value as JSON, are longer.
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
