package conformance_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Decisions and internals name files, packages and tests that exist, so that a move of one is
// seen in the pages that explain it.
func TestDecisionsNameWhatExists(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../../doc/adr/*.md")
	more, err2 := filepath.Glob("../../doc/internals/*.md")
	if err != nil || err2 != nil || len(pages) < 19 || len(more) < 6 {
		t.Fatal(pages, more, err, err2)
	}
	packages, tests := map[string]bool{}, map[string]bool{}
	for _, file := range handWritten(t) {
		packages[filepath.Base(filepath.Dir(file))] = true
		if strings.HasSuffix(file, "_test.go") {
			for _, line := range fileLines(t, file) {
				if name, is := strings.CutPrefix(line, "func Test"); is {
					name, _, _ = strings.Cut(name, "(")
					tests["Test"+name] = true
				}
			}
		}
	}
	named := 0
	for _, page := range append(pages, more...) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range namedInCode.FindAllStringSubmatch(string(text), -1) {
			named++
			path, _, _ := strings.Cut(m[1], "/…")
			if _, err := os.Stat(filepath.Join("../..", path)); path != "" && err != nil {
				t.Errorf("%s names %s, which is not there", page, path)
			}
			if m[2] != "" && !packages[m[2]] {
				t.Errorf("%s names the package %s, which is not there", page, m[2])
			}
			if m[3] != "" && !tests[m[3]] {
				t.Errorf("%s names %s, which is no test", page, m[3])
			}
		}
	}
	if named < 60 {
		t.Errorf("only %d names are looked at", named)
	}
}

// namedInCode are paths, packages and tests that a page names.
var namedInCode = regexp.MustCompile("`((?:kit|cmd|doc|deploy)/[\\w/.…-]+)`|[Pp]ackage `(\\w+)`|`(Test[A-Z]\\w+)`")
