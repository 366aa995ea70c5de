package conformance_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var settingForm = regexp.MustCompile(`\bENTWINE_[A-Z][A-Z_]*[A-Z]\b`)

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err != nil || info.IsDir()
}

// Every setting that a page, or a file of deploy/, names is one that programs read.
func TestSettingsOfPagesExist(t *testing.T) {
	t.Parallel()
	table, err := os.ReadFile("../../kit/config/settings.go")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{"ENTWINE_TEST_REQUIRE": true, "ENTWINE_TEST_POOLER": true, "ENTWINE_DEV_DATABASE_URL": true} // of the tests, and of weave
	for _, name := range settingForm.FindAllString(string(table), -1) {
		known[name] = true
	}
	pages := markdown(t)
	for _, form := range []string{"*", "*/*", "helm/*/*", "helm/*/templates/*"} {
		found, err := filepath.Glob("../../deploy/" + form)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, slices.DeleteFunc(found, isFolder)...)
	}
	for _, page := range pages {
		if strings.HasSuffix(page, "CHANGELOG.md") { // what was, too
			continue
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range settingForm.FindAllString(string(text), -1) {
			if !known[strings.TrimSuffix(name, "_FILE")] {
				t.Errorf("%s names %s, which is no setting", page, name)
			}
		}
	}
}
