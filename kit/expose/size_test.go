package expose_test

import (
	"encoding/json"
	"testing"

	"github.com/entwine-go/entwine/kit/expose"
)

func TestSizesAreCountedInBytes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value any
		most  int
		fits  bool
	}{
		{[]byte{1, 2, 3}, 3, true},
		{[]byte{1, 2, 3}, 2, false},
		{json.RawMessage(`{"a":1}`), 7, true},
		{json.RawMessage(`{"a":1}`), 6, false},
		{map[string]any{"a": 1}, 7, true},
		{map[string]any{"a": "é"}, 9, false},
	} {
		if err := expose.CheckSize(c.value, c.most); (err == nil) != c.fits {
			t.Errorf("%v within %d bytes: %v", c.value, c.most, err)
		}
	}
}
