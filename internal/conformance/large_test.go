package conformance_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A package of more than 3,000 lines says in its comment why it is one.
func TestLargePackagesSayWhyTheyAreOne(t *testing.T) {
	t.Parallel()
	lines, says := map[string]int{}, map[string]bool{}
	for _, file := range handWritten(t) {
		if strings.HasSuffix(file, "_test.go") || strings.Contains(file, "/testdata/") {
			continue
		}
		folder := filepath.ToSlash(filepath.Dir(file))
		all := fileLines(t, file)
		lines[folder] += len(all)
		head, _, _ := strings.Cut(strings.Join(all, "\n"), "\npackage ")
		says[folder] = says[folder] || oneBecause.MatchString(head)
	}
	large := 0
	for folder, n := range lines {
		if n <= 3000 {
			continue
		}
		if large++; !says[folder] {
			t.Errorf("%s has %d lines: its comment does not say why it is one package", folder, n)
		}
	}
	if large < 10 {
		t.Errorf("only %d large packages are found", large)
	}
}

var oneBecause = regexp.MustCompile(`(?s)// Package .*It is\s+(//\s+)?one\s+(//\s+)?package`)
