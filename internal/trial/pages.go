package trial

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Root is the folder of the repository.
func Root(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	for ; err == nil; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	t.Fatalf("no folder above has a go.mod: %v", err)
	return ""
}

// ReadFile returns a file of the repository, by its path from the root.
func ReadFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(Root(t), path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Block is a fenced block of a page, with its language.
var Block = regexp.MustCompile("(?s)\n```(\\w*)\n(.*?)```\n")

// Blocks returns the blocks of a language in a page.
func Blocks(t *testing.T, page, language string) []string {
	t.Helper()
	var all []string
	for _, found := range Block.FindAllStringSubmatch(ReadFile(t, page), -1) {
		if found[1] == language {
			all = append(all, found[2])
		}
	}
	if len(all) == 0 {
		t.Fatalf("%s has no block of %s", page, language)
	}
	return all
}

// Replaced has something else in the place of parts of a block, all of which have to be there.
func Replaced(t *testing.T, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("the page does not say %q:\n%s", pairs[i], text)
		}
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
