package conformance_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// Every relative link of a page leads to a file that is there, and its anchor to
// a heading of that page.
func TestLinksOfPagesResolve(t *testing.T) {
	t.Parallel()
	pages := markdown(t)
	if len(pages) < 60 {
		t.Fatalf("only %d pages are found: %v", len(pages), pages)
	}
	anchors := map[string][]string{}
	for _, page := range pages {
		anchors[page] = headings(prose(t, page))
	}
	links := 0
	for _, page := range pages {
		for _, found := range linkForm.FindAllStringSubmatch(prose(t, page), -1) {
			target := found[1]
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			links++
			if err := resolve(page, target, anchors); err != nil {
				t.Errorf("%s links to %s: %v", page, target, err)
			}
		}
	}
	if links < 200 {
		t.Errorf("only %d links are found", links)
	}
}

// Every page of doc/ is reached from doc/README.md.
func TestPagesAreReached(t *testing.T) {
	t.Parallel()
	reached := map[string]bool{}
	next := []string{"../../doc/README.md"}
	for len(next) > 0 {
		page := next[0]
		next = next[1:]
		if reached[page] {
			continue
		}
		reached[page] = true
		for _, found := range linkForm.FindAllStringSubmatch(prose(t, page), -1) {
			file, _, _ := strings.Cut(found[1], "#")
			if file = filepath.Join(filepath.Dir(page), file); strings.HasSuffix(file, ".md") && !strings.Contains(found[1], "://") {
				next = append(next, file)
			}
		}
	}
	for _, page := range markdown(t) {
		if strings.HasPrefix(page, "../../doc/") && !reached[page] {
			t.Errorf("no page leads to %s", page)
		}
	}
}

// Every page of doc/ is on its site: each folder is mounted there, with its
// README as the page of the folder.
func TestPagesAreOnTheSite(t *testing.T) {
	t.Parallel()
	config, err := os.ReadFile("../../doc/site/hugo.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range markdown(t) {
		rest, ok := strings.CutPrefix(page, "../../doc/")
		if !ok {
			continue
		}
		mounts := []string{"../" + rest}
		if folder := filepath.Dir(rest); folder != "." {
			mounts = []string{"../" + folder, "../" + folder + "/README.md"}
		}
		for _, mount := range mounts {
			if !strings.Contains(string(config), fmt.Sprintf("source = %q\n", mount)) {
				t.Errorf("%s is not on the site: doc/site/hugo.toml does not mount %s", page, mount)
			}
		}
	}
}

var linkForm = regexp.MustCompile(`\]\(([^()\s]+)\)`)

// markdown are the pages of the repository.
func markdown(t *testing.T) (pages []string) {
	t.Helper()
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (strings.HasPrefix(d.Name(), ".") && d.Name() != ".." || slices.Contains([]string{"testdata", "node_modules", "bin", "data"}, d.Name())) && path != "../.." {
			return fs.SkipDir
		}
		if err == nil && strings.HasSuffix(path, ".md") {
			pages = append(pages, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

var fencedForm = regexp.MustCompile("(?ms)^```.*?^```$")

// prose is a page without its code.
func prose(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return fencedForm.ReplaceAllString(string(text), "")
}

// headings are the anchors that GitHub gives the headings of a page.
func headings(text string) (anchors []string) {
	times := map[string]int{}
	for line := range strings.Lines(text) {
		title := strings.TrimLeft(line, "#")
		if !strings.HasPrefix(line, "#") || !strings.HasPrefix(title, " ") {
			continue
		}
		anchor := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, strings.TrimSpace(title))
		if n := times[anchor]; n > 0 {
			anchors = append(anchors, fmt.Sprintf("%s-%d", anchor, n))
		} else {
			anchors = append(anchors, anchor)
		}
		times[anchor]++
	}
	return anchors
}

// resolve looks for what a link of a page leads to.
func resolve(page, target string, anchors map[string][]string) error {
	file, anchor, _ := strings.Cut(target, "#")
	to := page
	if file != "" {
		to = filepath.Join(filepath.Dir(page), file)
	}
	if _, err := os.Stat(to); err != nil {
		return err
	}
	if anchor != "" && strings.HasSuffix(to, ".md") && !slices.Contains(anchors[to], anchor) {
		return fmt.Errorf("it has no heading %q, but %s", anchor, strings.Join(anchors[to], ", "))
	}
	return nil
}
