package conformance_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var snippet = regexp.MustCompile("(?s)```go\n// ([a-z_/]+\\.go)\n(.*?)```")

// The Go code that the pages about schemas show stands in the file that they
// name, whatever its indentation.
func TestSnippetsAreOfTheCode(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../../doc/schema/*.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for _, page := range pages {
		for _, s := range snippet.FindAllStringSubmatch(readFile(t, page), -1) {
			shown++
			if !strings.Contains(flush(readFile(t, filepath.Join("../..", s[1]))), flush(s[2])) {
				t.Errorf("%s: %s does not have\n%s", page, s[1], s[2])
			}
		}
	}
	if shown == 0 {
		t.Error("no page shows code")
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// flush is the text without indentation.
func flush(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimSpace(line) + "\n")
	}
	return b.String()
}
