package conformance_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link = regexp.MustCompile(`\]\(([^)#\s]+)(#[^)\s]*)?\)`)
	page = regexp.MustCompile(`\bdoc/[a-z0-9/-]+\.md\b`)
)

// What the documents link to, and the pages that comments cite, are there.
func TestLinksResolve(t *testing.T) {
	t.Parallel()
	const root = "../.."
	list := exec.Command("git", "-C", root, "ls-files", "*.md", "*.go", "*.yaml", "*.graphql")
	out, err := list.Output()
	if err != nil {
		t.Skipf("NOT TESTED: the tree is no git checkout: %v", err)
	}
	exists := func(file, path string) {
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	for file := range strings.Lines(string(out)) {
		file = strings.TrimSpace(file)
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			continue // removed, and not committed yet
		}
		if filepath.Ext(file) != ".md" {
			for _, cited := range page.FindAllString(string(text), -1) {
				exists(file, filepath.Join(root, cited))
			}
			continue
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if !strings.Contains(m[1], "://") && !strings.HasPrefix(m[1], "mailto:") {
				exists(file, filepath.Join(root, filepath.Dir(file), m[1]))
			}
		}
	}
}
