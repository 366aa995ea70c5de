package idempotency_test

import (
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/idempotency"
)

// A key that is taken is 1 to 255 bytes without control characters, and its
// quoted form is the same key.
func FuzzParseKey(f *testing.F) {
	for _, key := range []string{"", " ", "a", `"a"`, `"`, `""`, `"a\"b"`, `"a\\"`, `"a"b`, "a\x00", "ä", strings.Repeat("k", 255), strings.Repeat("k", 256), `a"b`} {
		f.Add(key)
	}
	f.Fuzz(func(t *testing.T, value string) {
		key, err := idempotency.ParseKey([]string{value})
		if err != nil {
			return
		}
		if key == "" || len(key) > 255 || strings.ContainsFunc(key, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			t.Fatalf("%q is taken as %q", value, key)
		}
		quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(key) + `"`
		if again, err := idempotency.ParseKey([]string{quoted}); err != nil || again != key {
			t.Fatalf("%q is %q, and %s is %q, %v", value, key, quoted, again, err)
		}
	})
}
