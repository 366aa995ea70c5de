package search_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/entwine-go/entwine/kit/search"
)

// A snippet escapes the query and the text: its only HTML are its marks.
func FuzzSnippet(f *testing.F) {
	for _, text := range []string{"ada", `"a b" -c`, "a:* & !(b | 'c')", `{title} : x NEAR(y) ^z + "`, "\\", "ﬁ ǅ ß İ", "日本語 ไทย", "½ ² ①", "a\u0301 \u0301", "1.5e3 -1 0x1F", "-- ; /*"} {
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, text, content string) {
		q, err := search.Parse(text)
		if err != nil {
			return
		}
		if content = strings.ToValidUTF8(content, ""); strings.ContainsRune(content, 0) {
			return
		}
		snippet := q.Snippet([]string{content, content})
		bare := strings.NewReplacer("<mark>", "", "</mark>", "").Replace(snippet)
		if strings.ContainsAny(bare, "<>\"'") || !utf8.ValidString(snippet) || strings.Count(snippet, "<mark>") != strings.Count(snippet, "</mark>") || len(bare) > 4000 {
			t.Errorf("snippet of %q in %q: %q", text, content, snippet)
		}
	})
}
