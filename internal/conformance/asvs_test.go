package conformance_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	requirement = regexp.MustCompile(`(?m)^\| (\d+\.\d+\.\d+) \| ([12]) \| (met|not applicable|not met) \| (.+) \|$`)
	namedTest   = regexp.MustCompile("`([^`]+_test\\.go): (Test\\w+)`")
)

// Every requirement of the levels 1 and 2 has a row, the tests that it is met
// by exist, and the first paragraph counts them.
func TestTheTestsOfASVSExist(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../doc/operations/asvs.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := requirement.FindAllStringSubmatch(string(page), -1)
	if want := strings.Count(string(page), "\n| ") - strings.Count(string(page), "\n| Requirement |"); len(rows) != want || len(rows) != 253 {
		t.Errorf("%d of %d rows can be read, and ASVS 5.0.0 has 253 requirements of the levels 1 and 2", len(rows), want)
	}
	counts := make(map[string]int)
	for _, row := range rows {
		counts[row[3]]++
		tests := namedTest.FindAllStringSubmatch(row[4], -1)
		if row[3] == "met" && len(tests) == 0 {
			t.Errorf("%s is met by no test", row[1])
		}
		for _, named := range tests {
			text, err := os.ReadFile(filepath.Join("../..", named[1]))
			if err != nil || !strings.Contains(string(text), "func "+named[2]+"(") {
				t.Errorf("%s names %s of %s, which is not there: %v", row[1], named[2], named[1], err)
			}
		}
	}
	said := fmt.Sprintf("%d are met, %d do not apply and %d are not met", counts["met"], counts["not applicable"], counts["not met"])
	if !strings.Contains(strings.Join(strings.Fields(string(page)), " "), said) {
		t.Errorf("the first paragraph does not say that %s", said)
	}
}
