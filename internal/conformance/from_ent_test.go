package conformance_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each row of the guide for who comes from Ent names a test that there is.
func TestWhatEntHasIsShownByTests(t *testing.T) {
	t.Parallel()
	rows := regexp.MustCompile(`(?m)^\| [^|]+ \| [^|]+ \|(.*)\|$`).FindAllStringSubmatch(readFile(t, "../../doc/guides/from-ent.md"), -1)
	named := regexp.MustCompile("`(Test\\w+)` in `([\\w/]+)`")
	shown := 0
	for _, row := range rows[1:] { // below the heading
		found := named.FindStringSubmatch(row[1])
		if found == nil {
			t.Errorf("no test shows %q", row[0])
			continue
		}
		files, err := filepath.Glob(filepath.Join("../..", found[2], "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		for _, file := range files {
			all.WriteString(readFile(t, file))
		}
		if shown++; !strings.Contains(all.String(), "\nfunc "+found[1]+"(t *testing.T)") {
			t.Errorf("%s has no test %s", found[2], found[1])
		}
	}
	if shown < 15 {
		t.Errorf("only %d rows name a test", shown)
	}
}
